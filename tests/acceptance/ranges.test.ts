// Covers the filters beside equality: lists of ids, ranges of days, moments and numbers, and what is null.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Field, fieldsOf, type Resource, readOnly, resources } from '../contract/contract.ts'
import { created, mark, markedBody } from './bodies.ts'
import { get, type Row } from './http.ts'
import { everyRow, found, ids, page, total } from './pages.ts'
import { type Entry, expectDetail, notAnInteger } from './refusals.ts'

const ranged = (resource: Resource): Field[] =>
  fieldsOf(resource).filter(({ kind }) => ['date', 'timestamp', 'number'].includes(kind))

const nullable = (resource: Resource): Field[] =>
  fieldsOf(resource).filter(({ kind, nullable }) => nullable && kind !== 'id' && kind !== 'always null')

/** Dates and moments as they are answered compare as texts once a moment has all of its digits. */
const comparable = (value: unknown): number | string =>
  typeof value === 'string' && value.endsWith('Z') ? value.slice(0, -1).padEnd(26, '.000000') : (value as number)

const middleOf = (rows: Row[], field: string): unknown => {
  const values = rows.map((row) => row[field]).filter((value) => value !== null)
  return values.toSorted((a, b) => (comparable(a) < comparable(b) ? -1 : 1))[Math.floor(values.length / 2)]
}

for (const resource of readOnly) {
  for (const { field } of ranged(resource)) {
    test(`${field}_from and ${field}_to on ${resource} leave what lies between, both ends included`, async () => {
      const rows = await everyRow(resource)
      const value = found(middleOf(rows, field), `value of ${field}`) as string | number
      const known = rows.filter((row) => row[field] !== null)
      const wanted = (holds: (each: number | string) => boolean) =>
        known.filter((row) => holds(comparable(row[field]))).length
      const middle = comparable(value)
      assert.equal(
        await total(resource, { [`${field}_from`]: value }),
        wanted((each) => each >= middle),
      )
      assert.equal(
        await total(resource, { [`${field}_to`]: value }),
        wanted((each) => each <= middle),
      )
      const both = { [`${field}_from`]: value, [`${field}_to`]: value, limit: 200 }
      const { data, meta } = await page(resource, both)
      assert.equal(
        meta.total,
        wanted((each) => each === middle),
      )
      for (const row of data) assert.equal(row[field], value)
    })
  }

  for (const { field } of nullable(resource)) {
    test(`${field}_is_null on ${resource} tells records with ${field} from those without`, async () => {
      const rows = await everyRow(resource)
      const without = rows.filter((row) => row[field] === null).length
      for (const yes of ['true', 'True', 'TRUE'])
        assert.equal(await total(resource, { [`${field}_is_null`]: yes }), without)
      assert.equal(await total(resource, { [`${field}_is_null`]: 'false' }), rows.length - without)
    })
  }
}

for (const resource of resources) {
  test(`id on ${resource} takes a list of ids`, async () => {
    const rows = (await page(resource, { limit: 200 })).data
    const [first, last] = [found(rows[0]?.id, 'id') as number, found(rows.at(-1)?.id, 'id') as number]
    assert.deepEqual(await ids(resource, { id: first }), [first])
    assert.deepEqual(await ids(resource, { id: `${last},${first},${first},9007199254740993` }), [
      ...new Set([first, last]),
    ])
    assert.deepEqual(await ids(resource, { id: ` ${last}` }), [last])
    const everything = await total(resource)
    for (const blank of ['', ' ', ',']) assert.ok((await total(resource, { id: blank })) >= everything)
    const many = Array.from({ length: 200 }, (_, at) => at + 1).join(',')
    assert.ok((await page(resource, { id: many, limit: 200 })).data.length > 0)
    expectDetail(await get(`/v1/${resource}?id=${many},201`), [
      {
        type: 'too_long',
        loc: ['query', 'id'],
        msg: 'List should have at most 200 items',
        input: `${many},201`,
        ctx: { max_length: 200 },
      },
    ])
    for (const input of ['abc', '1,x', '1.5', '1,,2', '1;2', 'null'])
      expectDetail(await get(`/v1/${resource}?id=${encodeURIComponent(input)}`), [notAnInteger('id', input)])
  })

  test(`filters on ${resource} refuse values of another type, and take blanks for nothing`, async () => {
    const everything = await total(resource)
    const entry = (name: string, type: string, msg: string, input: string): Entry => ({
      type,
      loc: ['query', name],
      msg,
      input,
    })
    for (const { field, kind } of ranged(resource)) {
      for (const name of [`${field}_from`, `${field}_to`]) {
        const wrong =
          kind === 'number'
            ? ['abc', '1,5', '0x10', '--1', '1e', 'true']
            : ['abc', '2026-02-29', '2026-1-1', '1', '2026-01-01T24:00']
        const [type, msg] = faults[kind as keyof typeof faults]
        for (const input of wrong)
          expectDetail(await get(`/v1/${resource}?${name}=${encodeURIComponent(input)}`), [
            entry(name, type, msg, input),
          ])
        assert.ok((await total(resource, { [name]: ' ' })) >= everything)
      }
    }
    for (const { field } of nullable(resource)) {
      const name = `${field}_is_null`
      for (const input of ['1', 'yes', 'null', 'truefalse'])
        expectDetail(await get(`/v1/${resource}?${name}=${input}`), [
          entry(name, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input', input),
        ])
      assert.ok((await total(resource, { [name]: '' })) >= everything)
    }
  })
}

const faults = {
  number: ['float_parsing', 'Input should be a valid number, unable to parse string as a number'],
  date: ['date_parsing', 'Input should be a valid date: YYYY-MM-DD, or a date-time whose day is taken'],
  timestamp: ['datetime_parsing', 'Input should be a valid date-time: RFC 3339, or YYYY-MM-DD for midnight UTC'],
} as const

test('a number that is none of the real ones is refused as such', async () => {
  for (const input of ['inf', '-Infinity', 'NaN', '1e999'])
    expectDetail(await get(`/v1/attendance?hours_from=${input}`), [
      { type: 'finite_number', loc: ['query', 'hours_from'], msg: 'Input should be a finite number', input },
    ])
})

test('numbers are taken in any of their spellings', async () => {
  const plain = await total('attendance', { hours_from: 8 })
  for (const spelling of ['8.0', '+8', '08', ' 8 ', '0.8e1', '80E-1', '8.'])
    assert.equal(await total('attendance', { hours_from: spelling }), plain, spelling)
})

test('a day as the upper end of moments is meant whole, a moment to the microsecond', async () => {
  const word = mark()
  const made = async (published_at: string) =>
    (
      await created('job-distributions', {
        ...(await markedBody('job-distributions', `${word}${mark()}`)),
        published_at,
      })
    ).id
  const [midnight, noon, last, next] = [
    await made('2019-05-06'),
    await made('2019-05-06T12:00:00.000001Z'),
    await made('2019-05-06T23:59:59.999999Z'),
    await made('2019-05-07T00:00:00Z'),
  ]
  const between = (from: string, to: string) =>
    ids('job-distributions', { q: word, published_at_from: from, published_at_to: to })
  assert.deepEqual(await between('2019-05-06', '2019-05-06'), [midnight, noon, last])
  assert.deepEqual(await between('2019-05-06T00:00:00.000001Z', '2019-05-07T00:00:00Z'), [noon, last, next])
  assert.deepEqual(await between('2019-05-06T12:00:00.000001Z', '2019-05-06T12:00:00.000001Z'), [noon])
  assert.deepEqual(await between('2019-05-06T14:00:00.000001+02:00', '2019-05-06T14:00:00.000001+02:00'), [noon])
  assert.deepEqual(await between('2019-05-07', '2019-05-06'), [])
})

test('a day is taken from a date-time where the field is a day', async () => {
  const rows = await everyRow('attendance')
  const day = found(rows[0]?.att_date, 'day') as string
  const plain = await total('attendance', { att_date_from: day, att_date_to: day })
  assert.ok(plain > 0)
  assert.equal(
    await total('attendance', { att_date_from: `${day}T23:00:00-05:00`, att_date_to: `${day}T00:00:00Z` }),
    plain,
  )
})

test('ranges, nulls, ids and equality hold together', async () => {
  const rows = await everyRow('employees')
  const some = rows.filter((row) => row.date_of_joining !== null && row.manager_id !== null).slice(0, 40)
  const one = found(some[20], 'employee')
  const wanted = some.filter(
    (row) => String(row.date_of_joining) <= String(one.date_of_joining) && row.status === one.status,
  )
  assert.deepEqual(
    await ids('employees', {
      id: some.map((row) => row.id).join(','),
      date_of_joining_to: one.date_of_joining as string,
      status: one.status as string,
      manager_id_is_null: 'false',
    }),
    wanted.map((row) => row.id),
  )
})
