/** Reads the change feed (docs/decisions/0033). Only on the primary: a standby cannot tell which cursors are valid. */
import type { ChangeKind, Resource } from '@muster/model'
import { listedResources, resources } from '@muster/model'
import { databaseUnavailable, Problem } from '../errors.ts'
import type { Runner } from '../postgres/connection/database.ts'
import { changeHorizon, changePositionExpression, isStartRecorded, lastStart } from '../postgres/sql/change-position.ts'
import type { Statement } from '../postgres/sql/statement.ts'
import type { ChangeCursor, ChangePosition } from './change-cursor.ts'

export interface Change {
  readonly position: ChangePosition
  readonly resource: Resource
  /** As text, because JavaScript numbers are not exact above 2^53. */
  readonly id: string
  readonly kind: ChangeKind
  readonly at: string
}

/** The id is written as it is, because JSON has no limit for integers. */
export const changeJson = ({ resource, id, kind, at }: Change): string =>
  `{"resource":"${resource.path}","id":${id},"kind":"${kind}","at":"${at}"}`

export interface ChangesQuery {
  /** Undefined: from now. */
  readonly after: ChangeCursor | undefined
  /** All resources if undefined, without their history. */
  readonly resources: readonly Resource[] | undefined
  readonly limit: number
}

export interface ChangesPage {
  readonly changes: readonly Change[]
  /** The cursor of the next page. The cursor after a single change is `{ ...next, ...change.position }`. */
  readonly next: ChangeCursor
  readonly more: boolean
  readonly behindSeconds: number
}

/** How many rows of the feed one statement reads at most to find changes of the requested resources. */
const maxScannedRows = 5_000

const resourceByTable = new Map(listedResources.map((resource) => [resource.table, resource]))

/**
 * A cursor is valid if the start of the server that it names is known, no later recovery ended before its position in
 * the write-ahead log, and no change after it was deleted because of its age.
 */
const isValid =
  `exists (select from muster_server_starts made where made.id = $1 and not exists (` +
  `select from muster_server_starts later where later.position > made.position and later.replayed_to < $2::pg_lsn))` +
  ` and ($3::xid8, $4::bigint, $5::bigint) >= (select xid, seq, id from muster_last_pruned_change)`

/**
 * The age of the oldest open transaction that holds changes back. A role sees the start of a transaction of another role
 * only as a member of pg_read_all_stats; the age of the first change that is held back is known in any case.
 */
export const behindSecondsExpression =
  `coalesce(greatest(extract(epoch from clock_timestamp() - least(` +
  `(select min(xact_start) from pg_stat_activity where backend_xid is not null and datname = current_database()),` +
  ` (select at from muster_changes where xid >= ${changeHorizon} order by xid, seq limit 1))), 0), 0)::float8`

/**
 * `expanded` is in order, because a lateral join reads its left side in order. Of the row of the cursor, only the ids
 * after the cursor are expanded.
 */
const changesText = `
with scanned as materialized (
  select xid, seq, at, table_name, kind, ids from muster_changes
  where (xid, seq) >= ($3::xid8, $4::bigint) and xid < ${changeHorizon}
  order by xid, seq limit $8::int
), expanded as materialized (
  select c.xid, c.seq, i.id, c.table_name, c.kind, c.at from scanned c
  cross join lateral unnest(case when (c.xid, c.seq) = ($3::xid8, $4::bigint)
    then c.ids * int8multirange(int8range($5::bigint, null, '()')) else c.ids end) r
  cross join lateral generate_series(lower(r), upper(r) - 1) i (id)
  where c.table_name = any ($6::text[])
  limit $7::int + 1
)
select ${isStartRecorded}, ${isValid}, ${lastStart}, pg_current_wal_flush_lsn()::text, ${behindSecondsExpression},
  (select count(*)::int from scanned),
  (select array[xid::text, seq::text, (upper(ids) - 1)::text] from scanned order by xid desc, seq desc limit 1),
  (select json_agg(json_build_array(xid::text, seq::text, id::text, table_name, kind, at at time zone 'UTC')) from expanded)`

const positionStatement: Statement = {
  pool: 'read',
  name: 'change position',
  text: `select ${changePositionExpression}, ${behindSecondsExpression}`,
  values: [],
}

/**
 * The position before the first change at or after $1; null if there is none. `at` is not in the order of the feed, so all
 * changes since $1 are compared, unless the oldest one is the first. Without "offset 0" PostgreSQL may read the feed from
 * its beginning, in the order of the primary key.
 */
const sinceText = `
with oldest as materialized (
  select xid, seq, at, ids from muster_changes where xid < ${changeHorizon} order by xid, seq limit 1
), first as (
  select xid, seq, ids from oldest where at >= $1::timestamptz
  union all (
    select xid, seq, ids from (
      select xid, seq, ids from muster_changes where at >= $1::timestamptz and (select at from oldest) < $1::timestamptz offset 0
    ) later where xid < ${changeHorizon} order by xid, seq limit 1
  )
)
select ${isStartRecorded},
  (select array[${lastStart}, pg_current_wal_flush_lsn()::text, xid::text, seq::text, (lower(ids) - 1)::text] from first),
  ${changePositionExpression}`

const recordStartStatement: Statement = {
  pool: 'maintenance',
  summary: 'record start',
  text: 'select muster_record_epoch()',
  values: [],
}

type ChangeRow = readonly [xid: string, seq: string, id: string, table: string, kind: ChangeKind, at: string]

/** Rejects with `cursor_gone` if the cursor is not valid any more. */
export const readChanges = (database: Runner, query: ChangesQuery): Promise<ChangesPage> =>
  withRecordedStart(
    database,
    query.after === undefined ? () => readNow(database) : readAfter(database, query.after, query),
  )

/** The cursor before the first kept change at or after a date-time, or that of the end of the feed if there is none. */
export const readCursorSince = (database: Runner, since: string): Promise<ChangeCursor> =>
  withRecordedStart(database, async () => {
    const [row = []] = await database.run({
      pool: 'search',
      summary: 'changes since',
      text: sinceText,
      values: [since],
    })
    const [isRecorded, first, end] = row
    return isRecorded === true ? (cursorOf(first) ?? cursorOf(end)) : undefined
  })

/** `read` returns undefined if the service has not recorded the current start of the server yet, which it does every second. */
const withRecordedStart = async <T>(database: Runner, read: () => Promise<T | undefined>): Promise<T> => {
  const result = await read()
  if (result !== undefined) return result
  await database.run(recordStartStatement)
  const secondResult = await read()
  if (secondResult === undefined) throw databaseUnavailable()
  return secondResult
}

/** So that the next snapshot has a change position. */
export const ensureStartIsRecorded = async (database: Runner): Promise<void> => {
  await withRecordedStart(database, () => readNow(database))
}

const readNow = async (database: Runner): Promise<ChangesPage | undefined> => {
  const [row] = await database.run(positionStatement)
  const cursor = cursorOf(row?.[0])
  return cursor && { changes: [], next: cursor, more: false, behindSeconds: Number(row?.[1]) }
}

/** The cursor in a result of `changePositionExpression`. */
export const cursorOf = (value: unknown): ChangeCursor | undefined => {
  if (!Array.isArray(value)) return undefined
  const [start, lsn, xid, seq, id] = value as [string, string, string, string, string]
  return { start, lsn, xid: BigInt(xid), seq: BigInt(seq), id: BigInt(id) }
}

const readAfter = (database: Runner, after: ChangeCursor, { resources: wanted, limit }: ChangesQuery) => {
  const { start, lsn, xid, seq, id } = after
  // After an upgrade of the database, the feed may contain tables that this version does not know.
  const tables = (wanted ?? resources).map(({ table }) => table)
  // One row more for that of the cursor, which has usually been read, and one to see whether there are more.
  const maxScanned = wanted === undefined ? limit + 2 : maxScannedRows
  const statement: Statement = {
    pool: 'read',
    name: 'changes',
    text: changesText,
    values: [start, lsn, String(xid), String(seq), String(id), tables, limit, maxScanned],
  }
  return async (): Promise<ChangesPage | undefined> => {
    const [row = []] = await database.run(statement)
    const [isRecorded, isCursorValid, lastStartId, flushedTo, behind, scanned, lastScanned, changeRows] = row
    if (isRecorded !== true) return undefined
    if (isCursorValid !== true) throw new Problem('cursor_gone')
    const expanded = ((changeRows ?? []) as ChangeRow[]).map(readChange)
    const changes = expanded.slice(0, limit)
    const isCut = expanded.length > limit
    const position = isCut ? changes.at(-1)?.position : positionOf(lastScanned as string[] | null)
    const isSame = position === undefined || (position.xid === xid && position.seq === seq && position.id === id)
    return {
      changes,
      // An unchanged position keeps its LSN, so that a later recovery does not invalidate it.
      next: isSame ? after : { start: String(lastStartId), lsn: String(flushedTo), ...position },
      more: isCut || Number(scanned) === maxScanned,
      behindSeconds: Number(behind),
    }
  }
}

const positionOf = (texts: readonly string[] | null): ChangePosition | undefined => {
  if (texts === null) return undefined
  const [xid = '', seq = '', id = ''] = texts
  return { xid: BigInt(xid), seq: BigInt(seq), id: BigInt(id) }
}

const readChange = ([xid, seq, id, table, kind, at]: ChangeRow): Change => ({
  position: { xid: BigInt(xid), seq: BigInt(seq), id: BigInt(id) },
  resource: resourceByTable.get(table) as Resource,
  id,
  kind,
  // In JSON the time has the form of RFC 3339, whatever the session's DateStyle.
  at: `${at}Z`,
})
