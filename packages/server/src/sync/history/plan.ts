/** Which changes the versions of a file are, and which recorded changes they replace. */
import { trackedFields } from '@muster/model'
import type { Client } from 'pg'
import { quoteIdentifier, quoteLiteral } from '../../postgres/sql/statement.ts'
import type { VersionFile } from './checks.ts'
import { recordTable, startDaySql, versionsTable } from './checks.ts'

const changesTable = 'pg_temp.history_changes'
const replacedTable = 'pg_temp.history_replaced'

export interface HistoryPlan {
  readonly records: number
  readonly versions: number
  /** Changes that are not recorded yet. */
  readonly loaded: number
  /** Recorded changes that are removed. */
  readonly replaced: number
  /** Changes that are recorded already, with the same values and days. */
  readonly kept: number
  readonly historyFrom: HistoryFrom
}

/** From which day on the history of the resource is complete. */
export interface HistoryFrom {
  readonly before: string
  readonly after: string
  /** Records that are not in the file. */
  readonly missingRecords: number
  /** Tracked fields that are not in the file. */
  readonly missingFields: readonly string[]
  /** The record whose first version is the latest that begins after the record itself. */
  readonly latest?: { readonly line: number; readonly day: string }
}

export const planHistory = async (client: Client, file: VersionFile): Promise<HistoryPlan> => {
  await createChanges(client, file)
  await createReplaced(client, file)
  const { rows } = await client.query<Record<'records' | 'versions' | 'loaded' | 'kept' | 'replaced', string>>(
    `select (select count(distinct record_id) from ${versionsTable}) as records,
       (select count(*) from ${versionsTable}) as versions,
       (select count(*) from ${changesTable} where kept_id is null) as loaded,
       (select count(*) from ${changesTable} where kept_id is not null) as kept,
       (select count(*) from ${replacedTable}) as replaced`,
  )
  const counts = rows[0] ?? { records: 0, versions: 0, loaded: 0, kept: 0, replaced: 0 }
  return {
    records: Number(counts.records),
    versions: Number(counts.versions),
    loaded: Number(counts.loaded),
    kept: Number(counts.kept),
    replaced: Number(counts.replaced),
    historyFrom: await planHistoryFrom(client, file),
  }
}

/**
 * A version changes the fields that have another value than in the version before. The first version changes nothing.
 *
 * Changes that are recorded already are kept if all of their day are, at the same time: `muster_versions_<table>()` makes one
 * version of the changes of a day with the same time.
 */
const createChanges = async (client: Client, { record, fields }: VersionFile): Promise<void> => {
  const values = fields.map(
    ({ name }, index) => `(${index}, ${quoteLiteral(name)} collate "C", v.${quoteIdentifier(name)})`,
  )
  await client.query(
    `create temporary table history_changes on commit drop as
     with cells as (
       select v.record_id, v.day, c.number, c.field, c.value,
         row_number() over versions = 1 as is_first, lag(c.value) over versions as previous
       from ${versionsTable} as v cross join lateral (values ${values.join(', ')}) as c (number, field, value)
       window versions as (partition by v.record_id, c.field order by v.day)
     ), steps as (
       select record_id, day, number, field, value, is_first, previous, lag(day) over (partition by record_id, field order by day) as since
       from cells where is_first or value is distinct from previous
     ), changes as (
       select record_id, number, field, previous as old, value as new, day as "on", since from steps where not is_first
     ), recorded as (
       select c.*, h.id as recorded_id, h.at
       from changes as c left join lateral (
         select h.id, h.at from public.history as h
         where h.resource = ${quoteLiteral(record.path)} and h.record_id = c.record_id and h.field = c.field and h."on" = c."on"
           and h.old is not distinct from c.old collate "C" and h.new is not distinct from c.new collate "C"
           and h.since is not distinct from c.since
         order by h.id limit 1
       ) as h on true
     )
     select record_id, number, field, old, new, "on", since,
       case when bool_and(recorded_id is not null) over version and min(at) over version = max(at) over version
         then recorded_id end as kept_id
     from recorded window version as (partition by record_id, "on")`,
  )
}

const createReplaced = async (client: Client, { record, fields }: VersionFile): Promise<void> => {
  await client.query(
    `create temporary table history_replaced on commit drop as
     select h.id from public.history as h
     where h.resource = ${quoteLiteral(record.path)} and h.field in (${fields.map(({ name }) => quoteLiteral(name)).join(', ')})
       and h.record_id in (select record_id from ${versionsTable})
       and not exists (select from ${changesTable} as c where c.kept_id = h.id)`,
  )
}

/**
 * A record is known from its first version on, or ever since it began, if that was not earlier. Only a file with all
 * records and all tracked fields says how far back the history of the resource is complete.
 */
const planHistoryFrom = async (client: Client, file: VersionFile): Promise<HistoryFrom> => {
  const { record, fields } = file
  const { rows } = await client.query<{
    before: string
    first: string
    missing: string
    line: string | null
    late_day: string | null
  }>(
    `with firsts as (
       select distinct on (v.record_id) v.line, v.day, v.day > ${startDaySql(file, 'stored')} as is_late
       from ${versionsTable} as v join ${recordTable(file)} as stored on stored.id = v.record_id order by v.record_id, v.day
     ), latest as (select line, day from firsts where is_late order by day desc, line limit 1)
     select complete.day::text as before, (select min(day) from firsts)::text as first,
       (select count(*) from ${recordTable(file)}) - (select count(*) from firsts) as missing,
       (select line from latest) as line, (select day from latest)::text as late_day
     from public.muster_history_from as complete where complete.resource = ${quoteLiteral(record.path)}`,
  )
  const row = rows[0]
  if (row === undefined) throw new TypeError(`muster_history_from has no row for ${record.path}`)
  const { before, missing, line, late_day: lateDay } = row
  const missingFields = trackedFields(record)
    .map(({ name }) => name)
    .filter((name) => fields.every((field) => field.name !== name))
  const isComplete = missing === '0' && missingFields.length === 0
  return {
    before,
    after: isComplete ? earliest(before, lateDay ?? row.first) : before,
    missingRecords: Number(missing),
    missingFields,
    ...(line === null || lateDay === null ? {} : { latest: { line: Number(line), day: lateDay } }),
  }
}

/** Days in the form YYYY-MM-DD are in the order of their texts. */
const earliest = (a: string, b: string): string => (a < b ? a : b)

export const storeHistory = async (client: Client, { record }: VersionFile, plan: HistoryPlan): Promise<void> => {
  await client.query(`delete from public.history where id in (select id from ${replacedTable})`)
  await client.query(
    `insert into public.history (resource, record_id, field, old, new, "on", since, at)
     select ${quoteLiteral(record.path)}, record_id, field, old, new, "on", since, statement_timestamp()
     from ${changesTable} where kept_id is null order by record_id, "on", number`,
  )
  const { before, after } = plan.historyFrom
  if (after === before) return
  await client.query(`update public.muster_history_from set day = $2 where resource = $1`, [record.path, after])
  // Cached responses say from which day on the history is complete.
  await client.query(`select public.muster_update_table_version('history', 0)`)
}
