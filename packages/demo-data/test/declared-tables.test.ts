import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Fields, Resource } from '@muster/model'
import {
  color,
  date,
  domain,
  id,
  integer,
  json,
  maxLengths,
  name,
  number,
  reference,
  resource,
  resources,
  state,
  text,
  timestamp,
  url,
  word,
} from '@muster/model'
import { formatDay, isCalendarDay, parseDay } from '../src/calendar.ts'
import { makeCompany } from '../src/company/company.ts'
import { foundingDay } from '../src/company/growth.ts'
import type { Plan } from '../src/plan.ts'
import { makePlan } from '../src/plan.ts'
import { FICTION_PATTERN } from '../src/vocabulary/phones.ts'

const declare = (
  path: string,
  fields: Fields,
  options: Partial<Pick<Resource, 'unique' | 'naturalKey' | 'personOf'>> = {},
): Resource =>
  resource({
    path,
    table: path.replaceAll('-', '_'),
    schema: path,
    operationSingular: path,
    operationPlural: path,
    title: path.replace(/s$/, ''),
    titles: path,
    area: 'Recruiting',
    about: '',
    naturalKey: ['id'],
    ...options,
    fields: { id: id(), ...fields },
  })

const results = ['planned', 'passed', 'failed', 'cancelled'] as const
const channels = ['call', 'video', 'office'] as const
const interviews = declare(
  'interviews',
  {
    application_id: reference('applications', '', { required: true, create: 'required' }),
    interviewer_id: reference('employees', '', { create: 'optional' }),
    earlier_id: reference('interviews', '', { create: 'optional' }),
    slug: word('', { required: true, create: 'required', filter: true }),
    room: word('', { create: 'optional' }),
    title: name('', { required: true, create: 'required' }),
    language: word('', { required: true, create: 'optional', default: 'en' }),
    result: state('', { create: 'optional', default: 'planned', values: results }),
    channel: text('', { create: 'optional', values: channels }),
    ended_on: date('', { create: 'optional', notBefore: 'held_on' }),
    held_on: date('', { required: true, create: 'required' }),
    asked_on: date('', { create: 'optional', today: true }),
    guest: name('', { create: 'optional', personal: true }),
    guest_email: text('', { create: 'optional', personal: true }),
    guest_phone: text('', { create: 'optional', personal: true }),
    notes: text('', { create: 'optional', personal: true }),
    hours: number('', { create: 'optional' }),
    round: integer('', { required: true, create: 'optional', default: 1 }),
    is_remote: integer('', { required: true, create: 'optional', default: 0 }),
    details_json: json('', { create: 'optional' }),
    recording_url: url('', { create: 'optional' }),
    label_color: color('', { required: true, create: 'optional', default: '#1f2937' }),
    host: domain('', { create: 'optional' }),
    created: timestamp('', { required: true }),
    updated: timestamp('', { required: true }),
  },
  { unique: [['slug'], ['application_id', 'round']], naturalKey: ['slug'], personOf: 'application_id' },
)

const planOf = (seed: string, employees = 250): Plan =>
  makePlan({ size: 'small', employees, seed, asOf: parseDay('2026-10-30') })

type Cells = Readonly<Record<string, string | null>>

/** The rows of the table of `wanted` in a company with these resources besides the real ones. */
const rowsOf = (wanted: Resource, added: readonly Resource[] = [wanted], plan = planOf('one')): readonly Cells[] => {
  const declared = [...resources.filter(({ path }) => added.every((one) => one.path !== path)), ...added]
  const table = makeCompany(plan, declared).find((one) => one.name === wanted.table)
  assert.ok(table)
  const lines = [...table.chunks()].flatMap(({ bytes }) => bytes.toString().slice(0, -1).split('\n'))
  assert.equal(lines.length, table.rowCount)
  return lines.map((line) => {
    const cells = line.split('\t')
    assert.equal(cells.length, table.columns.length)
    return Object.fromEntries(
      table.columns.map((column, index) => [column, cells[index] === '\\N' ? null : cells[index]]),
    )
  }) as readonly Cells[]
}

const valuesOf = (rows: readonly Cells[], field: string): string[] =>
  rows.flatMap((row) => (row[field] === null ? [] : [row[field] as string]))

suite('rows made from a declaration', () => {
  const rows = rowsOf(interviews)
  const plan = planOf('one')

  test('have one column per stored field, and ids from 1', () => {
    assert.deepEqual(
      Object.keys(rows[0] ?? {}),
      interviews.storedFields.map((field) => field.name),
    )
    assert.deepEqual(
      valuesOf(rows, 'id'),
      rows.map((_, index) => String(index + 1)),
    )
  })

  test('are half as many as those of the largest table they refer to', () => {
    assert.equal(rows.length, 450)
    assert.equal(rowsOf(interviews, [interviews], planOf('one', 125)).length, 225)
  })

  test('are not null in required fields, and sometimes in optional ones', () => {
    const optional = ['interviewer_id', 'room', 'ended_on', 'guest', 'guest_email', 'notes', 'hours', 'recording_url']
    for (const { name: field, required } of interviews.storedFields)
      if (required) assert.equal(valuesOf(rows, field).length, rows.length, field)
    for (const field of optional) {
      const share = valuesOf(rows, field).length / rows.length
      assert.ok(share > 0.7 && share < 0.95, `${field}: ${share}`)
    }
  })

  test('refer to existing rows, evenly, and to earlier ones of the same table', () => {
    for (const [field, count] of [['application_id', 900] as const, ['interviewer_id', 250] as const]) {
      const quarters = [0, 0, 0, 0]
      const ids = valuesOf(rows, field).map(Number)
      for (const one of ids) {
        assert.ok(Number.isInteger(one) && one >= 1 && one <= count, `${field}: ${one}`)
        const quarter = Math.floor(((one - 1) / count) * 4)
        quarters[quarter] = (quarters[quarter] ?? 0) + 1
      }
      for (const inQuarter of quarters)
        assert.ok(Math.abs(inQuarter / ids.length - 0.25) < 0.07, `${field}: ${quarters}`)
    }
    assert.ok(valuesOf(rows, 'earlier_id').length > 300)
    for (const row of rows)
      if (row.earlier_id !== null) assert.ok(Number(row.earlier_id) < Number(row.id), JSON.stringify(row))
  })

  test('have every suggested value, and no other, also in optional fields', () => {
    assert.deepEqual(new Set(rows.map(({ result }) => result)), new Set(results))
    assert.deepEqual(new Set(rows.map(({ channel }) => channel)), new Set(channels))
  })

  test('have different values in unique constraints', () => {
    assert.equal(new Set(valuesOf(rows, 'slug')).size, rows.length)
    assert.equal(new Set(rows.map((row) => `${row.application_id}/${row.round}`)).size, rows.length)
  })

  test('have dates in order, within the time of the company', () => {
    for (const row of rows) {
      for (const field of ['held_on', 'ended_on', 'asked_on'] as const) {
        const day = row[field] ?? null
        if (day === null) continue
        assert.ok(isCalendarDay(day), day)
        assert.ok(day <= '2026-10-30' && day > formatDay(foundingDay(plan)), day)
      }
      if (row.ended_on !== null) assert.ok((row.ended_on as string) >= (row.held_on as string), JSON.stringify(row))
      assert.match(row.created as string, /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\+00$/)
      assert.ok((row.created as string) <= (row.updated as string) && (row.updated as string) < '2026-10-31')
    }
    assert.deepEqual(
      valuesOf(rows, 'asked_on'),
      rows.map(({ created }) => created?.slice(0, 10)),
    )
    assert.deepEqual(valuesOf(rows, 'asked_on').toSorted(), valuesOf(rows, 'asked_on'))
    assert.ok(new Set(valuesOf(rows, 'held_on')).size > 200)
  })

  test('have values of their kind', () => {
    const patterns: Record<string, RegExp> = {
      slug: /^interview-\d+$/,
      room: /^room-\d+$/,
      title: /^Title \d+$/,
      language: /^en$/,
      guest: /^\D+ \D+$/u,
      guest_email: /^[a-z]+\.[a-z]+\.\d+@example\.com$/,
      guest_phone: new RegExp(FICTION_PATTERN),
      notes: /^[A-Z].*\.$/,
      hours: /^([1-9]|1\d|20|0)(\.5)?$|^20$/,
      round: /^([1-9]|10)$/,
      is_remote: /^[01]$/,
      recording_url: /^https:\/\/assets\.example\.com\/interviews\/\d+$/,
      label_color: /^#[0-9a-f]{6}$/,
      host: /^host-\d+\.example$/,
    }
    for (const [field, pattern] of Object.entries(patterns)) {
      const values = valuesOf(rows, field)
      for (const value of values) {
        assert.match(value, pattern, field)
        assert.ok(value.length <= maxLengths.word, field)
      }
      assert.ok(new Set(values).size > 1 || field === 'language', field)
    }
    for (const value of valuesOf(rows, 'details_json')) assert.equal(typeof JSON.parse(value), 'object')
    for (const [field, standard] of [['label_color', '#1f2937'] as const, ['round', '1'] as const]) {
      const count = valuesOf(rows, field).filter((value) => value === standard).length
      assert.ok(count > rows.length / 3 && count < rows.length, `the default of ${field} occurs ${count} times`)
    }
  })

  test('are the same for the same seed, and differ for another seed in every field that can differ', () => {
    assert.deepEqual(rowsOf(interviews), rows)
    const otherRows = rowsOf(interviews, [interviews], planOf('two'))
    for (const { name: field } of interviews.storedFields)
      if (field !== 'id' && field !== 'language')
        assert.notDeepEqual(
          otherRows.map((row) => row[field]),
          rows.map((row) => row[field]),
          field,
        )
  })

  test('do not depend on other fields of the resource', () => {
    const { fields, ...rest } = interviews
    const { hours: _hours, ...otherFields } = fields
    const withoutHours = resource({ ...rest, fields: otherFields })
    assert.deepEqual(
      rowsOf(withoutHours),
      rows.map(({ hours: _, ...row }) => row),
    )
  })
})

suite('tables made from declarations', () => {
  const rooms = declare('rooms', { name: name('', { required: true }) }, { naturalKey: ['name'] })
  const bookings = declare('bookings', { room_id: reference('rooms', '', { required: true }) })

  test('come after the tables they refer to, in any order of declaration', () => {
    const names = makeCompany(planOf('one'), [bookings, ...resources, rooms]).map((table) => table.name)
    assert.deepEqual(names.slice(-3), ['rooms', 'bookings', 'history'])
    const roomCount = rowsOf(rooms).length
    for (const row of rowsOf(bookings, [bookings, rooms]))
      assert.ok(Number(row.room_id) >= 1 && Number(row.room_id) <= roomCount)
  })

  test('cannot refer to each other', () => {
    const keys = declare('keys', { door_id: reference('doors', '') })
    const doors = declare('doors', { key_id: reference('keys', '') })
    assert.throws(
      () => makeCompany(planOf('one'), [...resources, keys, doors]),
      /keys and doors refer to each other: write the table keys in .*company\.ts/,
    )
  })

  test('have at most half of the possible keys, but at least one and every suggested value', () => {
    const contracts = declare(
      'contracts',
      { employee_id: reference('employees', ''), application_id: reference('applications', '') },
      { unique: [['employee_id']] },
    )
    const rows = rowsOf(contracts)
    assert.equal(rows.length, 125)
    assert.equal(new Set(valuesOf(rows, 'employee_id')).size, 125)
    const levels = declare('levels', { level: state('', { values: results }) }, { unique: [['level']] })
    assert.deepEqual(valuesOf(rowsOf(levels), 'level'), [...results])
    const language = word('', { required: true, create: 'optional', default: 'en' })
    assert.equal(rowsOf(declare('languages', { language }, { unique: [['language']] })).length, 1)
  })

  test('cannot have more suggested values than different keys', () => {
    const badges = declare(
      'badges',
      { color: state('', { values: ['red'] }), size: state('', { values: ['small', 'large'] }) },
      { unique: [['color']] },
    )
    assert.throws(() => rowsOf(badges), /badges has too few different keys for 2 rows: write the table badges/)
  })

  test('have at most four rows per employee, at least 20, and half as many as employees without references', () => {
    const visits = declare('visits', { attendance_id: reference('attendance', '') })
    assert.equal(rowsOf(visits).length, 1000)
    const depots = rowsOf(declare('depots', { organization_id: reference('organizations', '', { required: true }) }))
    assert.equal(depots.length, 20)
    assert.deepEqual(new Set(valuesOf(depots, 'organization_id')), new Set(['1', '2']))
    assert.equal(rowsOf(rooms).length, 125)
  })

  test('cannot refer to records of the same organization, which the declaration does not tell', () => {
    const within = (required: boolean) =>
      declare('desks', {
        organization_id: reference('organizations', '', { required: true }),
        team_id: reference('organization-teams', '', { within: 'organization_id', required }),
      })
    assert.deepEqual(valuesOf(rowsOf(within(false)), 'team_id'), [])
    assert.throws(() => rowsOf(within(true)), /desks\.team_id cannot be chosen from the declaration/)
  })
})

suite('fields that a generator does not write', () => {
  const employees = resources.find(({ path }) => path === 'employees') as Resource
  const extended = resource({
    ...employees,
    fields: {
      ...employees.fields,
      contract_end: date('', { notBefore: 'date_of_joining' }),
      shirt_size: text('', { filter: true, values: ['small', 'large'] }),
      badge: word('', { required: true }),
      office_id: reference('organizations', ''),
      checked_on: date(''),
    },
    // Most employees have no candidate, and null equals nothing.
    unique: [['badge'], ['candidate_id', 'shirt_size']],
  })
  const rows = rowsOf(extended)

  test('leave the other fields as they are', () => {
    const before = rowsOf(employees)
    assert.deepEqual(
      rows.map(
        ({ contract_end: _end, shirt_size: _size, badge: _badge, office_id: _office, checked_on: _on, ...row }) => row,
      ),
      before,
    )
  })

  test('follow from their declaration and from the other fields', () => {
    assert.deepEqual(new Set(valuesOf(rows, 'shirt_size')), new Set(['small', 'large']))
    assert.equal(new Set(valuesOf(rows, 'badge')).size, rows.length)
    assert.ok(valuesOf(rows, 'contract_end').length > 150)
    for (const day of valuesOf(rows, 'checked_on')) assert.ok(day <= '2026-10-30', day)
    for (const row of rows)
      if (row.contract_end !== null) assert.ok((row.contract_end as string) >= (row.date_of_joining as string))
  })

  test('are null if they refer to a table that is written later', () => {
    assert.deepEqual(valuesOf(rows, 'office_id'), [])
  })
})
