import type { Expansion, NamedField, Resource } from '@muster/model'
import { hasPublicSearchText, redactedValue, responseValue, searchTextExpression } from '@muster/model'
import { escapeLiteral } from 'pg'

/** The connection pools; each kind of work has its own, so that none waits behind another. */
export const poolNames = [
  /** Records by id, plain pages and stored row counts: prepared statements that take less than a millisecond. */
  'read',
  /**
   * Sorted lists, lists by a selective filter, pages with selected fields or related records: planned on every run.
   */
  'list',
  /** Search terms, other filters, and counts that read the table: may take seconds. */
  'search',
  /** Reports, which read whole tables. */
  'report',
  /** Creates, and the queries that belong to a create. */
  'write',
  /** Table versions and health checks, which never wait behind a slow statement. */
  'control',
  /** Exports, which take as long as their client reads. */
  'export',
  'maintenance',
] as const

export type PoolName = (typeof poolNames)[number]

export interface Statement {
  /** Exports are not run as a statement: see `Database.copy`. */
  readonly pool: Exclude<PoolName, 'export'>
  /** A named statement is parsed and planned once per connection. */
  readonly name?: string
  /** Label of an unnamed statement in metrics and traces. */
  readonly summary?: string
  /** The tables whose locks the statement may wait for; those of `versionOf` by default. */
  readonly tables?: readonly string[]
  /**
   * Set by `versionedSelect`: the first column is the version of this resource's tables, so a replica may run it too.
   */
  readonly versionOf?: TableSource
  readonly text: string
  readonly values: readonly unknown[]
}

/** The names that statements can have in metrics and traces. */
export type Labels = Pick<Statement, 'name' | 'summary'>

export const summaryOf = ({ name, summary }: Labels): string => name ?? summary ?? 'unnamed'

/** Collects the values of a statement and returns the placeholder of each. */
export class Parameters {
  readonly values: unknown[] = []

  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }
}

/** Writes values into the statement itself, for COPY, which accepts no parameters. */
export class Literals extends Parameters {
  override add(value: unknown): string {
    return Array.isArray(value) ? `array[${value.map(anyLiteral).join(', ')}]` : anyLiteral(value)
  }
}

const anyLiteral = (value: unknown): string => escapeLiteral(String(value))

/** Identifiers come only from the declarations; quoting prevents syntax errors with reserved words. */
export const quoteIdentifier = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`

export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * A one-row FROM item that turns on synchronous commit for its transaction: the commit is acknowledged when it is on
 * disk, and on the synchronous standby if there is one, whatever the server's default. It also enables the warning that
 * the server sends if an administrator cancels the wait for that standby. It is set per statement, because behind a
 * pooler the session is shared.
 */
export const durableCommit =
  `(select set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true),` +
  ` set_config('client_min_messages', 'warning', true)) durably`

/**
 * The epoch: the first part of every version. A restore or a crash can reset change counts to earlier values, so each
 * part of the epoch changes with one of these events (docs/decisions/0026):
 * - muster_epoch: a restore with pg_restore or psql, which fill it last; "muster doctor --repair".
 * - the file path of muster_table_versions, which includes the database: a copy that takes the database's name, a
 *   truncate.
 * - the server's start time: a restart, a failover, point-in-time recovery.
 * - the reset time of statistics, which crash recovery discards: a crash of a backend, after which the postmaster keeps
 *   running and commits with synchronous_commit = off may be lost.
 * A standby uses the epoch that its primary stored in a table (muster_record_epoch builds the same text).
 */
export const epochExpression =
  `(case when pg_is_in_recovery() then muster_recorded_epoch()` +
  ` else (select epoch from muster_epoch) || '.' || pg_relation_filepath('muster_table_versions')` +
  ` || '.' || extract(epoch from pg_postmaster_start_time())::text` +
  ` || '.' || extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text end)`

/** The version for the given change counts: never the same for two states of the tables. */
const versionOf = (tables: readonly string[], changes: readonly string[]): string =>
  [epochExpression, ...changes.map((count) => `coalesce(${count}, 0)`)].join(" || '.' || ") + fingerprintOf(tables)

/**
 * On a standby commits become visible in the order of the log, on the primary in a different order, so two states can
 * briefly have equal counts. A standby therefore adds a fingerprint to its version.
 */
const fingerprintOf = (tables: readonly string[]): string =>
  ` || case when pg_is_in_recovery() then ${quoteLiteral(fingerprintSeparator)} || muster_version_fingerprint(array[${tables.join(', ')}]) else '' end`

const fingerprintSeparator = '@'

/** The version that a standby in the same state reports. */
export const versionWithFingerprints = (version: string, fingerprints: readonly (string | undefined)[]): string =>
  `${version}${fingerprintSeparator}${fingerprints.map((fingerprint) => fingerprint ?? '0').join('.')}`

/** Builds the version from values that were already read. A table that was never written to has no change count. */
export const joinVersion = (epoch: string, changes: readonly (string | undefined)[]): string =>
  [epoch, ...changes.map((count) => count ?? '0')].join('.')

/** What a response is read from: a resource, or the tables of a report. */
export type TableSource = Pick<Resource, 'table' | 'projection' | 'joinedTables'>

/** Several tables as the source of a response. The row count of the response is that of the first. */
export const sourceOf = ([table, ...joinedTables]: readonly [string, ...string[]]): TableSource => ({
  table,
  joinedTables,
})

/** The tables that a response is read from: the resource's own, then those of related records. */
export const tablesOf = ({ table, projection, joinedTables = [] }: TableSource): string[] => [
  ...new Set([table, ...(projection?.expansions ?? []).map(({ resource }) => resource.table), ...joinedTables]),
]

/** The tables of a resource as one key, by which their version is looked up. */
export const tableKey = (source: TableSource): string => tablesOf(source).join(tableSeparator)

export const tableSeparator = ' '

/** Optional parts of a select built by `versionedSelect`. */
export interface SelectParts {
  /** Common table expressions, without the keyword "with". */
  readonly queries?: string | undefined
  readonly join?: string | undefined
}

/** A select whose first column is the version of everything it reads. `columns` may use `counts.rows`. */
export const versionedSelect = (
  source: TableSource,
  columns: string,
  { queries, join = '' }: SelectParts = {},
): Required<Pick<Statement, 'text' | 'versionOf'>> => ({
  versionOf: source,
  text: `${queries === undefined ? '' : `with ${queries} `}select counts.version, ${columns} from ${versionAndCount(source)}${join}`,
})

/**
 * A query with one row: the version of all tables of the source and the row count of its first table, in the snapshot
 * of the statement.
 */
const versionAndCount = (source: TableSource): string => {
  const [table, ...otherTables] = tablesOf(source).map(quoteLiteral)
  if (otherTables.length === 0)
    return `(select ${versionOf([table as string], ['sum(changes)'])} as version, coalesce(sum(rows), 0)::bigint as rows from muster_table_versions where table_name = ${table}) counts`
  const changes = [table, ...otherTables].map((each) => `sum(changes) filter (where table_name = ${each})`)
  return (
    `(select ${versionOf([table as string, ...otherTables], changes)} as version, coalesce(sum(rows) filter (where table_name = ${table}), 0)::bigint as rows` +
    ` from muster_table_versions where table_name in (${[table, ...otherTables].join(', ')})) counts`
  )
}

/**
 * The records of a page may have this many bytes. Those of a larger page are streamed, because in the service they would
 * take several times as much memory (docs/decisions/0057).
 */
export const maxPageBytes = 2_000_000

const joined = `string_agg(record_json, ',')`

/**
 * The records of an ordered select of `record_json`, joined by commas; null if they exceed `maxPageBytes`. PostgreSQL
 * joins them once, and the check takes about 1 % of the time of a page.
 */
export const joinedRecords = (select: string): string =>
  `(select case when octet_length(${joined}) > ${maxPageBytes} then null else coalesce(${joined}, '') end from (${select}) page)`

/**
 * The JSON text of a record, which is stored with the row. If fields are redacted or not requested, it is built without
 * them, so that they never leave the database. It is also built if the resource does not store it.
 */
export const recordText = (resource: Resource): string =>
  resource.redacted || resource.projection !== undefined || !resource.storedTexts.record
    ? `${recordExpression(resource, quoteIdentifier(resource.table))} as record_json`
    : 'record_json'

const recordExpression = (resource: Resource, alias: string): string => {
  const expansions = resource.projection?.expansions ?? []
  const ownRecord = ownExpression(resource, alias)
  if (expansions.length === 0) return ownRecord
  return `left(${ownRecord}, -1) || ${expansions.map((expansion) => memberExpression(expansion, alias)).join(' || ')} || '}'`
}

const ownExpression = (resource: Resource, alias: string): string => {
  const fields = resource.projection?.fields
  if (!resource.redacted && fields === undefined && resource.storedTexts.record) return `${alias}.record_json`
  const columns = responseColumns({ ...resource, allFields: fields ?? resource.allFields }, alias)
  return `(select row_to_json(record)::text from (select ${columns}) record)`
}

/** A related record as another member of the record that refers to it, from the same snapshot. */
const memberExpression = ({ relation, resource }: Expansion, alias: string): string => {
  const relatedSelect = `select ${recordExpression(resource, 'related')} from ${quoteIdentifier(resource.table)} related where related.id = ${alias}.${quoteIdentifier(relation.field.name)}`
  return `${quoteLiteral(`,"${relation.name}":`)} || coalesce((${relatedSelect}), 'null')`
}

/** The text that `q` searches: a column, or its expression if the resource does not store it. */
export const searchText = (resource: Resource): string => {
  const isPublic = resource.redacted && hasPublicSearchText(resource)
  if (resource.storedTexts.search) return isPublic ? 'search_text_public' : 'search_text'
  return searchTextExpression(
    resource,
    isPublic,
    (name) => `${quoteIdentifier(resource.table)}.${quoteIdentifier(name)}`,
  )
}

/**
 * The name of a prepared statement, one per SQL text. Statements with a projection or joined tables have none, because
 * there are more combinations than a session could store.
 */
export const statementLabels = (verb: string, { path, redacted, projection, joinedTables }: Resource): Labels => {
  if (projection !== undefined) return { summary: `${verb} ${path}, projected` }
  if (joinedTables !== undefined) return { summary: `${verb} ${path}, joined` }
  return { name: redacted ? `${verb} ${path}, redacted` : `${verb} ${path}` }
}

/**
 * The pool for a page whose rows are already known. A page with related records costs many times more, and a statement
 * without a name is planned each time.
 */
export const pagePool = ({ projection, joinedTables }: Resource): 'read' | 'list' =>
  projection === undefined && joinedTables === undefined ? 'read' : 'list'

/** The fields of a record as responses show them, in declaration order, from a row source called `alias`. */
export const responseColumns = (resource: Resource, alias: string, expressionOf = responseExpression): string =>
  resource.allFields
    .map((field) => {
      const isRedacted = resource.redacted && field.personal
      return `${isRedacted ? redactedLiteral(field) : expressionOf(field, alias)} as ${quoteIdentifier(field.name)}`
    })
    .join(', ')

/** SQL for the value that replaces a personal one. */
export const redactedLiteral = (field: NamedField): string => {
  const value = redactedValue(field)
  return value === null ? 'null' : quoteLiteral(value)
}

/** SQL condition: the column has a personal value, and not the one that replaces it. */
export const hasPersonalValue = (field: NamedField, column: string): string =>
  `${column} is distinct from ${redactedLiteral(field)}`

/** SQL condition: the row has a personal value. The resource must have a personal field. */
export const hasPersonalValues = ({ storedFields }: Resource, alias: string): string =>
  `(${storedFields
    .filter(({ personal }) => personal)
    .map((field) => hasPersonalValue(field, `${alias}.${quoteIdentifier(field.name)}`))
    .join(' or ')})`

export const storedColumns = (resource: Resource): string =>
  resource.storedFields.map(({ name }) => quoteIdentifier(name)).join(', ')

export const responseExpression = (field: NamedField, alias: string): string =>
  responseValue(field, `${alias}.${quoteIdentifier(field.name)}`)
