/** Checks what versions and row counts rely on: the triggers that keep them, and a completed restore. */
import { createHash } from 'node:crypto'
import { resources } from '@muster/model'
import { definitions } from './definitions.ts'
import type { Queryable } from './migrate.ts'
import { literal, quoted } from './statement.ts'

const triggerNames = ['muster_books_insert', 'muster_books_delete', 'muster_books_update', 'muster_books_truncate']
const arrayOf = (texts: readonly string[]): string => `array[${texts.map(literal).join(', ')}]`

/**
 * Runs with every health check, once a second: 0.3 ms of the server's CPU time (docs/decisions/0026).
 * A trigger that was disabled and enabled again is enabled as "origin" instead of "always", and is reported as well.
 */
const healthSql =
  `select coalesce((select relispopulated from pg_class where oid = to_regclass('public.muster_epoch')), false) as restored,` +
  ` (select string_agg(distinct resource, ', ' order by resource) from unnest(${arrayOf(resources.map(({ table }) => table))}) resource` +
  ` cross join unnest(${arrayOf(triggerNames)}) name where not exists (select from pg_trigger` +
  ` where tgrelid = to_regclass('public.' || resource) and tgname = name and tgenabled = 'A')) as unguarded,` +
  ` (select string_agg(distinct relname, ', ' order by relname) from pg_trigger join pg_class c on c.oid = tgrelid` +
  ` where relnamespace = 'public'::regnamespace and tgisinternal and tgenabled = 'D') as unchecked`

/** One sentence that says what to do; undefined if nothing is wrong. */
export const integrityFault = async (database: Queryable): Promise<string | undefined> => {
  const { rows } = await database.query(healthSql)
  const { restored, unguarded, unchecked } = rows[0] as {
    restored: boolean
    unguarded: string | null
    unchecked: string | null
  }
  if (!restored)
    return 'A restore of the database is not complete: wait until it is, or run "npx muster doctor --repair" if it was interrupted.'
  if (unchecked !== null)
    return `Foreign keys are not checked (${unchecked}), because all triggers were disabled: run "alter table ... enable trigger all" as a superuser, then "npx muster doctor --repair".`
  if (unguarded !== null)
    return `Triggers that keep row counts and versions are missing or were disabled (${unguarded}): run "npx muster doctor --repair".`
  return undefined
}

/** PostgreSQL 15 and 18 were checked, and return the same definitions. */
const definitionsSql = `
  select 'function ' || proname as name,
         pg_get_functiondef(oid) as definition
  from pg_proc where pronamespace = 'public'::regnamespace and proname like 'muster\\_%'
  union all
  select 'trigger ' || relname || '.' || tgname, pg_get_triggerdef(t.oid) || ' ' || tgenabled::text
  from pg_trigger t join pg_class c on c.oid = tgrelid
  where relnamespace = 'public'::regnamespace and tgname like 'muster\\_%' and not tgisinternal
  order by 1`

/** The functions and triggers of a database, and the first 16 digits of the SHA-256 of the definition of each. */
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

/** The functions and triggers that are missing, or are not as the migrations of this release define them. */
export const changedDefinitions = async (database: Queryable): Promise<string[]> => {
  const found = await readDefinitions(database)
  return Object.keys(definitions).filter((name) => found.get(name) !== definitions[name])
}

/**
 * By how many rows the kept counts of a table differ from its rows, in one snapshot and without a lock; 0 unless it was
 * written to without its triggers.
 */
export const countDifference = async (
  database: Queryable,
  { table, all }: (typeof resources)[number],
): Promise<number> => {
  const name = literal(table)
  const scopes = ["('')", ...all.filter(({ state }) => state).map((field) => scopeOf(field.name))].join(', ')
  const { rows } = await database.query(
    `with counted as (
       select scope, id >> 8 as block, count(*) as rows from public.${quoted(table)} r
       cross join lateral (values ${scopes}) s (scope) group by 1, 2
     ), kept as (
       select scope, block, sum(rows) as rows from (
         select scope, block, rows from public.muster_blocks where resource = ${name} and level = 8
         union all select scope, block, rows from public.muster_journal where resource = ${name}
       ) each group by 1, 2
     )
     select coalesce((select sum(abs(coalesce(counted.rows, 0) - coalesce(kept.rows, 0))) from counted full join kept using (scope, block)), 0)
       + abs((select count(*) from public.${quoted(table)}) - (select coalesce(sum(rows), 0) from public.muster_ledger where resource = ${name}))
       as difference`,
  )
  return Number(rows[0]?.difference)
}

const scopeOf = (field: string): string => `(${literal(`${field}=`)} || public.muster_key(r.${quoted(field)}))`
