/**
 * Each kind of migration that `npm run generate` writes, on tables with rows: the tables are then as if they were new, the
 * first lines say what waits, and a migration that says so is compatible with creates of the previous release.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Declaration, Fields, Resource } from '@muster/model'
import {
  createTablesSql,
  date,
  id,
  name,
  number,
  reference,
  resource,
  state,
  storageMigration,
  storageOf,
  text,
} from '@muster/model'
import { Client } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createEmptyDatabase } from '../../../../tests/support/database.ts'
import { readTableCatalogue } from '../../../../tests/support/table-catalogue.ts'
import { migrate, readMigrationFiles } from '../../src/postgres/schema/migrate.ts'

type Options = Partial<Pick<Declaration, 'unique' | 'storedTexts' | 'personOf'>>

const table = (path: string, fields: Fields, options: Options = {}): Resource =>
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
    ...options,
  })

const rooms = (fields: Fields = {}, options: Options = {}): Resource => table('rooms', fields, options)
const desks = (fields: Fields = {}, options: Options = {}): Resource => table('desks', fields, options)

const status = state('Status.', { create: 'optional', default: 'open', values: ['open', 'closed'] })
const floor = text('Floor.', { create: 'optional' })
const day = date('Day.', { create: 'optional', today: true })
const roomId = reference('rooms', 'Room.', { create: 'optional' })
const roomOnFloor = reference('rooms', 'Room.', { create: 'optional', within: 'floor' })
const guest = reference('rooms', 'Guest.')
const kind = (value?: string) =>
  text('Kind.', { create: 'optional', ...(value === undefined ? {} : { default: value }) })
const no = { storedTexts: { record: false, search: false } }
const onlySearch = { storedTexts: { record: false, search: true } }
const onlyRecord = { storedTexts: { record: true, search: false } }

type Change = readonly [before: readonly Resource[], after: readonly Resource[]]

const changes: Readonly<Record<string, Change>> = {
  'a field with a filter': [[rooms()], [rooms({ floor: text('Floor.', { create: 'optional', filter: true }) })]],
  'a field of a table without stored texts': [[rooms({}, no)], [rooms({ floor }, no)]],
  'a number of a table without stored texts': [[rooms({}, no)], [rooms({ size: number('Size.') }, no)]],
  'a first personal field': [
    [rooms({ guest_id: guest })],
    [rooms({ guest_id: guest, notes: text('Notes.', { personal: true }) }, { personOf: 'guest_id' })],
  ],
  'a state': [[rooms()], [rooms({ status })]],
  'a state of a table without stored texts': [[rooms({}, no)], [rooms({ status }, no)]],
  'a reference': [
    [rooms(), desks()],
    [rooms(), desks({ room_id: roomId })],
  ],
  'a reference within a field': [
    [rooms({ floor }), desks({ floor })],
    [rooms({ floor }), desks({ floor, room_id: roomOnFloor })],
  ],
  'a reference within a field, in a table that is declared before': [
    [desks({ floor }), rooms({ floor })],
    [desks({ floor, room_id: roomOnFloor }), rooms({ floor })],
  ],
  'a reference within a field that had an index': [
    [rooms({ floor: text('Floor.', { filter: true }) }, no), desks({ floor }, no)],
    [rooms({ floor: text('Floor.', { filter: true }) }, no), desks({ floor, room_id: roomOnFloor }, no)],
  ],
  'a reference that makes others deferrable': [
    [rooms({}, no), desks({ room_id: roomId }, no)],
    [rooms({ desk_id: reference('desks', 'Desk.') }, no), desks({ room_id: roomId }, no)],
  ],
  'a date that is today by default': [[rooms()], [rooms({ day })]],
  'today as the default of a date': [[rooms({ day: date('Day.') })], [rooms({ day })]],
  'another default': [[rooms({ kind: kind('a') })], [rooms({ kind: kind("b's") })]],
  'no default any more': [[rooms({ kind: kind('a') })], [rooms({ kind: kind() })]],
  'a unique key': [[rooms()], [rooms({ code: name('Code.') }, { unique: [['code']] })]],
  'a unique key of a table without stored texts': [
    [rooms({}, no)],
    [rooms({ code: name('Code.') }, { ...no, unique: [['name', 'code']] })],
  ],
  'a filter alone': [[rooms({ floor })], [rooms({ floor: text('Floor.', { create: 'optional', filter: true }) })]],
  'a new resource': [
    [rooms({ floor })],
    [
      desks({ floor, kind: kind('a'), day, status, room_id: roomOnFloor }, { unique: [['kind', 'floor']] }),
      rooms({ floor }),
    ],
  ],
  'a new resource without stored texts': [[rooms()], [rooms(), desks({ status, room_id: roomId, day }, no)]],
  'a new resource in a cycle of references': [
    [rooms()],
    [rooms({ desk_id: reference('desks', 'Desk.') }), desks({ room_id: roomId })],
  ],
  'texts that are no longer stored': [[rooms({ status })], [rooms({ status }, no)]],
  'texts that are stored again': [[rooms({ status }, no)], [rooms({ status })]],
  'a record that is no longer stored': [[rooms()], [rooms({}, onlySearch)]],
  'a search text that is no longer stored': [[rooms()], [rooms({}, onlyRecord)]],
  'a record that is stored instead of a search text': [[rooms({}, onlySearch)], [rooms({}, onlyRecord)]],
  'several of these in two tables': [
    [rooms({ floor }), desks({ floor, room_id: roomId }, no)],
    [
      rooms({ floor, status, day, desk_id: reference('desks', 'Desk.', { within: 'floor' }) }),
      desks({ floor, room_id: roomId, kind: kind('a'), next_room_id: roomOnFloor }),
    ],
  ],
}

const tableNames = ['rooms', 'desks']

const rowsSql = (resources: readonly Resource[]): string =>
  resources.map(({ table: each }) => `insert into ${each} (name) values ('Küche'), ('b'), (null);`).join('\n')

/** The tables by what waits for them, from the first lines of a migration. */
const statedLocks = (sql: string): Record<string, string> =>
  Object.fromEntries(
    [...sql.matchAll(/^-- (Reads of and writes to|Writes to) (\w+) wait /gm)].map(([, waiting = '', each = '']) => [
      each,
      waiting,
    ]),
  )

const heldLocks = async (client: Client): Promise<Record<string, string>> => {
  const { rows } = await client.query<{ name: string; waiting: string }>(
    `select relname as name, case when bool_or(mode = 'AccessExclusiveLock') then 'Reads of and writes to' else 'Writes to' end as waiting
     from pg_locks join pg_class on pg_class.oid = relation
     where pid = pg_backend_pid() and relname = any ($1) and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
     group by relname`,
    [tableNames],
  )
  return Object.fromEntries(rows.map(({ name: each, waiting }) => [each, waiting]))
}

describe('a generated migration', () => {
  let database: TestDatabase
  let client: Client
  before(async () => {
    database = await createEmptyDatabase()
    await migrate(database.url, { files: (await readMigrationFiles()).filter(({ name: file }) => file < '0005') })
    client = new Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  /** Takes back what the work did in the database. */
  const rolledBack = async <T>(work: () => Promise<T>): Promise<T> => {
    await client.query('begin')
    try {
      return await work()
    } finally {
      await client.query('rollback')
    }
  }

  /** Drops tables that are committed, with their functions and row counts. */
  const dropTables = () =>
    client.query(`
      drop table if exists ${tableNames.join(', ')} cascade;
      do $$ declare f regprocedure; begin
        for f in select oid from pg_proc where proname ~ '^muster_(record|counts)_(${tableNames.join('|')})' loop
          execute 'drop function ' || f;
        end loop;
      end $$;
      delete from muster_table_versions where table_name <> '';
      delete from muster_count_deltas;
      delete from muster_count_buckets;`)

  for (const [title, [earlier, later]] of Object.entries(changes)) {
    it(`for ${title} makes the tables of the declarations`, async () => {
      const change = storageMigration(storageOf(earlier), storageOf(later))
      if (change.kind !== 'migration') assert.fail(JSON.stringify(change))
      const { sql } = change.migration
      try {
        await client.query(createTablesSql(storageOf(earlier)).join('\n'))
        await client.query(rowsSql(earlier))
        const migrated = await rolledBack(async () => {
          await client.query(sql)
          const locks = await heldLocks(client)
          const existing = Object.entries(locks).filter(([each]) => earlier.some(({ table: old }) => old === each))
          assert.deepEqual(statedLocks(sql), Object.fromEntries(existing), sql)
          const catalogue = await readTableCatalogue(client, tableNames)
          if (sql.startsWith('-- expands\n')) await client.query(rowsSql(earlier))
          for (const { table: each, storedFields } of later) {
            const states = storedFields.filter((field) => field.state).map((field) => field.name)
            const { rows } = await client.query('select muster_rebuild_counts($1, $2) as off_by', [each, states])
            assert.equal(Number(rows[0].off_by), 0, each)
          }
          return catalogue
        })
        await dropTables()
        const expected = await rolledBack(async () => {
          await client.query(createTablesSql(storageOf(later)).join('\n'))
          return readTableCatalogue(client, tableNames)
        })
        assert.ok(expected.length > 10)
        assert.deepEqual(migrated, expected, sql)
      } finally {
        await dropTables()
      }
    })
  }
})
