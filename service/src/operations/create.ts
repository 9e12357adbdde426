/** In charge of creating one record, once where it has a key: one insert, and the full list of what stands against it where it is refused. */
import type { JudgedBody, Resource, Stored } from '@muster/model'
import { inFieldOrder } from '@muster/model'
import type { Runner } from '../database/database.ts'
import { RefusedValue } from '../database/sql-states.ts'
import type { Statement } from '../database/statement.ts'
import { columnType, durably, quoted } from '../database/statement.ts'
import { bodyRefused, databaseUnavailable, Problem } from '../errors.ts'
import type { Claim } from './claim.ts'
import { claimedStatement, claimQuery } from './claim.ts'
import { clashFaults, refusalFault, tablesOfCreate } from './clashes.ts'
import type { Author } from './write-log.ts'
import { notingQuery } from './write-log.ts'

/** The values of a body by field name; a field left out is absent. */
export type Values = ReadonlyMap<string, Stored>

export interface Created {
  readonly id: number
  /** The JSON text of the record. */
  readonly record: string
  /** The record had been created before, by a request with the same key. */
  readonly replayed: boolean
}

/** Whose create it is, and the key it came with. */
export interface Origin {
  readonly author: Author
  readonly claim?: Claim | undefined
}

export const create = async (
  database: Runner,
  resource: Resource,
  { values, faults }: JudgedBody,
  origin: Origin,
): Promise<Created> => {
  const complete = withDefaults(resource, values)
  if (faults.length > 0) {
    const clashes = await clashFaults(database, resource, complete).catch(noneWhileAway)
    throw bodyRefused(inFieldOrder(resource, [...faults, ...clashes]))
  }
  try {
    return await store(database, resource, complete, origin)
  } catch (error) {
    if (!(error instanceof RefusedValue)) throw error
    const clashes = error.kind === 'value' ? [] : await clashFaults(database, resource, complete)
    // What stood against the insert may be gone by now: then the database's own word is all there is to tell.
    if (clashes.length > 0) throw bodyRefused(clashes)
    const fault = refusalFault(resource, error)
    // No field is behind it: a sequence that was left behind by rows put in by hand, say. The next try may fare better.
    throw fault === undefined ? databaseUnavailable(error) : bodyRefused([fault], error)
  }
}

const store = async (database: Runner, resource: Resource, values: Values, origin: Origin): Promise<Created> => {
  const [stored] = await database.run(insertStatement(resource, values, origin))
  if (stored !== undefined) return { id: stored[0] as number, record: stored[1] as string, replayed: false }
  // Only a key that is taken keeps the insert from giving a row.
  const [claimed] = await database.run(claimedStatement(resource, origin.claim as Claim))
  // Its day may have ended between the two statements: then it is free.
  if (claimed === undefined) return store(database, resource, values, origin)
  const [same, id, record] = claimed
  if (same !== true || id === null) throw new Problem('idempotency_key_reused')
  return { id: id as number, record: record as string, replayed: true }
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

/** One text per resource, whatever was left out, so that the server plans it once; another for creates with a key. */
export const insertStatement = (resource: Resource, values: Values, { author, claim }: Origin): Statement => {
  const parameters: unknown[] = []
  const expressions = resource.writable.map((field) => {
    const value = `$${parameters.push(values.get(field.name) ?? null)}::${columnType(field)}`
    if (!field.today) return value
    return `case when $${parameters.push(!values.has(field.name))}::boolean then (now() at time zone 'utc')::date else ${value} end`
  })
  const columns = resource.writable.map(({ name }) => quoted(name))
  const insert = (names: readonly string[], from: readonly string[], source: string): string =>
    `insert into ${quoted(resource.table)} (${names.join(', ')}) select ${from.join(', ')} from ${source} returning id, record_json`
  const noting = notingQuery(resource, `$${parameters.push(author.requestId)}`, `$${parameters.push(author.token)}`)
  const noted = (made: string): string => `made as (${made}), noted as (${noting}) select id, record_json from made`
  if (claim === undefined)
    return {
      pool: 'write',
      name: `create ${resource.path}`,
      tables: tablesOfCreate(resource),
      text: `with ${noted(insert(columns, expressions, durably))}`,
      values: parameters,
    }
  const [key, fingerprint] = [`$${parameters.push(claim.key)}`, `$${parameters.push(claim.fingerprint)}`]
  return {
    pool: 'write',
    name: `create ${resource.path} once`,
    tables: tablesOfCreate(resource),
    text:
      `with claim as (${claimQuery(resource, key, fingerprint)}), ` +
      noted(insert(['id', ...columns], ['record_id', ...expressions], 'claim')),
    values: parameters,
  }
}
