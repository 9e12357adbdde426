/** What a sync would do to a resource: which records differ, which are new and which are missing from the file. */
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { escapeLiteral } from 'pg'
import { stagingTable } from '../import-export/staging.ts'
import { columnType, quoteIdentifier } from '../postgres/sql/statement.ts'
import { fieldOf } from './match.ts'
import type { GoneRule, GoneValue } from './options.ts'
import { today } from './options.ts'

export interface ResourcePlan {
  readonly resource: Resource
  readonly goneRule: GoneRule
  /** Number of records before the sync. */
  readonly total: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Records missing from the file that are marked or deleted. */
  readonly gone: number
}

export const updatedTable = ({ table }: Resource): string => `pg_temp.${quoteIdentifier(`sync_updated_${table}`)}`
export const goneTable = ({ table }: Resource): string => `pg_temp.${quoteIdentifier(`sync_gone_${table}`)}`

export const planResource = async (
  client: Client,
  resource: Resource,
  { goneRule, fields }: { readonly goneRule: GoneRule; readonly fields: readonly string[] },
): Promise<ResourcePlan> => {
  const table = `public.${quoteIdentifier(resource.table)}`
  const staging = stagingTable(resource)
  const updated = await client.query(
    `create temporary table ${quoteIdentifier(`sync_updated_${resource.table}`)} on commit drop as
     select staged.id from ${staging} as staged join ${table} as stored on stored.id = staged.id
     where staged.matched and not staged.bad and (${['false', ...fields.map((name) => differs(resource, name))].join(' or ')})`,
  )
  const gone = await client.query(
    `create temporary table ${quoteIdentifier(`sync_gone_${resource.table}`)} on commit drop as
     select stored.id from ${table} as stored where ${goneCondition(resource, goneRule)}`,
  )
  await client.query(`analyze ${updatedTable(resource)}, ${goneTable(resource)}`)
  const { rows } = await client.query<{ total: string; created: string; matched: string }>(
    `select (select count(*) from ${table}) as total,
       count(*) filter (where not matched) as created, count(*) filter (where matched) as matched
     from ${staging} where not bad`,
  )
  const { total = 0, created = 0, matched = 0 } = rows[0] ?? {}
  return {
    resource,
    goneRule,
    total: Number(total),
    created: Number(created),
    updated: updated.rowCount ?? 0,
    unchanged: Number(matched) - (updated.rowCount ?? 0),
    gone: gone.rowCount ?? 0,
  }
}

/** SQL condition: the staged row gives the field another value than the stored one. */
export const differs = (resource: Resource, name: string): string => {
  const column = quoteIdentifier(name)
  const collation = columnType(fieldOf(resource, name)) === 'text' ? ' collate "C"' : ''
  return `staged.${column} is distinct from stored.${column}${collation}`
}

const goneCondition = (resource: Resource, rule: GoneRule): string => {
  if (rule.action === 'keep') return 'false'
  const isMissing = `not exists (select from ${stagingTable(resource)} as staged where staged.id = stored.id)`
  return rule.action === 'delete' ? isMissing : `${isMissing} and (${needsMark(resource, rule.values)})`
}

/** A record is marked once: a date that `today` set stays, also on later days. */
const needsMark = (resource: Resource, values: readonly GoneValue[]): string =>
  values
    .map(({ field, value }) =>
      value === today
        ? `stored.${quoteIdentifier(field)} is null`
        : `stored.${quoteIdentifier(field)} is distinct from ${goneValueSql(resource, { field, value })}`,
    )
    .join(' or ')

/** The new value of a stored row. A date that the row has already is not replaced by `today`. */
export const goneValueSql = (resource: Resource, { field, value }: GoneValue): string => {
  if (value === today) return `coalesce(stored.${quoteIdentifier(field)}, (now() at time zone 'utc')::date)`
  return `${value === null ? 'null' : escapeLiteral(String(value))}::${columnType(fieldOf(resource, field))}`
}

const defaultGonePercent = 5
/** The default limit never refuses this many marked or deleted records. */
const alwaysAllowedGone = 10
const defaultUpdatedPercent = 50

/** Why the plan is refused; empty if it is not. See SyncOptions.atMostPercent. */
export const safeguardErrors = (
  { resource, goneRule, total, updated, gone }: ResourcePlan,
  atMost: number | undefined,
): string[] => {
  const goneLimit = atMost ?? defaultGonePercent
  const allowedGone = atMost === undefined ? alwaysAllowedGone : 0
  const updatedLimit = Math.max(atMost ?? 0, defaultUpdatedPercent)
  const errors: string[] = []
  const describe = (count: number, what: string, limit: number): string =>
    `${resource.path}: ${what} ${count} of ${total} records, more than ${limit} %. If this is intended, add --at-most ${Math.ceil((count * 100) / total)}%.`
  if (gone > allowedGone && gone * 100 > goneLimit * total)
    errors.push(describe(gone, `the sync would ${goneRule.action === 'delete' ? 'delete' : 'mark'}`, goneLimit))
  if (updated * 100 > updatedLimit * total) errors.push(describe(updated, 'the sync would update', updatedLimit))
  return errors
}
