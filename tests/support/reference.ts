/** Reference implementation of reads: builds responses in plain TypeScript from the rows of the tables. */
import { Client } from 'pg'
import type { Field, Resource } from './field-table.ts'
import { fieldsOf, resources } from './field-table.ts'
import { relationTable } from './relation-table.ts'

export type { Resource } from './field-table.ts'
export { fieldsOf, resources } from './field-table.ts'
export { relationTable } from './relation-table.ts'

export type Value = string | number | null | Row
export interface Row {
  readonly [name: string]: Value
}

/** Every row of every resource, ordered by id. */
export type Rows = Readonly<Record<Resource, readonly Row[]>>

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

/** Fields whose values a read without a token must not return, written by hand. */
export const personalFields: Readonly<Partial<Record<Resource, readonly string[]>>> = {
  employees: ['first_name', 'last_name', 'email', 'gender', 'base_salary', 'probation_end', 'termination_date'],
  candidates: [
    ...['first_name', 'last_name', 'email', 'phone', 'location', 'current_employer', 'linkedin_url', 'notes'],
  ],
  leave: ['leave_type', 'reason'],
  applications: ['rating', 'rejection_reason'],
}

/** What a read without a token must return instead of a personal value: null, where the contract allows it. */
export const redactedValueOf = (field: string): Value => (field === 'leave_type' ? 'withheld' : null)

export const expectedPageText = (rows: Rows, request: PageRequest): string => {
  const resourceRows = rows[request.resource]
  const data = resourceRows
    .slice(request.offset, request.offset + request.limit)
    .map((row) => projectedRecord(rows, request, row))
  return JSON.stringify({ data, meta: { total: resourceRows.length, limit: request.limit, offset: request.offset } })
}

/** The body of a get. Undefined if there is no such record. */
export const expectedRecordText = (rows: Rows, request: ReadRequest, id: number): string | undefined => {
  const row = findRow(rows[request.resource], id)
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
  const expandedRelations = relationTable[resource].filter(({ name }) => expand.includes(name))
  return Object.fromEntries([
    ...ownFields.map(({ field }) => [field, valueFor(resource, view, field, row)]),
    ...expandedRelations.map(({ name, field, target }) => {
      const relatedRow = findRow(rows[target], row[field])
      return [
        name,
        relatedRow ? projectedRecord(rows, { resource: target, view, fields: [], expand: [] }, relatedRow) : null,
      ]
    }),
  ])
}

const valueFor = (resource: Resource, view: ReadRequest['view'], field: string, row: Row): Value =>
  view === 'redacted' && personalFields[resource]?.includes(field) ? redactedValueOf(field) : (row[field] ?? null)

const tableNames: Readonly<Record<Resource, string>> = {
  employees: 'employees',
  departments: 'departments',
  leave: 'leave_requests',
  attendance: 'attendance',
  jobs: 'job_openings',
  candidates: 'candidates',
  applications: 'applications',
  organizations: 'organizations',
  brands: 'recruitment_brands',
  'career-sites': 'career_sites',
  'organization-teams': 'organization_teams',
  'job-distributions': 'job_distributions',
}

export const readRows = async (url: string): Promise<Rows> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set timezone to 'UTC'")
    const readResource = async (resource: Resource) => {
      const { rows } = await client.query(
        `select row_to_json(stored) as row from ${tableNames[resource]} stored order by id`,
      )
      return [resource, rows.map(({ row }) => toResponseRow(fieldsOf(resource), row))] as const
    }
    const entries: (readonly [Resource, Row[]])[] = []
    for (const resource of resources) entries.push(await readResource(resource))
    return Object.fromEntries(entries) as Record<Resource, Row[]>
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
