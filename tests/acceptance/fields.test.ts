// Compares the fields of the hand-written contract with what the service answers and accepts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  creatable,
  type Field,
  type FieldKind,
  fieldsOf,
  type JsonType,
  type Resource,
  resources,
  writableFieldsOf,
} from '../contract/contract.ts'
import { created, expectCreated, fullBody, mark, marked, markedBody, minimalBody } from './bodies.ts'
import { get, object, post, type Row } from './http.ts'
import { found, page } from './pages.ts'
import { expectFaults } from './refusals.ts'

function expectShape(resource: Resource, row: Row): void {
  const fields = fieldsOf(resource)
  assert.deepEqual(
    Object.keys(row),
    fields.map(({ field }) => field),
  )
  const faults = fields.map((field) => errorOfValue(field, row[field.field])).filter((fault) => fault !== undefined)
  assert.deepEqual(faults, [], `record ${row.id}`)
}

/** The first, a middle and the last page. */
async function sampledPages(resource: Resource): Promise<Row[]> {
  const first = await page(resource, { limit: 200 })
  const { total } = first.meta
  const middle = await page(resource, { limit: 200, offset: Math.floor(total / 2) })
  const last = await page(resource, { limit: 200, offset: Math.max(0, total - 200) })
  return [...first.data, ...middle.data, ...last.data]
}

for (const resource of resources) {
  test(`every listed record of ${resource} has the declared fields in the declared order, each of its type`, async () => {
    const rows = await sampledPages(resource)
    assert.ok(rows.length > 0, 'the seeded data hold records')
    for (const row of rows) expectShape(resource, row)
  })

  test(`a single record of ${resource} has the shape of the list item, character by character`, async () => {
    const { data } = await page(resource, { limit: 200 })
    const picked = [data[0], data[Math.floor(data.length / 2)], data[data.length - 1]]
    for (const row of picked) {
      const listed = found(row, resource)
      const answer = await get(`/v1/${resource}/${listed.id}`)
      assert.equal(answer.status, 200)
      expectShape(resource, object(answer))
      assert.equal(answer.text, JSON.stringify(listed))
    }
  })
}

for (const { resource, field } of resources.flatMap(fieldsOf).filter(({ kind }) => kind === 'always null')) {
  test(`${field} is null in every record of ${resource}`, async () => {
    for (const row of await sampledPages(resource)) assert.equal(row[field], null)
  })
}

for (const resource of creatable) {
  const writable = writableFieldsOf(resource)

  for (const { field } of writable) {
    test(`a create of ${resource} takes ${field} and answers it as sent`, async () => {
      const body = { ...(await minimalBody(resource)), [field]: (await fullBody(resource))[field] }
      const row = await created(resource, body)
      expectShape(resource, row)
      assert.deepEqual(row[field], body[field])
    })
  }

  for (const { field, nullable, ...rest } of writable.filter(({ create }) => create === 'optional')) {
    const kept = nullable ? 'null' : `its default`
    test(`an explicit null for ${resource}.${field} is accepted and stored as ${kept}`, async () => {
      const row = await created(resource, { ...(await minimalBody(resource)), [field]: null })
      assert.equal(row[field], nullable ? null : found(rest.default, `default of ${field}`))
    })
  }

  for (const { field, type } of writable.filter(({ create }) => create === 'required')) {
    test(`null for the required ${resource}.${field} is refused`, async () => {
      const body = { ...(await minimalBody(resource)), [field]: null }
      const fault = { integer: 'int_type', number: 'float_type', string: 'string_type' }[type]
      expectFaults(await post(`/v1/${resource}`, body), [{ type: fault, loc: ['body', field] }])
    })

    test(`a create of ${resource} without ${field} is refused`, async () => {
      const { [field]: _, ...body } = await minimalBody(resource)
      expectFaults(await post(`/v1/${resource}`, body), [{ type: 'missing', loc: ['body', field] }])
    })
  }

  for (const field of fieldsOf(resource).filter(({ create }) => create === 'none')) {
    test(`${resource}.${field.field} cannot be written`, async () => {
      const word = mark()
      for (const value of [valueFor(field), null]) {
        const body = { ...(await markedBody(resource, word)), [field.field]: value }
        expectFaults(await post(`/v1/${resource}`, body), [{ type: 'extra_forbidden', loc: ['body', field.field] }])
      }
      assert.equal(await marked(resource, word), 0)
    })
  }

  test(`a create of ${resource} takes all its fields at once and answers them as sent`, async () => {
    const body = await fullBody(resource)
    assert.deepEqual(
      Object.keys(body),
      writable.map(({ field }) => field),
    )
    const row = expectCreated(await post(`/v1/${resource}`, body))
    expectShape(resource, row)
    for (const { field } of writable) assert.deepEqual(row[field], body[field], field)
  })
}

function valueFor(field: Field): unknown {
  if (field.type !== 'string') return 1
  return field.kind === 'timestamp' ? '2031-01-01T00:00:00Z' : 'text'
}

const dateFormat = /^\d{4}-\d{2}-\d{2}$/
// Fractional seconds appear only if they are not zero.
const timestampFormat = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d*[1-9]\d*)?Z$/

/** Describes what is wrong with a field value in a response. Undefined if the value is valid. */
function errorOfValue(field: Field, value: unknown): string | undefined {
  const name = `${field.resource}.${field.field}`
  if (value === undefined) return `${name} is absent`
  if (value === null) return field.nullable ? undefined : `${name} is null`
  if (!hasType(field.type, value)) return `${name} is not of type ${field.type}: ${JSON.stringify(value)}`
  return typeof value === 'string' && !hasKind(field.kind, value) ? `${name} is no ${field.kind}: ${value}` : undefined
}

function hasType(type: JsonType, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  return typeof value === type
}

function hasKind(kind: FieldKind, value: string): boolean {
  if (kind === 'date') return dateFormat.test(value) && isCalendarDay(value)
  if (kind === 'timestamp') return timestampFormat.test(value) && isCalendarDay(value.slice(0, 10))
  if (kind === 'json') return isJson(value)
  return true
}

function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
