/**
 * Every declared package is used, and every imported package is declared: by the package itself if the import is published,
 * otherwise by any package or the root, because npm installs all of them into one folder.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Manifest {
  readonly name: string
  readonly workspaces?: readonly string[]
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly bin?: string | Readonly<Record<string, string>>
}

const readText = (path: string): string => readFileSync(join(root, path), 'utf8')
const readManifest = (folder: string): Manifest => JSON.parse(readText(join(folder, 'package.json')))
const rootManifest = readManifest('')
const { workspaces = [] } = rootManifest
const namesIn = ({ dependencies = {}, devDependencies = {} }: Manifest): string[] =>
  Object.keys({ ...dependencies, ...devDependencies })

/** Packages that no source names, and who needs them. `@types/x` belongs to `x`. */
const neededBy: Readonly<Record<string, string>> = { 'oxlint-tsgolint': 'oxlint --type-aware', '@types/node': 'tsc' }
/** tests/deployment/packages.test.ts installs these itself, into a folder of its own. */
const installedByTests = ['@modelcontextprotocol/sdk']

interface Source {
  readonly path: string
  readonly text: string
}

/** The committed and new sources, style sheets and settings. */
const sources: readonly Source[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter(
    (path) =>
      /\.(?:[cm]?[jt]sx?|css|json)$/.test(path) && !/(?:^docs\/|\/contract\/|package(?:-lock)?\.json$)/.test(path),
  )
  .flatMap((path) => {
    try {
      return [{ path, text: readText(path) }]
    } catch {
      return [] // deleted, but not yet committed
    }
  })

/** The workspace of a file, or '' for the root. */
const folderOf = (path: string): string => workspaces.find((folder) => path.startsWith(`${folder}/`)) ?? ''

const importedNames = ({ text }: Pick<Source, 'text'>): string[] =>
  [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom ['"]([^'"]+)['"]/gm,
    /^\s*(?:import|@import) ['"]([^'"]+)['"]/gm,
    /\b(?:import|require|import\.meta\.resolve|require\.resolve)\(\s*['"]([^'"]+)['"]\s*\)/g,
  ]
    .flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] as string))
    .filter((specifier) => /^(?!node:)[@a-z]/.test(specifier))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))

const programsOf = (name: string): string[] => {
  const { bin = {} } = readManifest(`node_modules/${name}`)
  return typeof bin === 'string' ? [name.replace(/^@.*\//, '')] : Object.keys(bin)
}

/** Whether the text names the package in quotes, such as in an import, or one of its programs. */
const names = (text: string, name: string, programs: readonly string[]): boolean =>
  ['"', "'"].some((quote) => text.includes(`${quote}${name}${quote}`) || text.includes(`${quote}${name}/`)) ||
  text.includes(`node_modules/${name}/`) ||
  programs.some((program) => text.includes(`'${program}'`) || text.includes(`.bin/${program}`))

/** The declared packages of a folder that nothing in it uses. The root also serves the tests of all packages. */
const unusedIn = (folder: string, manifest: Manifest, texts: readonly Source[]): string[] => {
  const scripts = Object.values(manifest.scripts ?? {}).join('\n')
  const own = texts.filter(({ path }) => folder === '' || folderOf(path) === folder)
  const isUsed = (name: string): boolean => {
    const programs = programsOf(name)
    return (
      name in neededBy ||
      programs.some((program) => scripts.split(/\s/).includes(program)) ||
      own.some(({ text }) => names(text, name, programs))
    )
  }
  return namesIn(manifest).filter((name) => !isUsed(name) && !isUsed(name.replace(/^@types\//, '')))
}

describe('a package', () => {
  for (const folder of ['', ...workspaces])
    it(`uses every package that it declares: ${folder || 'the root'}`, () => {
      assert.deepEqual(unusedIn(folder, readManifest(folder), sources), [])
    })

  it('is reported if it declares a package that it does not use', () => {
    const devDependencies = { '@types/pg': '1.0.0', pg: '1.0.0', typescript: '1.0.0', yaml: '1.0.0' }
    const manifest = { name: 'x', scripts: { types: 'tsc -p .' }, devDependencies }
    const source = { path: 'tests/x.ts', text: "import pg from 'pg'" }
    assert.deepEqual(unusedIn('', manifest, [source]), ['yaml'])
    assert.deepEqual(unusedIn('', manifest, []), ['@types/pg', 'pg', 'yaml'])
  })

  it('declares every package that it imports', () => {
    const undeclared = sources.flatMap((source) => {
      const folder = folderOf(source.path)
      const isShipped = /\/(?:src|bin)\//.test(source.path)
      const manifests = isShipped ? [readManifest(folder)] : ['', ...workspaces].map(readManifest)
      const declaredNames = [...installedByTests, ...manifests.flatMap(namesIn), ...manifests.map(({ name }) => name)]
      return importedNames(source)
        .filter((name) => !declaredNames.includes(name))
        .map((name) => `${source.path} imports ${name}`)
    })
    assert.deepEqual(undeclared, [])
  })

  it('imports what stands in its import statements, calls and style sheets', () => {
    for (const [text, expected] of [
      ["import { a } from 'pg/b'\nimport type {\n  B,\n} from '@muster/model/d'", ['pg', '@muster/model']],
      [
        "import 'pg'\nexport * from 'ajv'\nconst c = await import('yaml')\nrequire('marked')",
        ['ajv', 'pg', 'yaml', 'marked'],
      ],
      ["import { x } from './x.ts'\nimport fs from 'node:fs'", []],
      ['@import "pg/index.css";', ['pg']],
    ] as const)
      assert.deepEqual(importedNames({ text }), expected)
  })
})
