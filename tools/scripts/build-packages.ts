/**
 * Writes each package into dist/ as it is published: JavaScript and declarations in place of the TypeScript sources, in
 * the same folders, so that paths relative to a file stay the same. `npm run build` runs this after the build of the
 * console, which is part of the server package.
 *
 * A release gives the URL of the repository: npm accepts a package with provenance only if its package.json names the
 * repository that built it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'

const {
  values: { repository },
} = parseArgs({ options: { repository: { type: 'string' } } })
const root = join(import.meta.dirname, '..', '..')
const outputFolder = join(root, 'dist')
const names = ['model', 'client', 'career-sites', 'demo-data', 'server']

interface Manifest {
  readonly version: string
  readonly private?: boolean
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string>>
  readonly files: readonly string[]
}

const copyFiles = (name: string): void => {
  const source = join(root, 'packages', name)
  const target = join(outputFolder, name)
  const { private: _, devDependencies: __, ...manifest } = readManifest(source)
  for (const path of manifest.files)
    cpSync(join(source, path), join(target, path), { recursive: true, filter: (file) => !/\.m?ts$/.test(file) })
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  const readme = readFileSync(join(source, 'README.md'), 'utf8')
  writeFileSync(join(target, 'README.md'), withoutRelativeLinks(readme, `packages/${name}`, manifest.version))
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([path, file]) => [path, compiledExport(file)]),
  )
  const origin =
    repository === undefined
      ? {}
      : { repository: { type: 'git', url: `git+${repository}.git`, directory: `packages/${name}` } }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ ...manifest, ...origin, exports }, null, 2)}\n`)
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const compiledExport = (file: string): string | Readonly<Record<string, string>> =>
  file.endsWith('.ts') ? { types: file.replace(/\.ts$/, '.d.ts'), default: file.replace(/\.ts$/, '.js') } : file

/**
 * The files that relative links lead to are not in the package. The links lead to the repository at the tag of the
 * release instead; without a repository, only their text remains.
 */
const withoutRelativeLinks = (readme: string, folder: string, version: string): string =>
  readme.replaceAll(/\[([^\]]+)\]\((?![a-z]+:|#)([^)]+)\)/g, (_, text: string, path: string) =>
    repository === undefined ? text : `[${text}](${new URL(path, `${repository}/blob/v${version}/${folder}/`).href})`,
  )

/**
 * The client uses types of the model and nothing else of it. Its package contains a copy of the model's declarations,
 * and so needs no other package.
 */
const copyModelTypes = (): void => {
  const clientFolder = join(outputFolder, 'client', 'src')
  const files = readdirSync(clientFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  )
  cpSync(join(outputFolder, 'model', 'src'), join(clientFolder, 'model'), {
    recursive: true,
    filter: (file) => !file.endsWith('.js'),
  })
  for (const file of files) {
    const path = join(clientFolder, file)
    const modelPath = relative(join(path, '..'), join(clientFolder, 'model', 'index.js'))
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll(/(?<=['"])@muster\/model(?=['"])/g, modelPath.replace(/^(?!\.)/, './')))
  }
}

rmSync(outputFolder, { recursive: true, force: true })
for (const name of names) copyFiles(name)
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
copyModelTypes()
