/** How `npm run generate` writes the next migration in a clone. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Fields, Resource } from '@muster/model'
import { id, integer, name, resource, text } from '@muster/model'
import { storageText, writeNextMigration } from '../../tools/contract/storage.ts'

const table = (path: string, fields: Fields = {}): Resource =>
  resource({
    path,
    table: path,
    schema: path,
    operationSingular: path,
    operationPlural: path,
    title: path,
    titles: path,
    area: 'Enterprise',
    about: path,
    naturalKey: ['name'],
    fields: { id: id(), name: name('Name.'), ...fields },
  })

const rooms = (fields?: Fields) => table('rooms', fields)
const desks = (fields?: Fields) => table('desks', fields)
const floor = { floor: text('Floor.') }
const requiredFloor = { floor: integer('Floor.', { required: true, create: 'required' }) }

describe('the next migration', () => {
  let parent: string
  let checkout: string
  let folder: string
  before(() => {
    parent = mkdtempSync(join(tmpdir(), 'muster-next-migration-'))
  })
  after(() => rmSync(parent, { recursive: true }))

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: checkout })
  const commit = (...declared: readonly Resource[]): void => {
    writeFileSync(join(checkout, 'packages/model/contract/storage.json'), storageText(declared))
    git('add', '--all')
    git('commit', '--quiet', '--no-gpg-sign', '--message', 'test')
  }
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const write = (file: string, sql: string): void => writeFileSync(join(folder, file), sql)
  const files = (): string[] => readdirSync(folder).toSorted()
  /** Returns the names of the files that were written. */
  const generate = (...declared: readonly Resource[]): string[] =>
    writeNextMigration(declared, pathToFileURL(`${checkout}/`)).map((path) =>
      path.replace('packages/server/migrations/', ''),
    )

  beforeEach(() => {
    checkout = mkdtempSync(join(parent, 'checkout-'))
    folder = join(checkout, 'packages/server/migrations')
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(checkout, 'packages/model/contract'), { recursive: true })
    git('init', '--quiet')
    write('0001-tables.sql', 'create table rooms ();')
    commit(rooms(), desks())
  })

  it('has the number after the last one, and is written once', () => {
    assert.deepEqual(generate(rooms(floor), desks()), ['0002-add-rooms-floor.sql'])
    assert.match(
      read('0002-add-rooms-floor.sql'),
      /^-- expands\n-- Written by "npm run generate" .* Hash: [0-9a-f]{16}\n/,
    )
    assert.deepEqual(generate(rooms(floor), desks()), [])
    commit(rooms(floor), desks())
    assert.deepEqual(generate(rooms(floor), desks()), [])
    assert.deepEqual(generate(rooms(floor), desks(floor)), ['0003-add-desks-floor.sql'])
  })

  it('is written again, and removed, with the declarations until it is committed', () => {
    generate(rooms(floor), desks())
    assert.deepEqual(generate(rooms(floor), desks(floor)), ['0002-add-rooms-floor-and-add-desks-floor.sql'])
    assert.deepEqual(files(), ['0001-tables.sql', '0002-add-rooms-floor-and-add-desks-floor.sql'])
    assert.deepEqual(generate(rooms(), desks()), [])
    assert.deepEqual(files(), ['0001-tables.sql'])
  })

  it('is not written, and nothing is removed, if a change is refused', () => {
    generate(rooms(floor), desks())
    assert.throws(() => generate(rooms(floor), desks(requiredFloor)), /desks\.floor is required and has no default/)
    assert.deepEqual(files(), ['0001-tables.sql', '0002-add-rooms-floor.sql'])
  })

  it('is never written over one that somebody edited', () => {
    generate(rooms(floor), desks())
    const edited = read('0002-add-rooms-floor.sql').replace('floor text', "floor text default 'ground'")
    write('0002-add-rooms-floor.sql', edited)
    for (const declared of [rooms(floor), rooms(), rooms(requiredFloor)])
      assert.throws(
        () => generate(declared, desks()),
        /0002-add-rooms-floor\.sql was edited after "npm run generate" wrote it\. Delete it, or make it a migration by hand/,
      )
    assert.equal(read('0002-add-rooms-floor.sql'), edited)
    write('0002-add-rooms-floor.sql', edited.replace(/^-- Written by .*$/m, '-- covers: rooms'))
    assert.deepEqual(generate(rooms(floor), desks()), [])
    assert.deepEqual(files(), ['0001-tables.sql', '0002-add-rooms-floor.sql'])
  })

  it('leaves tables to a migration by hand that covers them, and only these', () => {
    const sql = '-- expands\n-- covers: rooms, seats\ncreate table seats ();'
    write('0002-by-hand.sql', sql)
    const seats = table('seats')
    assert.deepEqual(generate(rooms(requiredFloor), desks(), seats), [])
    assert.deepEqual(generate(rooms(requiredFloor), desks(floor), seats), ['0003-add-desks-floor.sql'])
    assert.doesNotMatch(read('0003-add-desks-floor.sql'), /rooms|seats/)
    assert.throws(() => generate(rooms(requiredFloor), desks(requiredFloor), seats), /desks\.floor is required/)
    assert.equal(read('0002-by-hand.sql'), sql)
  })

  it('is refused as before if a migration by hand covers no table', () => {
    write('0002-by-hand.sql', 'create index on muster_changes (at);')
    assert.throws(() => generate(rooms(requiredFloor), desks()), /rooms\.floor is required/)
    assert.deepEqual(generate(rooms(floor), desks()), ['0003-add-rooms-floor.sql'])
  })

  it('keeps its number if a migration by hand follows it', () => {
    generate(rooms(floor), desks())
    write('0003-by-hand.sql', 'update rooms set floor = 1;')
    assert.deepEqual(generate(rooms(floor), desks()), [])
    assert.deepEqual(files(), ['0001-tables.sql', '0002-add-rooms-floor.sql', '0003-by-hand.sql'])
  })

  it('leaves a table that is no longer declared to a migration by hand', () => {
    assert.throws(() => generate(rooms()), /The table desks is no longer declared/)
    write('0002-by-hand.sql', '-- covers: desks\ndrop table desks;')
    assert.deepEqual(generate(rooms()), [])
  })

  it('is refused if a migration by hand covers an unknown table', () => {
    write('0002-by-hand.sql', '-- covers: room\nselect 1;')
    assert.throws(() => generate(rooms(), desks()), /0002-by-hand\.sql covers room, which is no table/)
  })
})
