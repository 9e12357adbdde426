// Builds valid create bodies from the samples of the contract, never the same slug twice.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type Field, markerFieldOf, type Resource, readOnly, writableFieldsOf } from '../contract/contract.ts'
import { type Answer, object, post, type Row } from './http.ts'
import { firstRow, total } from './pages.ts'

/** A word found nowhere else: letters and digits only, so that q and slugs take it as it is. */
export function mark(): string {
  return `zq${randomBytes(8).toString('hex')}`
}

/** Text that neither a database page nor an index entry can compress. */
export function noise(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}

const anchors = new Map<Resource, Promise<Row>>()

/** The id of a record that references may lead to: a seeded one where nothing can be created, an own one elsewhere. */
export async function anchor(resource: Resource): Promise<number> {
  const known = anchors.get(resource) ?? layAnchor(resource)
  anchors.set(resource, known)
  return (await known).id as number
}

async function layAnchor(resource: Resource): Promise<Row> {
  return readOnly.includes(resource) ? firstRow(resource) : created(resource, await minimalBody(resource))
}

async function bodyOf(fields: readonly Field[]): Promise<Row> {
  const body: Row = {}
  for (const { field, to, uniqueWithin, sample } of fields)
    body[field] = to === undefined ? (uniqueWithin === undefined ? sample : mark()) : await anchor(to)
  return body
}

/** A body with every writable field, in declared order. */
export function fullBody(resource: Resource): Promise<Row> {
  return bodyOf(writableFieldsOf(resource))
}

/** A body with the required fields alone. */
export function minimalBody(resource: Resource): Promise<Row> {
  return bodyOf(writableFieldsOf(resource).filter(({ create }) => create === 'required'))
}

/** A minimal body that carries a mark, by which the record can be found or be shown to be absent. */
export async function markedBody(resource: Resource, word: string): Promise<Row> {
  return { ...(await minimalBody(resource)), [markerFieldOf(resource)]: word }
}

/** How many records carry a mark. */
export function marked(resource: Resource, word: string): Promise<number> {
  return total(resource, { q: word })
}

export function expectCreated(answer: Answer): Row {
  assert.equal(answer.status, 201, answer.text.slice(0, 500))
  return object(answer)
}

export async function created(resource: Resource, body: Row | string): Promise<Row> {
  return expectCreated(await post(`/v1/${resource}`, body))
}

/** JSON text of a body in which one field carries a value written by hand, such as 1e400 or a lone surrogate. */
export function withLiteral(body: Row, field: string, literal: string): string {
  const others = Object.entries(body).filter(([name]) => name !== field)
  const members = others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${[...members, `${JSON.stringify(field)}:${literal}`].join(',')}}`
}
