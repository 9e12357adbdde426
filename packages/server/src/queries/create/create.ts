/** Creates one record with one insert, at most once per idempotency key; if it fails, reports every conflict. */
import type { Resource, StoredValue, ValidatedBody } from '@muster/model'
import { columnType, inFieldOrder } from '@muster/model'
import { databaseUnavailable, invalidBody, Problem } from '../../errors.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import { ConstraintViolation } from '../../postgres/connection/sqlstate.ts'
import type { Statement } from '../../postgres/sql/statement.ts'
import { durableCommit, quoteIdentifier, recordText } from '../../postgres/sql/statement.ts'
import type { Actor } from './audit-log.ts'
import { auditQuery } from './audit-log.ts'
import { conflictErrors, tablesOfCreate, violationError } from './conflicts.ts'
import type { IdempotencyClaim } from './idempotency.ts'
import { claimQuery, findClaimStatement } from './idempotency.ts'

/** The values of a body by field name; omitted fields are absent. */
export type Values = ReadonlyMap<string, StoredValue>

export interface CreatedRecord {
  readonly id: number
  /** The JSON text of the record. */
  readonly record: string
  /** Whether the record was created before, by a request with the same idempotency key. */
  readonly replayed: boolean
}

export interface CreateOrigin {
  readonly actor: Actor
  readonly claim?: IdempotencyClaim | undefined
}

export const createRecord = async (
  database: Runner,
  resource: Resource,
  { values, errors }: ValidatedBody,
  origin: CreateOrigin,
): Promise<CreatedRecord> => {
  const complete = withDefaults(resource, values)
  if (errors.length > 0) {
    const conflicts = await conflictErrors(database, resource, complete).catch(noneIfUnavailable)
    throw invalidBody(inFieldOrder(resource, [...errors, ...conflicts]))
  }
  try {
    return await store(database, resource, complete, origin)
  } catch (error) {
    if (!(error instanceof ConstraintViolation)) throw error
    const conflicts = error.kind === 'value' ? [] : await conflictErrors(database, resource, complete)
    // The conflict may have disappeared by now: then only the constraint that the database named is reported.
    if (conflicts.length > 0) throw invalidBody(conflicts)
    const violation = violationError(resource, error)
    // If no field is to blame, the cause may be a sequence that is behind manually inserted rows: a retry may succeed.
    throw violation === undefined ? databaseUnavailable(error) : invalidBody([violation], error)
  }
}

const store = async (
  database: Runner,
  resource: Resource,
  values: Values,
  origin: CreateOrigin,
): Promise<CreatedRecord> => {
  const [insertedRow] = await database.run(insertStatement(resource, values, origin))
  if (insertedRow !== undefined)
    return { id: insertedRow[0] as number, record: insertedRow[1] as string, replayed: false }
  // The insert returns no row only if the idempotency key is already claimed.
  const [claimRow] = await database.run(findClaimStatement(resource, origin.claim as IdempotencyClaim))
  // The key may have expired (after a day) between the two statements: then it is free again.
  if (claimRow === undefined) return store(database, resource, values, origin)
  const [isSameBody, id, record] = claimRow
  if (isSameBody !== true || id === null) throw new Problem('idempotency_key_reused')
  return { id: id as number, record: record as string, replayed: true }
}

/** Validation errors are reported even while the database is down. */
const noneIfUnavailable = (error: unknown): [] => {
  if (error instanceof Problem) return []
  throw error
}

const withDefaults = (resource: Resource, values: Values): Values => {
  const complete = new Map(values)
  for (const { name, default: fallback } of resource.writableFields) {
    if (fallback !== undefined && !complete.has(name)) complete.set(name, fallback)
  }
  return complete
}

const insertCache = new WeakMap<Resource, InsertStatements>()

interface InsertStatements {
  readonly plain: Omit<Statement, 'values'>
  readonly withKey: Omit<Statement, 'values'>
}

/**
 * One SQL text per resource, whatever fields are absent, so that the server plans it once; a second one for creates
 * with an idempotency key.
 */
export const insertStatement = (resource: Resource, values: Values, origin: CreateOrigin): Statement => {
  const { claim } = origin
  let statements = insertCache.get(resource)
  if (statements === undefined) {
    statements = buildInsertStatements(resource)
    insertCache.set(resource, statements)
  }
  const fields = resource.writableFields.flatMap(({ name, today }) => {
    const value = values.get(name) ?? null
    return today ? [value, !values.has(name)] : [value]
  })
  const parameters = [...fields, origin.actor.requestId, origin.actor.token]
  if (claim === undefined) return { ...statements.plain, values: parameters }
  return { ...statements.withKey, values: [...parameters, claim.key, claim.fingerprint] }
}

/**
 * The parameters are the values of the writable fields in declaration order, then those of the audit log, then those of
 * the idempotency key.
 */
const buildInsertStatements = (resource: Resource): InsertStatements => {
  let count = 0
  const nextParameter = (): string => {
    count += 1
    return `$${count}`
  }
  const expressions = resource.writableFields.map((field) => {
    const value = `${nextParameter()}::${columnType(field)}`
    if (!field.today) return value
    return `case when ${nextParameter()}::boolean then (now() at time zone 'utc')::date else ${value} end`
  })
  const columns = resource.writableFields.map(({ name }) => quoteIdentifier(name))
  const insert = (names: readonly string[], from: readonly string[], source: string): string =>
    `insert into ${quoteIdentifier(resource.table)} (${names.join(', ')}) select ${from.join(', ')} from ${source} returning id, ${recordText(resource)}`
  const audit = auditQuery(resource, nextParameter(), nextParameter())
  const withAudit = (insertSql: string): string =>
    `made as (${insertSql}), noted as (${audit}) select id, record_json from made`
  const tables = tablesOfCreate(resource)
  const plain = `with ${withAudit(insert(columns, expressions, durableCommit))}`
  const withKey =
    `with claim as (${claimQuery(resource, nextParameter(), nextParameter())}), ` +
    withAudit(insert(['id', ...columns], ['record_id', ...expressions], 'claim'))
  return {
    plain: { pool: 'write', name: `create ${resource.path}`, tables, text: plain },
    withKey: { pool: 'write', name: `create ${resource.path} once`, tables, text: withKey },
  }
}
