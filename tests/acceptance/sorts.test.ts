// Covers sort: every field a list can be ordered by, forwards and backwards, ties, nulls, texts and refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Field, fieldsOf, type Resource, readOnly, resources } from '../contract/contract.ts'
import { created, mark, markedBody } from './bodies.ts'
import { get, type Row } from './http.ts'
import { everyRow, ids, page, walk } from './pages.ts'
import { expectDetail } from './refusals.ts'

const sortable = (resource: Resource): Field[] => fieldsOf(resource).filter(({ sorted }) => sorted)

const comparable = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  return /^\d{4}-.*Z$/.test(value) ? value.slice(0, -1).padEnd(26, '.000000') : value.toLowerCase()
}

const byCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Null counts as greater than every value. */
function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const [left, right] = [comparable(a), comparable(b)]
  if (typeof left === 'string') return byCodePoints(left, right as string)
  return (left as number) - (right as number)
}

function sorted(rows: Row[], field: string): unknown[] {
  return rows
    .toSorted((a, b) => compare(a[field], b[field]) || (a.id as number) - (b.id as number))
    .map((row) => row.id)
}

async function everyId(resource: Resource, sort: string): Promise<unknown[]> {
  return (await walk(resource, 200, { sort })).flatMap(({ data }) => data.map((row) => row.id))
}

for (const resource of readOnly) {
  for (const { field } of sortable(resource)) {
    test(`sort=${field} on ${resource} orders all records, completed by id, and -${field} turns them round`, async () => {
      const wanted = sorted(await everyRow(resource), field)
      assert.deepEqual(await everyId(resource, field), wanted)
      assert.deepEqual(await everyId(resource, `-${field}`), wanted.toReversed())
    })
  }
}

for (const resource of resources) {
  test(`sort on ${resource} takes every field that is declared for it, and no other`, async () => {
    for (const { field } of fieldsOf(resource)) {
      const isSortable = sortable(resource).some((each) => each.field === field)
      for (const sort of [field, `-${field}`]) {
        const answer = await get(`/v1/${resource}?sort=${sort}&limit=1`)
        assert.equal(answer.status, isSortable ? 200 : 422, `${sort}: ${answer.text.slice(0, 200)}`)
      }
    }
  })

  test(`sort on ${resource} refuses names it does not know and names it is given twice`, async () => {
    const expected = sortable(resource)
      .map(({ field }) => field)
      .join(', ')
    for (const input of ['nobody', 'id,nobody', 'ID', ' id', 'id desc', '--id', '-', 'id,,id'])
      expectDetail(await get(`/v1/${resource}?sort=${encodeURIComponent(input)}`), [
        {
          type: 'literal_error',
          loc: ['query', 'sort'],
          msg: `Input should be one of ${expected}`,
          input,
          ctx: { expected },
        },
      ])
    for (const input of ['id,id', 'id,-id'])
      expectDetail(await get(`/v1/${resource}?sort=${input}`), [
        { type: 'duplicate_item', loc: ['query', 'sort'], msg: 'Items should be unique', input },
      ])
  })

  test(`a blank sort on ${resource} is the order of the ids`, async () => {
    for (const sort of ['', ' ', ',', 'id']) {
      const found = await ids(resource, { sort, limit: 20 })
      assert.deepEqual(
        found,
        found.toSorted((a, b) => (a as number) - (b as number)),
      )
    }
  })
}

test('several fields sort one after the other, each in its own direction', async () => {
  const rows = await everyRow('employees')
  const wanted = rows.toSorted(
    (a, b) =>
      compare(a.status, b.status) ||
      -compare(a.date_of_joining, b.date_of_joining) ||
      (b.id as number) - (a.id as number),
  )
  const found = (await walk('employees', 50, { sort: 'status,-date_of_joining' })).flatMap(({ data }) => data)
  assert.deepEqual(found, wanted)
})

test('an id that is named completes the order in its own direction', async () => {
  const rows = await everyRow('employees')
  const wanted = rows.toSorted((a, b) => -compare(a.status, b.status) || (a.id as number) - (b.id as number))
  assert.deepEqual(
    await everyId('employees', '-status,id'),
    wanted.map((row) => row.id),
  )
})

test('an order holds for what a word and filters leave', async () => {
  const word = mark()
  const days = ['2019-03-01', '2019-01-01', null, '2019-02-01', '2019-01-01']
  const made: unknown[] = []
  for (const from_date of days)
    made.push((await created('leave', { ...(await markedBody('leave', word)), from_date, to_date: null })).id)
  const [march, january, without, february, again] = made
  assert.deepEqual(await ids('leave', { q: word, sort: 'from_date' }), [january, again, february, march, without])
  assert.deepEqual(await ids('leave', { q: word, sort: '-from_date' }), [without, march, february, again, january])
  assert.deepEqual(await ids('leave', { q: word, sort: '-from_date', from_date_to: '2019-02-01' }), [
    february,
    again,
    january,
  ])
  const { data, meta } = await page('leave', { q: word, sort: 'from_date', limit: 2, offset: 2 })
  assert.deepEqual([data.map((row) => row.id), meta.total], [[february, march], 5])
})

test('texts are sorted without case, by code points', async () => {
  const word = mark()
  const names = [`${word} b`, `${word} A`, `${word} Z`, `${word} a`, `${word} é`]
  const made: unknown[] = []
  for (const name of names)
    made.push((await created('organizations', { ...(await markedBody('organizations', mark())), name })).id)
  const [b, A, Z, a, accented] = made
  assert.deepEqual(await ids('organizations', { q: word, sort: 'name' }), [A, a, b, Z, accented])
})
