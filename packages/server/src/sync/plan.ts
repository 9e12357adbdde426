/** What a sync would do to a resource: which records differ, which are new and which are missing from the file. */
import type { Resource } from '@muster/model'
import { columnType } from '@muster/model'
import type { Client } from 'pg'
import { escapeLiteral } from 'pg'
import { stagingTable } from '../import-export/staging.ts'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import { erasedCondition } from '../privacy/erased-keys.ts'
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
    .map((value) => {
      const column = `stored.${quoteIdentifier(value.field)}`
      const isDifferent = `${column} is distinct from ${goneValueSql(resource, value)}`
      return value.value === today ? `(${column} is null and ${isDifferent})` : isDifferent
    })
    .join(' or ')

/** The new value of a stored row. A date that the row has already is not replaced by `today`. */
export const goneValueSql = (resource: Resource, { field, value, exceptErased = false }: GoneValue): string => {
  const newValue =
    value === today
      ? `coalesce(stored.${quoteIdentifier(field)}, (now() at time zone 'utc')::date)`
      : `${value === null ? 'null' : escapeLiteral(String(value))}::${columnType(fieldOf(resource, field))}`
  return exceptErased
    ? `case when ${erasedCondition(resource, 'stored')} then stored.${quoteIdentifier(field)} else ${newValue} end`
    : newValue
}

/** The rule with which the personal fields of erased records stay empty. */
export const withoutErased = (resource: Resource, rule: GoneRule): GoneRule =>
  rule.action === 'mark'
    ? {
        ...rule,
        values: rule.values.map((each) => ({ ...each, exceptErased: fieldOf(resource, each.field).personal })),
      }
    : rule

/** Sentences about missing records whose dates would be in the wrong order with the values of `--gone`. */
export const goneDateErrors = async (client: Client, { resource, goneRule }: ResourcePlan): Promise<string[]> => {
  if (goneRule.action !== 'mark') return []
  const newValue = (name: string): string => {
    const value = goneRule.values.find(({ field }) => field === name)
    return value === undefined ? `stored.${quoteIdentifier(name)}` : goneValueSql(resource, value)
  }
  const errors: string[] = []
  for (const { name, notBefore } of resource.storedFields) {
    if (notBefore === undefined) continue
    const { rows } = await client.query<{ count: string; example: string }>(
      `select count(*), min(id) as example from ${goneTable(resource)} join public.${quoteIdentifier(resource.table)} as stored using (id)
       where ${newValue(name)} < ${newValue(notBefore)}`,
    )
    for (const { count, example } of rows)
      if (count !== '0')
        errors.push(
          `${resource.path}: --gone would set ${name} before ${notBefore} of ${count} of the records, such as ${example}.`,
        )
  }
  return errors
}

const defaultGonePercent = 5
/** The default limit never refuses this many marked or deleted records, unless they are more than half of a table. */
const alwaysAllowedGone = 10
/** A table with more records than this never loses more than half of them without `--at-most`. */
const minTotal = 3
const defaultUpdatedPercent = 50
/** Neither a first load into a table with few records nor a few new records are refused. */
const minCreated = 10
const fewMatchedPercent = 10

/** Why the plan is refused; empty if it is not. See SyncOptions.atMostPercent. */
export const safeguardErrors = (
  { resource, goneRule, total, created, updated, unchanged, gone }: ResourcePlan,
  atMost: number | undefined,
): string[] => {
  const goneLimit = atMost ?? defaultGonePercent
  const allowedGone = atMost === undefined ? alwaysAllowedGone : 0
  const updatedLimit = Math.max(atMost ?? 0, defaultUpdatedPercent)
  const errors: string[] = []
  const describe = (count: number, what: string, limit: number): string =>
    `${resource.path}: ${what} ${count} of ${total} records, more than ${limit} %. If this is intended, add --at-most ${Math.ceil((count * 100) / total)}%.`
  const isHalfGone = total > minTotal && gone * 2 > total
  if ((gone > allowedGone || isHalfGone) && gone * 100 > goneLimit * total)
    errors.push(describe(gone, `the sync would ${goneRule.action === 'delete' ? 'delete' : 'mark'}`, goneLimit))
  if (updated * 100 > updatedLimit * total) errors.push(describe(updated, 'the sync would update', updatedLimit))
  const lines = created + updated + unchanged
  const isAllowed = atMost === 100 || total <= minCreated || created <= minCreated || created * 2 <= total
  // Files of attendance, leave and applications may contain new records only; their keys have several fields.
  if (!isAllowed && resource.naturalKey.length === 1 && (lines - created) * 100 < fewMatchedPercent * lines)
    errors.push(
      `${resource.path}: the sync would create ${created} records beside the ${total} that exist, because ${created} of ${lines} lines have the key of no existing record. Check that the keys still have the same form. If this is intended, add --at-most 100%.`,
    )
  return errors
}
