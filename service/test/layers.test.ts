/** The arrows between the rooms point one way; this reads the imports and says where one does not. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What each room may import: rooms below it, and packages by name. First match decides. */
const rooms: readonly { folder: string; rooms: readonly string[]; packages: readonly string[] }[] = [
  { folder: 'model/src', rooms: ['model/src'], packages: [] },
  {
    folder: 'service/src/http',
    rooms: [
      'service/src/http',
      'service/src/operations',
      'service/src/database',
      'service/src/errors.ts',
      'service/src/log.ts',
    ],
    packages: ['fastify', '@fastify/rate-limit', 'ioredis', '@muster/model'],
  },
  {
    folder: 'service/src/operations',
    rooms: ['service/src/operations', 'service/src/database', 'service/src/errors.ts'],
    packages: ['@muster/model'],
  },
  {
    folder: 'service/src/database',
    rooms: ['service/src/database', 'service/src/errors.ts'],
    packages: ['pg', 'pg-copy-streams', '@muster/model'],
  },
  {
    folder: 'service/src/demo',
    rooms: ['service/src/demo', 'service/src/database', 'service/src/errors.ts'],
    packages: ['pg', 'pg-copy-streams', '@muster/model'],
  },
  {
    folder: 'service/src/transfer',
    rooms: ['service/src/transfer', 'service/src/database', 'service/src/config.ts', 'service/src/errors.ts'],
    packages: ['pg', 'pg-copy-streams', '@muster/model'],
  },
  {
    folder: 'service/src/observe',
    rooms: ['service/src/observe', 'service/src/database', 'service/src/log.ts'],
    packages: ['@muster/model'],
  },
  {
    folder: 'service/src/commands',
    // The demo's own database server is for development, and loaded only when that command runs.
    rooms: ['service/src', 'scripts/embedded-postgres.ts'],
    packages: ['fastify', 'pg', '@muster/model'],
  },
  {
    folder: 'service/src/log.ts',
    rooms: ['service/src/line-output.ts'],
    packages: ['fastify', 'pino', '@muster/model'],
  },
  { folder: 'service/src/errors.ts', rooms: [], packages: ['@muster/model'] },
  { folder: 'service/src', rooms: ['service/src'], packages: ['fastify', '@muster/model'] },
  { folder: 'service/bin', rooms: ['service/bin', 'service/src'], packages: ['@muster/model'] },
]

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?ts$/.test(name))
    .map((name) => join(folder, name))

const importsOf = (source: string): string[] =>
  [/^(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]/gm, /\bimport\(['"]([^'"]+)['"]\)/g].flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => match[1] as string),
  )

/** The sentence for an import that crosses the wrong way; undefined where it may stand. */
export const crossing = (file: string, specifier: string): string | undefined => {
  const room = rooms.find(({ folder }) => file.startsWith(folder))
  if (room === undefined) return `${file} stands in no room`
  if (specifier.startsWith('node:')) return undefined
  if (!specifier.startsWith('.')) return room.packages.includes(specifier) ? undefined : `${file} imports ${specifier}`
  const target = relative(root, resolve(root, dirname(file), specifier))
  return room.rooms.some((folder) => target.startsWith(folder)) ? undefined : `${file} imports ${target}`
}

describe('the rooms of the house', () => {
  const files = ['model/src', 'service/src', 'service/bin'].flatMap(sourcesIn)

  it('import only what stands below them', () => {
    const crossings = files.flatMap((file) =>
      importsOf(readFileSync(join(root, file), 'utf8')).map((specifier) => crossing(file, specifier)),
    )
    assert.deepEqual(
      crossings.filter((sentence) => sentence !== undefined),
      [],
    )
  })

  it('are told apart: an operation that imports fastify, and http that imports pg, are found', () => {
    assert.equal(
      crossing('service/src/operations/list.ts', 'fastify'),
      'service/src/operations/list.ts imports fastify',
    )
    assert.equal(crossing('service/src/http/routes.ts', 'pg'), 'service/src/http/routes.ts imports pg')
    assert.equal(
      crossing('service/src/database/database.ts', '../operations/list.ts'),
      'service/src/database/database.ts imports service/src/operations/list.ts',
    )
    assert.equal(crossing('model/src/field.ts', '@muster/service'), 'model/src/field.ts imports @muster/service')
  })

  it('open each file with a sentence that says what it is in charge of', () => {
    const silent = files.filter((file) => !/^(#!.*\n)?\/\*\* /.test(readFileSync(join(root, file), 'utf8')))
    assert.deepEqual(silent, [])
  })

  it('read argv and the environment in bin alone', () => {
    // Prose of the OpenAPI document, with an example that reads BASE.
    const exampleForNode = 'model/src/derive/introduction.ts'
    const readers = files.filter(
      (file) =>
        !file.startsWith('service/bin') &&
        file !== exampleForNode &&
        /process\.(env|argv)/.test(readFileSync(join(root, file), 'utf8')),
    )
    assert.deepEqual(readers, [])
  })
})
