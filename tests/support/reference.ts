/** Reference implementation of reads: builds responses in plain TypeScript from the rows of the tables. */
import { Client } from 'pg'
import type { Field, Resource } from '../contract/contract.ts'
import { contractOf, fieldsOf, relationsOf, resources } from '../contract/contract.ts'

export type Value = string | number | null | Row
export interface Row {
  readonly [name: string]: Value
}

export interface Rows {
  /** Every row of the resource, ordered by id. */
  of(resource: Resource): readonly Row[]
}

export interface ReadRequest {
  readonly resource: Resource
  readonly view: 'full' | 'redacted'
  /** Names of the requested fields. An empty list means all fields. */
  readonly fields: readonly string[]
  /** Names of the requested related records. */
  readonly expand: readonly string[]
}

export interface PageRequest extends ReadRequest {
  readonly limit: number
  readonly offset: number
}

/** What a read without a token must return instead of a personal value: null, where the contract allows it. */
export const redactedValue = (nullable: boolean): Value => (nullable ? null : 'withheld')

export const expectedPageText = (rows: Rows, request: PageRequest): string => {
  const resourceRows = rows.of(request.resource)
  const data = resourceRows
    .slice(request.offset, request.offset + request.limit)
    .map((row) => projectedRecord(rows, request, row))
  return JSON.stringify({ data, meta: { total: resourceRows.length, limit: request.limit, offset: request.offset } })
}

/** The body of a get. Undefined if there is no such record. */
export const expectedRecordText = (rows: Rows, request: ReadRequest, id: number): string | undefined => {
  const row = findRow(rows.of(request.resource), id)
  return row && JSON.stringify(projectedRecord(rows, request, row))
}

const rowsById = new WeakMap<readonly Row[], ReadonlyMap<Value | undefined, Row>>()

const findRow = (rows: readonly Row[], id: Value | undefined): Row | undefined => {
  const byId = rowsById.get(rows) ?? new Map(rows.map((row) => [row.id, row]))
  rowsById.set(rows, byId)
  return id === null ? undefined : byId.get(id)
}

/** The fields come in declaration order, whatever their order in the query. Related records come last. */
export const projectedRecord = (rows: Rows, { resource, view, fields, expand }: ReadRequest, row: Row): Row => {
  const ownFields = fieldsOf(resource).filter(({ field }) => fields.length === 0 || fields.includes(field))
  const expandedRelations = relationsOf(resource).filter(({ name }) => expand.includes(name))
  return Object.fromEntries([
    ...ownFields.map((each) => [each.field, valueFor(each, view, row)]),
    ...expandedRelations.map(({ name, field, target }) => {
      const relatedRow = findRow(rows.of(target), row[field])
      return [
        name,
        relatedRow ? projectedRecord(rows, { resource: target, view, fields: [], expand: [] }, relatedRow) : null,
      ]
    }),
  ])
}

const valueFor = ({ field, nullable, personal }: Field, view: ReadRequest['view'], row: Row): Value =>
  view === 'redacted' && personal ? redactedValue(nullable) : (row[field] ?? null)

export const readRows = async (url: string): Promise<Rows> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set timezone to 'UTC'")
    const readResource = async (resource: Resource) => {
      const { rows } = await client.query(
        `select row_to_json(stored) as row from ${contractOf(resource).table} stored order by id`,
      )
      return rows.map(({ row }) => toResponseRow(fieldsOf(resource), row))
    }
    const rowsByResource = new Map<Resource, readonly Row[]>()
    for (const resource of resources) rowsByResource.set(resource, await readResource(resource))
    return { of: (resource) => rowsByResource.get(resource) ?? [] }
  } finally {
    await client.end()
  }
}

const toResponseRow = (fields: readonly Field[], storedRow: Row): Row =>
  Object.fromEntries(
    fields.map(({ field, kind }) => [
      field,
      kind === 'timestamp' ? timestampText(storedRow[field]) : (storedRow[field] ?? null),
    ]),
  )

/** PostgreSQL writes the UTC offset as +00:00, the API writes Z. */
const timestampText = (value: Value | undefined): Value =>
  typeof value === 'string' ? value.replace(/\+00:00$/, 'Z') : null
