/** In charge of creating one record: one insert, and the full list of what stands against it where it is refused. */
import type { JudgedBody, Resource, Stored } from '@muster/model'
import { inFieldOrder } from '@muster/model'
import type { Database } from '../database/database.ts'
import { readViolation } from '../database/sql-states.ts'
import type { Statement } from '../database/statement.ts'
import { columnType, quoted } from '../database/statement.ts'
import { bodyRefused, Problem } from '../errors.ts'
import { clashFaults, constraintFault } from './clashes.ts'

/** The values of a body by field name; a field left out is absent. */
export type Values = ReadonlyMap<string, Stored>

export interface Created {
  readonly id: number
  /** The JSON text of the record. */
  readonly record: string
}

export const create = async (
  database: Database,
  resource: Resource,
  { values, faults }: JudgedBody,
): Promise<Created> => {
  const complete = withDefaults(resource, values)
  if (faults.length > 0) {
    const clashes = await clashFaults(database, resource, complete).catch(noneWhileAway)
    throw bodyRefused(inFieldOrder(resource, [...faults, ...clashes]))
  }
  try {
    const [row] = await database.run(insertStatement(resource, complete))
    return { id: row?.[0] as number, record: row?.[1] as string }
  } catch (error) {
    const violation = readViolation(error)
    if (violation === undefined) throw error
    const clashes = await clashFaults(database, resource, complete)
    // What stood against the insert may be gone by now: then the constraint's own word is all there is to tell.
    throw bodyRefused(clashes.length > 0 ? clashes : [constraintFault(resource, violation)])
  }
}

/** A body that is wrong by itself is told so even while the database is away. */
const noneWhileAway = (error: unknown): [] => {
  if (error instanceof Problem) return []
  throw error
}

const withDefaults = (resource: Resource, values: Values): Values => {
  const complete = new Map(values)
  for (const { name, default: fallback } of resource.writable) {
    if (fallback !== undefined && !complete.has(name)) complete.set(name, fallback)
  }
  return complete
}

/** One text per resource, whatever was left out, so that the server plans it once. */
export const insertStatement = (resource: Resource, values: Values): Statement => {
  const parameters: unknown[] = []
  const expressions = resource.writable.map((field) => {
    const value = `$${parameters.push(values.get(field.name) ?? null)}::${columnType(field)}`
    if (!field.today) return value
    return `case when $${parameters.push(!values.has(field.name))}::boolean then (now() at time zone 'utc')::date else ${value} end`
  })
  const columns = resource.writable.map(({ name }) => quoted(name)).join(', ')
  return {
    name: `create ${resource.path}`,
    text: `insert into ${quoted(resource.table)} (${columns}) values (${expressions.join(', ')}) returning id, record_json`,
    values: parameters,
  }
}
