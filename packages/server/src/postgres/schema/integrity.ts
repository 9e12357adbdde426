/** Checks that the triggers for versions and row counts are in place, and that a restore is complete. */
import { createHash } from 'node:crypto'
import { listedResources } from '@muster/model'
import type { Queryable } from '../connection/session.ts'
import { quoteIdentifier, quoteLiteral } from '../sql/statement.ts'
import { definitions } from './definitions.ts'

const triggerNames = ['muster_counts_insert', 'muster_counts_delete', 'muster_counts_update', 'muster_counts_truncate']
const arrayOf = (strings: readonly string[]): string => `array[${strings.map(quoteLiteral).join(', ')}]`

/**
 * Runs with every health check, once a second: 0.3 ms of the server's CPU time (docs/decisions/0026).
 * A trigger that was disabled and enabled again is enabled as "origin" instead of "always", and is reported as well.
 */
const healthSql =
  `select coalesce((select relispopulated from pg_class where oid = to_regclass('public.muster_epoch')), false) as restored,` +
  ` (select string_agg(distinct resource, ', ' order by resource) from unnest(${arrayOf(listedResources.map(({ table }) => table))}) resource` +
  ` cross join unnest(${arrayOf(triggerNames)}) name where not exists (select from pg_trigger` +
  ` where tgrelid = to_regclass('public.' || resource) and tgname = name and tgenabled = 'A')) as unguarded,` +
  ` (select array_agg(distinct relname::text order by relname::text) from pg_trigger join pg_class c on c.oid = tgrelid` +
  ` where relnamespace = 'public'::regnamespace and tgisinternal and tgenabled = 'D') as unchecked`

export interface IntegrityError {
  /** Tells the operator what to do. */
  readonly sentence: string
  /** Tables whose foreign keys are not checked. */
  readonly uncheckedTables: readonly string[]
}

/** Undefined if nothing is wrong. */
export const integrityError = async (database: Queryable): Promise<IntegrityError | undefined> => {
  const { rows } = await database.query(healthSql)
  const { restored, unguarded, unchecked } = rows[0] as {
    restored: boolean
    unguarded: string | null
    unchecked: string[] | null
  }
  const uncheckedTables = unchecked ?? []
  const sentence = integritySentence(restored, uncheckedTables, unguarded)
  return sentence === undefined ? undefined : { sentence, uncheckedTables }
}

const integritySentence = (
  restored: boolean,
  uncheckedTables: readonly string[],
  unguarded: string | null,
): string | undefined => {
  if (!restored)
    return 'A restore of the database is not complete: wait until it is, or run "npx muster doctor --repair" if it was interrupted.'
  if (uncheckedTables.length > 0)
    return `Foreign keys are not checked (${uncheckedTables.join(', ')}), because all triggers were disabled: run "alter table ... enable trigger all" as a superuser, then "npx muster doctor --repair".`
  if (unguarded !== null)
    return `Triggers that keep row counts and versions are missing or were disabled (${unguarded}): run "npx muster doctor --repair".`
  return undefined
}

/**
 * Verified: PostgreSQL 15 and 18 return the same definitions, except that 15 writes the table in front of each column of
 * a view. The definition of a view includes its comments.
 */
const definitionsSql = `
  select 'function ' || proname as name,
         pg_get_functiondef(oid) as definition
  from pg_proc where pronamespace = 'public'::regnamespace and proname like 'muster\\_%'
  union all
  select 'trigger ' || relname || '.' || tgname, pg_get_triggerdef(t.oid) || ' ' || tgenabled::text
  from pg_trigger t join pg_class c on c.oid = tgrelid
  where relnamespace = 'public'::regnamespace and tgname like 'muster\\_%' and not tgisinternal
  union all
  select 'view ' || c.oid::regclass, concat_ws(' ', regexp_replace(pg_get_viewdef(c.oid), '\\m(?!public\\.)\\w+\\.', '', 'g'),
    reloptions::text, obj_description(c.oid, 'pg_class'),
    (select string_agg(col_description(c.oid, attnum), ' ' order by attnum) from pg_attribute where attrelid = c.oid))
  from pg_class c where relnamespace = to_regnamespace('muster_bi') and relkind = 'v'
  order by 1`

/** The functions, triggers and views of a database, and the first 16 digits of the SHA-256 of the definition of each. */
export const readDefinitions = async (database: Queryable): Promise<Map<string, string>> => {
  // PostgreSQL leaves out the schema of names that are in the search path.
  await database.query("begin; set local search_path = ''")
  try {
    const { rows } = await database.query(definitionsSql)
    return new Map(rows.map(({ name, definition }) => [String(name), digest(String(definition))]))
  } finally {
    await database.query('rollback')
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The functions, triggers and views that are missing, or are not as the migrations of this release define them. */
export const changedDefinitions = async (database: Queryable): Promise<string[]> => {
  const actualDefinitions = await readDefinitions(database)
  return Object.keys(definitions).filter((name) => actualDefinitions.get(name) !== definitions[name])
}

/**
 * By how many rows the stored counts of a table are wrong, found in one snapshot and without a lock; 0 unless the table
 * was written to without its triggers.
 */
export const countDifference = async (
  database: Queryable,
  { table, allFields: all }: (typeof listedResources)[number],
): Promise<number> => {
  const tableLiteral = quoteLiteral(table)
  const filterKeys = ["('')", ...all.filter(({ state }) => state).map((field) => filterKeyOf(field.name))].join(', ')
  const { rows } = await database.query(
    `with counted as (
       select filter_key, id >> 8 as bucket, count(*) as rows from public.${quoteIdentifier(table)} r
       cross join lateral (values ${filterKeys}) k (filter_key) group by 1, 2
     ), kept as (
       select filter_key, bucket, sum(rows) as rows from (
         select filter_key, (bucket << 8) + part as bucket, p.rows from public.muster_count_buckets b
           cross join lateral public.muster_count_parts(b.parts, b.rows_before, b.rows) p where table_name = ${tableLiteral} and level = 16
         union all select filter_key, bucket, rows from public.muster_count_deltas where table_name = ${tableLiteral}
       ) each group by 1, 2
     )
     select coalesce((select sum(abs(coalesce(counted.rows, 0) - coalesce(kept.rows, 0))) from counted full join kept using (filter_key, bucket)), 0)
       + abs((select count(*) from public.${quoteIdentifier(table)}) - (select coalesce(sum(rows), 0) from public.muster_table_versions where table_name = ${tableLiteral}))
       as difference`,
  )
  return Number(rows[0]?.difference)
}

const filterKeyOf = (field: string): string =>
  `(${quoteLiteral(`${field}=`)} || public.muster_key(r.${quoteIdentifier(field)}))`
