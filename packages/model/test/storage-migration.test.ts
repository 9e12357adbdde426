import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field, Fields, Resource, StorageChange } from '@muster/model'
import {
  alwaysNull,
  date,
  id,
  integer,
  name,
  number,
  reference,
  resource,
  state,
  storageMigration,
  storageOf,
  text,
  timestamp,
} from '@muster/model'

const rooms = (fields: Fields, options: Partial<Pick<Resource, 'storedTexts' | 'personOf'>> = {}): Resource =>
  resource({
    path: 'rooms',
    table: 'rooms',
    schema: 'Room',
    operationSingular: 'Room',
    operationPlural: 'Rooms',
    title: 'room',
    titles: 'rooms',
    area: 'Enterprise',
    about: 'Rooms.',
    naturalKey: ['name'],
    fields: { id: id(), name: name('Name.', { required: true, filter: true }), ...fields },
    ...options,
  })

const change = (before: readonly Resource[], after: readonly Resource[]): StorageChange =>
  storageMigration(storageOf(before), storageOf(after))

const migrationOf = (before: readonly Resource[], after: readonly Resource[]) => {
  const result = change(before, after)
  assert.equal(result.kind, 'migration', JSON.stringify(result))
  return result.kind === 'migration' ? result.migration : assert.fail()
}

const refusals = (before: readonly Resource[], after: readonly Resource[]): readonly string[] => {
  const result = change(before, after)
  return result.kind === 'refused' ? result.sentences : assert.fail(JSON.stringify(result))
}

describe('the migration between two descriptions of the tables', () => {
  it('is empty if nothing was added', () => {
    assert.deepEqual(change([rooms({})], [rooms({})]), { kind: 'none' })
  })

  it('creates the table of a new resource, with its indexes, references and triggers', () => {
    const { name: fileName, sql } = migrationOf([rooms({})], [rooms({}), desks()])
    assert.equal(fileName, 'add-desks')
    assert.match(sql, /^-- expands\n/)
    for (const statement of [
      'create function public.muster_record_desks(',
      'create table desks (',
      'create index desks_room_id_idx on desks using btree (room_id, id);',
      'add constraint desks_room_id_fkey foreign key (room_id) references rooms;',
      `select public.muster_track_table('desks', array['status']::text[]);`,
    ])
      assert.ok(sql.includes(statement), `${statement}\n${sql}`)
  })

  it('adds an optional field, writes the stored texts again, and says that in its first lines', () => {
    const { name: fileName, sql } = migrationOf([rooms({})], [rooms({ floor: text('Floor.', { filter: true }) })])
    assert.equal(fileName, 'add-rooms-floor')
    assert.match(
      sql,
      /^-- expands\n(?:-- .*\n)*-- Reads of and writes to rooms wait until the migration ends: docs\/operations\.md/,
    )
    assert.match(sql, /^-- Writes the text rooms\.search_text for every row\.$/m)
    assert.match(sql, /add column floor text,\n {2}add column search_text .*\n {2}add column record_json/s)
    assert.match(
      sql,
      /create index rooms_floor_idx on rooms using btree \(public\.muster_key\(floor\) collate "C", id\);/,
    )
    assert.match(sql, /create index rooms_search_text_idx on rooms using gin \(search_text gin_trgm_ops\);/)
    assert.match(sql, /select public\.muster_update_table_version\('rooms', 0\);/)
  })

  it('does not write the table again for a field of a resource that stores no texts', () => {
    const storedTexts = { record: false, search: false }
    const { sql } = migrationOf([rooms({}, { storedTexts })], [rooms({ seats: integer('Seats.') }, { storedTexts })])
    assert.match(sql, /alter table rooms\n {2}add column seats bigint;/)
    assert.doesNotMatch(sql, /search_text|record_json/)
  })

  it('only creates an index for a new filter', () => {
    const { sql } = migrationOf(
      [rooms({ floor: text('Floor.') })],
      [rooms({ floor: text('Floor.', { filter: true }) })],
    )
    const statements = sql.split('\n').filter((line) => line !== '' && !line.startsWith('--'))
    assert.deepEqual(statements, [
      'create index rooms_floor_idx on rooms using btree (public.muster_key(floor) collate "C", id);',
    ])
  })

  it('names new indexes in its name and in its first lines', () => {
    const { name: fileName, sql } = migrationOf(
      [rooms({ floor: text('Floor.') })],
      [rooms({ floor: text('Floor.', { filter: true }) })],
    )
    assert.equal(fileName, 'index-rooms-floor')
    assert.match(sql, /^-- Builds the index rooms_floor_idx\.\n-- Writes to rooms wait until the migration ends/m)
  })

  it('says in its first lines what it does and what waits', () => {
    const about = (before: readonly Resource[], after: readonly Resource[]): string[] =>
      migrationOf(before, after)
        .sql.split('\n')
        .filter((line) => line.startsWith('-- '))
        .map((line) => line.slice(3))
        .slice(2)
    const none = { storedTexts: { record: false, search: false } }
    const untilTheEnd =
      'wait until the migration ends: docs/operations.md ("Migrations that write a table again") says how long.'
    const status = state('Status.', { create: 'optional', default: 'open', values: ['open'] })
    assert.deepEqual(about([rooms({}, none)], [rooms({ status }, none)]), [
      'Adds the column rooms.status.',
      'Checks rooms_status_check_blank for every row.',
      'Checks rooms_status_check_length for every row.',
      'Builds the index rooms_status_idx.',
      'Builds the index rooms_search_text_idx.',
      'Counts the rows of rooms again.',
      `Reads of and writes to rooms ${untilTheEnd}`,
    ])
    const floor = { floor: text('Floor.', { filter: true }) }
    const within = reference('rooms', 'Room.', { within: 'floor', as: 'next' })
    assert.deepEqual(
      about([rooms(floor, none), desks(floor)], [rooms(floor, none), desks({ ...floor, next_id: within })]).filter(
        (line) => !/desks/.test(line),
      ),
      [
        'Drops the index rooms_floor_idx.',
        'Builds the index of rooms_floor_id_key.',
        `Reads of and writes to rooms ${untilTheEnd}`,
      ],
    )
    const kind = (value: string) => rooms({ kind: text('Kind.', { create: 'optional', default: value }) })
    assert.deepEqual(about([kind('a')], [kind('b')]), [
      'Sets the default of rooms.kind.',
      'Reads of and writes to rooms wait for a moment.',
    ])
    assert.deepEqual(about([rooms({})], [rooms({}), desks()]), [
      'Adds the table desks.',
      'Writes to rooms wait for a moment.',
    ])
  })

  it('records changes of tracked fields, and replaces the functions that read them', () => {
    const untracked = rooms({ floor: text('Floor.') })
    const tracked = rooms({ floor: text('Floor.', { history: true }) })
    const { sql } = migrationOf([untracked], [tracked])
    assert.match(
      sql,
      /^-- expands\n(?:-- .*\n)*-- Records changes of rooms \(floor\)\.\n-- Writes to rooms wait for a moment\./,
    )
    assert.ok(
      sql.includes(
        `select public.muster_track_history('rooms', 'rooms', array['floor']::text[], array[null]::text[]);`,
      ),
    )
    assert.doesNotMatch(sql, /drop function/)
    const both = rooms({ floor: text('Floor.', { history: true }), seats: integer('Seats.', { history: true }) })
    assert.match(
      migrationOf([tracked], [both]).sql,
      /drop function public\.muster_versions_rooms\(\);\ndrop function public\.muster_values_on_rooms\(date\);\n(?:.*\n)*create function public\.muster_versions_rooms\(\)\nreturns table \(.*, floor text, seats bigint\)/,
    )
    assert.match(String(refusals([tracked], [untracked])), /rooms\.floor has no history any more/)
  })

  it('is not compatible with the previous release if that would show a first personal field', () => {
    const guestRooms = (fields: Fields) =>
      rooms({ guest_id: reference('rooms', 'Guest.'), ...fields }, { personOf: 'guest_id' })
    const withNotes = (personal: readonly string[]) =>
      guestRooms(Object.fromEntries(personal.map((field) => [field, text('Notes.', { personal: true })])))
    assert.doesNotMatch(migrationOf([guestRooms({})], [withNotes(['notes'])]).sql, /^-- expands/)
    assert.match(migrationOf([guestRooms({})], [withNotes(['notes'])]).sql, /would show them: stop it first/)
    assert.match(migrationOf([withNotes(['notes'])], [withNotes(['notes', 'remarks'])]).sql, /^-- expands/)
    const withNumber = { size: number('Size.', { personal: true }) }
    const withBoth = { ...withNumber, notes: text('Notes.', { personal: true }) }
    assert.doesNotMatch(migrationOf([guestRooms(withNumber)], [guestRooms(withBoth)]).sql, /^-- expands/)
  })

  it('writes references when all tables have the keys that they need', () => {
    const within = desks({
      next_room_id: reference('rooms', 'Room next door.', { within: 'floor' }),
      floor: text('Floor.'),
    })
    const { sql } = migrationOf([rooms({ floor: text('Floor.') }), desks()], [rooms({ floor: text('Floor.') }), within])
    const key = sql.indexOf('add constraint rooms_floor_id_key unique (floor, id)')
    assert.ok(key > 0 && key < sql.indexOf('foreign key (floor, next_room_id) references rooms (floor, id)'), sql)
  })

  it('sets a default that is a time after it added the field, so existing records have none', () => {
    const opened = date('Day.', { create: 'optional', today: true })
    const { sql } = migrationOf([rooms({})], [rooms({ opened })])
    assert.match(sql, /add column opened date,\n/)
    assert.match(sql, /;\n\nalter table rooms\n {2}alter column opened set default \(now\(/)
  })

  it('refuses a default that can make creates of the previous release violate a constraint', () => {
    const built = date('Day.', { create: 'optional' })
    const dated = { ...built, notBefore: 'built_on' }
    const check = /^The constraint rooms_opened_check_order includes rooms\.opened, whose default also fills records/
    // A new field, and an existing one that had no default.
    for (const before of [{ built_on: built }, { built_on: built, opened: dated }])
      assert.match(
        refusals([rooms(before)], [rooms({ built_on: built, opened: { ...dated, today: true } })]).join('\n'),
        check,
      )
    const key = (opened: Field) => ({ ...rooms({ opened }), unique: [['name', 'opened']] })
    assert.match(
      refusals([rooms({})], [key({ ...built, today: true })]).join('\n'),
      /^The constraint rooms_name_opened_key includes rooms\.opened/,
    )
    assert.match(migrationOf([rooms({})], [key(built)]).sql, /^-- expands/)
    // In creates of the previous release the day of construction is null.
    const both = rooms({ built_on: built, opened: { ...dated, today: true } })
    assert.match(migrationOf([rooms({})], [both]).sql, /^-- expands/)
  })

  it('changes a default, and makes references deferrable that become part of a cycle', () => {
    const kind = (value: string) => rooms({ kind: text('Kind.', { create: 'optional', default: value }) })
    assert.match(migrationOf([kind('a')], [kind('b')]).sql, /alter column kind set default 'b'/)
    const { sql } = migrationOf(
      [rooms({}), desks()],
      [rooms({ best_desk_id: reference('desks', 'Best desk.') }), desks()],
    )
    assert.match(sql, /alter table desks\n {2}alter constraint desks_room_id_fkey deferrable;/)
    assert.match(sql, /add constraint rooms_best_desk_id_fkey foreign key \(best_desk_id\) references desks deferrable/)
  })

  it('is not compatible with the previous release if a stored text is no longer stored', () => {
    const { sql } = migrationOf([rooms({})], [rooms({}, { storedTexts: { record: false, search: true } })])
    assert.doesNotMatch(sql, /^-- expands/)
    assert.match(sql, /drop column record_json/)
    assert.match(sql, /^-- The previous release reads rooms\.record_json: stop it first\.$/m)
  })

  it('refuses a renamed field', () => {
    assert.deepEqual(refusals([rooms({ floor: text('Floor.') })], [rooms({ level: text('Floor.') })]), [
      'rooms.floor is no longer declared: was it renamed or removed? That could lose its values. Write the migration by hand (docs/adding-a-resource.md).',
    ])
  })

  it('refuses a field with another type', () => {
    assert.deepEqual(refusals([rooms({ floor: text('Floor.') })], [rooms({ floor: integer('Floor.') })]), [
      'rooms.floor is "bigint" instead of "text", which stored values may not allow. Write the migration by hand (docs/adding-a-resource.md).',
    ])
  })

  it('refuses a required field without a default, a removed resource, filter or state, and a new constraint', () => {
    const sentences = (before: Resource[], after: Resource[]) => refusals(before, after).join('\n')
    assert.match(
      sentences([rooms({})], [rooms({ opened: date('Day.', { required: true }) })]),
      /rooms\.opened is required and has no default that is right for existing records/,
    )
    assert.match(sentences([rooms({})], []), /The table rooms is no longer declared/)
    assert.match(
      sentences([rooms({ floor: text('Floor.', { filter: true }) })], [rooms({ floor: text('Floor.') })]),
      /The index rooms_floor_idx is no longer declared/,
    )
    const withStatus = { status: state('Status.', { create: 'optional', default: 'open', values: ['open'] }) }
    const withText = { status: text('Status.', { required: true, create: 'optional', default: 'open', filter: true }) }
    assert.match(sentences([rooms(withStatus)], [rooms(withText)]), /rooms\.status is no longer a state/)
    assert.match(
      sentences([rooms({})], [{ ...rooms({}), unique: [['name']] }]),
      /The constraint rooms_name_key was added, changed or removed/,
    )
    const kind = text('Kind.', { create: 'optional', default: 'a' })
    assert.match(
      sentences([rooms({})], [{ ...rooms({ kind }), unique: [['kind']] }]),
      /The constraint rooms_kind_key was added/,
    )
    // The check of a_b is new, although a is a new field too.
    assert.match(
      sentences(
        [rooms({ a_b: text('Text.') })],
        [rooms({ a: text('Text.'), a_b: text('Text.', { create: 'optional' }) })],
      ),
      /The constraint rooms_a_b_check_length was added/,
    )
    assert.match(
      sentences([rooms({})], [rooms({ created: timestamp('Time.', { required: true, now: true }) })]),
      /rooms\.created is required and has no default that is right for existing records/,
    )
    assert.match(
      sentences([rooms({ secret: alwaysNull('Null.') })], [rooms({})]),
      /rooms\.secret is no longer declared/,
    )
  })

  it('refuses names in the database that PostgreSQL would cut', () => {
    const fieldName = 'x'.repeat(50)
    assert.throws(
      () => storageOf([rooms({ [fieldName]: text('Text.', { create: 'optional' }) })]),
      /rooms: the name rooms_x+_check_length in the database has more than 63 characters/,
    )
  })
})

const desks = (fields: Fields = {}): Resource =>
  resource({
    path: 'desks',
    table: 'desks',
    schema: 'Desk',
    operationSingular: 'Desk',
    operationPlural: 'Desks',
    title: 'desk',
    titles: 'desks',
    area: 'Enterprise',
    about: 'Desks.',
    naturalKey: ['id'],
    fields: {
      id: id(),
      room_id: reference('rooms', 'Room.'),
      status: state('Status.', { create: 'optional', default: 'free', values: ['free', 'taken'] }),
      ...fields,
    },
  })
