// Covers counts by group: exact, ordered, and narrowed as lists are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, readOnly } from '../contract/contract.ts'
import { created, mark, markedBody } from './bodies.ts'
import { get, object, type Row } from './http.ts'
import { everyRow } from './pages.ts'
import { expectDetail, expectEnvelope } from './refusals.ts'

type Counts = { data: Row[]; meta: { total: number; groups: number } }

async function counts(path: string): Promise<Counts> {
  const answer = await get(`/v1/counts/${path}`)
  assert.equal(answer.status, 200, answer.text.slice(0, 500))
  return object(answer) as Counts
}

/** What the records themselves say, the smallest value first and null last. */
function grouped(rows: Row[], name: string, groupOf: (row: Row) => unknown): Counts {
  const found = new Map<unknown, number>()
  for (const row of rows) found.set(groupOf(row), (found.get(groupOf(row)) ?? 0) + 1)
  const values = [...found.keys()].sort((a, b) => {
    if (a === null || b === null) return a === null ? 1 : -1
    return typeof a === 'number' ? a - Number(b) : String(a) < String(b) ? -1 : 1
  })
  return {
    data: values.map((value) => ({ [name]: value, count: found.get(value) })),
    meta: { total: rows.length, groups: found.size },
  }
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

function part(value: unknown, length: number): unknown {
  return typeof value === 'string' ? value.slice(0, length) : value
}

for (const resource of readOnly) {
  for (const { field } of fieldsOf(resource).filter(({ kind }) => kind === 'state')) {
    test(`${resource} by ${field} are the records of each`, async () => {
      const rows = await everyRow(resource)
      assert.deepEqual(
        await counts(`${resource}?by=${field}`),
        grouped(rows, field, (row) => lower(row[field])),
      )
    })
  }
}

test('departments by name are the records of each', async () => {
  const rows = await everyRow('departments')
  assert.deepEqual(
    await counts('departments?by=name'),
    grouped(rows, 'name', (row) => lower(row.name)),
  )
})

test('a reference, a month and a filter count as the records do', async () => {
  const rows = await everyRow('employees')
  assert.deepEqual(
    await counts('employees?by=dept_id'),
    grouped(rows, 'dept_id', (row) => row.dept_id),
  )
  assert.deepEqual(
    await counts('employees?by=month(date_of_joining)'),
    grouped(rows, 'month(date_of_joining)', (row) => part(row.date_of_joining, 7)),
  )
  const active = rows.filter((row) => lower(row.status) === 'active')
  assert.deepEqual(
    await counts('employees?by=year(date_of_joining)&status=active'),
    grouped(active, 'year(date_of_joining)', (row) => part(row.date_of_joining, 4)),
  )
})

test('two fields make a group for each pair, in the order of the first and then of the second', async () => {
  const { data, meta } = await counts('candidates?by=status,source')
  const rows = await everyRow('candidates')
  assert.equal(meta.total, rows.length)
  assert.equal(meta.groups, data.length)
  for (const { status, source, count } of data)
    assert.equal(count, rows.filter((row) => lower(row.status) === status && lower(row.source) === source).length)
  const keys = data.map(({ status, source }) => [status, source === null ? '\u{10ffff}' : source].join('\u0000'))
  assert.deepEqual(keys, [...keys].sort())
})

test('a record that was just created is counted', async () => {
  const word = mark()
  assert.deepEqual(await counts(`leave?by=status&q=${word}`), { data: [], meta: { total: 0, groups: 0 } })
  await created('leave', { ...(await markedBody('leave', word)), status: 'Pending' })
  assert.deepEqual(await counts(`leave?by=status&q=${word}`), {
    data: [{ status: 'pending', count: 1 }],
    meta: { total: 1, groups: 1 },
  })
})

test('a count that has not changed is not sent again', async () => {
  const { headers } = await get('/v1/counts/attendance?by=status')
  const again = await get('/v1/counts/attendance?by=status', { 'if-none-match': headers.get('etag') ?? '' })
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('a page of groups has its limit and offset, and the total of all groups', async () => {
  const all = await counts('employees?by=employment_type')
  for (const [query, limit, offset] of [
    ['limit=1', 1, 0],
    ['limit=2&offset=1', 2, 1],
    ['offset=1', 1000, 1],
    ['limit=1000&offset=99999', 1000, 99_999],
  ] as const) {
    assert.deepEqual(await counts(`employees?by=employment_type&${query}`), {
      data: all.data.slice(offset, offset + limit),
      meta: { ...all.meta, limit, offset },
    })
  }
})

test('a field of the related record counts as the records do', async () => {
  const employees = new Map((await everyRow('employees')).map((row) => [row.id, row]))
  const rows = await everyRow('attendance')
  assert.deepEqual(
    await counts('attendance?by=employee.dept_id'),
    grouped(rows, 'employee.dept_id', (row) => employees.get(row.employee_id)?.dept_id ?? null),
  )
  const filtered = rows.filter((row) => lower(employees.get(row.employee_id)?.status) === 'active')
  assert.deepEqual(
    await counts('attendance?by=status&employee.status=Active'),
    grouped(filtered, 'status', (row) => lower(row.status)),
  )
})

test('a count by nothing, and by what is not there, is refused', async () => {
  expectDetail(await get('/v1/counts/jobs'), [{ type: 'missing', loc: ['query', 'by'], msg: 'Field required' }])
  const { status, text } = await get('/v1/counts/jobs?by=description')
  assert.equal(status, 422)
  assert.equal(JSON.parse(text).detail[0].type, 'literal_error')
  expectEnvelope(await get('/v1/counts/nothing?by=status'), 404, 'not_found')
})
