/** In charge of what a statement is, and of the SQL that every statement over a resource shares. */
import type { Expansion, NamedField, Resource } from '@muster/model'
import { isSearchable } from '@muster/model'
import { escapeLiteral } from 'pg'

/** The connection pools; each kind of work has its own, so that none waits behind another. */
export const poolNames = [
  /** Records by id, plain pages and kept counts: prepared, and below a millisecond. */
  'read',
  /** Sorted lists, lists by a selective filter, and pages with chosen fields or related records: planned for their values. */
  'list',
  /** Words, other filters and counts over the table: may take seconds. */
  'search',
  /** Creates, and the queries that belong to one. */
  'write',
  /** Versions of the tables and health checks, which never wait behind a slow statement. */
  'control',
  /** Lists as files, which take as long as their reader. */
  'export',
  'maintenance',
] as const

export type PoolName = (typeof poolNames)[number]

export interface Statement {
  /** Exports are not run as a statement: see `Database.copy`. */
  readonly pool: Exclude<PoolName, 'export'>
  /** Given to statements that recur: the server then parses and plans them once per connection. */
  readonly name?: string
  /** What a statement without a name is told as in metrics and traces. */
  readonly summary?: string
  /** The tables whose locks it may wait for; those of `told` by default. */
  readonly tables?: readonly string[]
  /** Given where a column tells the version of what was read, so that a replica may be asked too. */
  readonly told?: { readonly resource: Resource; readonly column: number }
  readonly text: string
  readonly values: readonly unknown[]
}

/** The names of a statement in metrics and traces. */
export type Labels = Pick<Statement, 'name' | 'summary'>

export const summaryOf = ({ name, summary }: Labels): string => name ?? summary ?? 'unnamed'

/** Collects the values of a statement and gives each its place. */
export class Parameters {
  readonly values: unknown[] = []

  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }
}

/** Writes the values into the statement itself: of COPY, which takes no others. */
export class Literals extends Parameters {
  override add(value: unknown): string {
    return Array.isArray(value) ? `array[${value.map(anyLiteral).join(', ')}]` : anyLiteral(value)
  }
}

const anyLiteral = (value: unknown): string => escapeLiteral(String(value))

/** Table and column names come from the declarations alone; quoting keeps a reserved word from ending as a syntax error. */
export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * A row source of one row that makes the statement it stands in durable: it is acknowledged when its commit is on disk,
 * and on the synchronous standby where there is one, whatever the server's default; and a wait for that standby which an
 * administrator cut short is told. Set here and not for the session, since behind a pooler the session is not ours.
 */
export const durably =
  `(select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true),` +
  ` set_config('client_min_messages', 'warning', true)) durably`

/**
 * The first part of every version. Counts of changes go back after a restore or a crash, so each part changes with one of
 * the events that can take them back (docs/decisions/0026):
 * - muster_epoch: a restore by pg_restore or psql, which fills it last; "muster doctor --repair".
 * - the file of muster_ledger, which names the database too: a copy of the database under its name, truncated counts.
 * - the server's start: a restart, a failover, point-in-time recovery.
 * - the reset time of statistics, which crash recovery discards: a crash of a backend, after which the postmaster goes on
 *   and commits with synchronous_commit = off may be lost.
 * A standby uses the epoch that its primary wrote into a table (muster_note_era builds the same text).
 */
export const eraOfBooks =
  `(case when pg_is_in_recovery() then muster_noted_era()` +
  ` else (select epoch from muster_epoch) || '.' || pg_relation_filepath('muster_ledger')` +
  ` || '.' || extract(epoch from pg_postmaster_start_time())::text` +
  ` || '.' || extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text end)`

/** The version that belongs to counts of changes: never the same for two states of the tables. */
const versionOf = (tables: readonly string[], changes: readonly string[]): string =>
  [eraOfBooks, ...changes.map((count) => `coalesce(${count}, 0)`)].join(" || '.' || ") + markOf(tables)

/**
 * A standby says more: commits become visible there in the order of the log, on the primary in an order of their own, so
 * that for a moment two states may have equal counts. The mark tells them apart.
 */
const markOf = (tables: readonly string[]): string =>
  ` || case when pg_is_in_recovery() then ${literal(markSeparator)} || muster_mark(array[${tables.join(', ')}]) else '' end`

const markSeparator = '@'

/** The version as a standby in the same state tells it. */
export const markedVersion = (version: string, marks: readonly (string | undefined)[]): string =>
  `${version}${markSeparator}${marks.map((mark) => mark ?? '0').join('.')}`

/** The same version, put together from what was read: a table that never changed has no changes in the books. */
export const versionIn = (era: string, changes: readonly (string | undefined)[]): string =>
  [era, ...changes.map((count) => count ?? '0')].join('.')

/** The tables that answers are read from: the resource's own, then those of related records. */
export const tablesOf = ({ table, shape }: Resource): string[] => [
  ...new Set([table, ...(shape?.expansions ?? []).map(({ resource }) => resource.table)]),
]

/** The same tables as one word, by which their version is asked for. */
export const sourceOf = (resource: Resource): string => tablesOf(resource).join(sourceSeparator)

export const sourceSeparator = ' '

/** One row: the version of all that is read and how many rows the table has, in the snapshot of the statement it stands in. */
export const booksOf = (resource: Resource): string => {
  const [table, ...others] = tablesOf(resource).map(literal)
  if (others.length === 0)
    return `(select ${versionOf([table as string], ['sum(changes)'])} as version, coalesce(sum(rows), 0)::bigint as rows from muster_ledger where resource = ${table}) books`
  const changes = [table, ...others].map((each) => `sum(changes) filter (where resource = ${each})`)
  return (
    `(select ${versionOf([table as string, ...others], changes)} as version, coalesce(sum(rows) filter (where resource = ${table}), 0)::bigint as rows` +
    ` from muster_ledger where resource in (${[table, ...others].join(', ')})) books`
  )
}

/** The texts of the records that a select of `record_json` in the right order finds, joined by commas. */
export const joinedRecords = (select: string): string => `(select string_agg(record_json, ',') from (${select}) page)`

/** The text of a record: kept with the row, and put together anew where fields are withheld or not asked for, so that these never leave the database. */
export const recordText = (resource: Resource): string =>
  resource.redacted || resource.shape !== undefined
    ? `${recordExpression(resource, quoted(resource.table))} as record_json`
    : 'record_json'

const recordExpression = (resource: Resource, alias: string): string => {
  const expansions = resource.shape?.expansions ?? []
  const own = ownExpression(resource, alias)
  if (expansions.length === 0) return own
  return `left(${own}, -1) || ${expansions.map((expansion) => memberExpression(expansion, alias)).join(' || ')} || '}'`
}

const ownExpression = (resource: Resource, alias: string): string => {
  const fields = resource.shape?.fields
  if (!resource.redacted && fields === undefined) return `${alias}.record_json`
  const columns = answerColumns({ ...resource, all: fields ?? resource.all }, alias)
  return `(select row_to_json(record)::text from (select ${columns}) record)`
}

/** A related record as one more member of the record that refers to it: from the same snapshot, so that it is the one with that id. */
const memberExpression = ({ relation, resource }: Expansion, alias: string): string => {
  const found = `select ${recordExpression(resource, 'related')} from ${quoted(resource.table)} related where related.id = ${alias}.${quoted(relation.field.name)}`
  return `${literal(`,"${relation.name}":`)} || coalesce((${found}), 'null')`
}

/** The column that `q` looks into. */
export const searchColumn = ({ redacted, all }: Resource): string =>
  redacted && all.some((field) => field.personal && isSearchable(field)) ? 'search_text_public' : 'search_text'

/** The name of a statement that recurs: one for each of its texts. A shape has none, since there are more shapes than a session could remember. */
export const named = (verb: string, { path, redacted, shape }: Resource): Labels => {
  if (shape !== undefined) return { summary: `${verb} ${path}, shaped` }
  return { name: redacted ? `${verb} ${path}, redacted` : `${verb} ${path}` }
}

/** The pool of a page whose rows are known: a page with related records costs many times more. */
export const pagePool = ({ shape }: Resource): 'read' | 'list' => (shape === undefined ? 'read' : 'list')

/** The record's fields as they are answered, in declared order, read from a row source called `alias`. */
export const answerColumns = (resource: Resource, alias: string, express = answerExpression): string =>
  resource.all
    .map((field) => {
      const isWithheld = resource.redacted && field.personal
      return `${isWithheld ? 'null' : express(field, alias)} as ${quoted(field.name)}`
    })
    .join(', ')

/** The stored columns alone. */
export const storedColumns = (resource: Resource): string => resource.stored.map(({ name }) => quoted(name)).join(', ')

export const answerExpression = (field: NamedField, alias: string): string => {
  const column = `${alias}.${quoted(field.name)}`
  switch (field.kind) {
    case 'withheld':
      return 'null'
    case 'date':
      return `to_char(${column}, 'YYYY-MM-DD')`
    case 'timestamp':
      // Independent of the session's TimeZone and DateStyle, which belong to the server's administrator.
      return `rtrim(rtrim(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z'`
    default:
      return column
  }
}

/** The type of a field's column. */
export const columnType = ({ kind }: NamedField): string => {
  switch (kind) {
    case 'id':
    case 'reference':
    case 'integer':
      return 'bigint'
    case 'number':
      return 'double precision'
    case 'date':
      return 'date'
    case 'timestamp':
      return 'timestamptz'
    default:
      return 'text'
  }
}
