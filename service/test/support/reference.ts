/** In charge of saying what a read must answer: a second opinion in TypeScript, over the rows as the tables hold them. */
import { Client } from 'pg'
import type { Field, Resource } from '../../../acceptance/field-table.ts'
import { fieldsOf, resources } from '../../../acceptance/field-table.ts'
import { relationTable } from '../../../acceptance/relation-table.ts'

export type { Resource } from '../../../acceptance/field-table.ts'
export { fieldsOf, resources } from '../../../acceptance/field-table.ts'
export { relationTable } from '../../../acceptance/relation-table.ts'

export type Value = string | number | null | Row
export interface Row {
  readonly [name: string]: Value
}

/** Every row of every resource, in the order of the ids. */
export type Rows = Readonly<Record<Resource, readonly Row[]>>

export interface AskedRead {
  readonly resource: Resource
  readonly view: 'full' | 'redacted'
  /** Names of the fields that are asked for; none asked for all of them. */
  readonly fields: readonly string[]
  /** Names of the related records that are asked for. */
  readonly expand: readonly string[]
}

export interface AskedPage extends AskedRead {
  readonly limit: number
  readonly offset: number
}

/** Written by hand: what is not shown without a token. */
export const personalFields: Readonly<Partial<Record<Resource, readonly string[]>>> = {
  employees: ['first_name', 'last_name', 'email', 'gender', 'base_salary', 'probation_end', 'termination_date'],
  candidates: [
    ...['first_name', 'last_name', 'email', 'phone', 'location', 'current_employer', 'linkedin_url', 'notes'],
  ],
  leave: ['reason'],
  applications: ['rating', 'rejection_reason'],
}

/** The text of a page. */
export const pageText = (rows: Rows, asked: AskedPage): string => {
  const found = rows[asked.resource]
  const data = found.slice(asked.offset, asked.offset + asked.limit).map((row) => shapedRecord(rows, asked, row))
  return JSON.stringify({ data, meta: { total: found.length, limit: asked.limit, offset: asked.offset } })
}

/** The text of one record; undefined where there is none. */
export const recordText = (rows: Rows, asked: AskedRead, id: number): string | undefined => {
  const row = rows[asked.resource].find((each) => each.id === id)
  return row && JSON.stringify(shapedRecord(rows, asked, row))
}

/** In declared order, whatever the order they were asked in; what `expand` adds comes last. */
export const shapedRecord = (rows: Rows, { resource, view, fields, expand }: AskedRead, row: Row): Row => {
  const own = fieldsOf(resource).filter(({ field }) => fields.length === 0 || fields.includes(field))
  const related = relationTable[resource].filter(({ name }) => expand.includes(name))
  return Object.fromEntries([
    ...own.map(({ field }) => [field, shown(resource, view, field, row)]),
    ...related.map(({ name, field, target }) => {
      const found = rows[target].find(({ id }) => id !== null && id === row[field])
      return [name, found ? shapedRecord(rows, { resource: target, view, fields: [], expand: [] }, found) : null]
    }),
  ])
}

const shown = (resource: Resource, view: AskedRead['view'], field: string, row: Row): Value =>
  view === 'redacted' && personalFields[resource]?.includes(field) ? null : (row[field] ?? null)

const tables: Readonly<Record<Resource, string>> = {
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
    const read = async (resource: Resource) => {
      const { rows } = await client.query(
        `select row_to_json(stored) as row from ${tables[resource]} stored order by id`,
      )
      return [resource, rows.map(({ row }) => asAnswered(fieldsOf(resource), row))] as const
    }
    const all: (readonly [Resource, Row[]])[] = []
    for (const resource of resources) all.push(await read(resource))
    return Object.fromEntries(all) as Record<Resource, Row[]>
  } finally {
    await client.end()
  }
}

const asAnswered = (fields: readonly Field[], stored: Row): Row =>
  Object.fromEntries(
    fields.map(({ field, kind }) => [field, kind === 'timestamp' ? moment(stored[field]) : (stored[field] ?? null)]),
  )

/** PostgreSQL writes the offset of UTC in digits, and a fraction only where there is one. */
const moment = (value: Value | undefined): Value => (typeof value === 'string' ? value.replace(/\+00:00$/, 'Z') : null)
