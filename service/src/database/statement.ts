/** In charge of what a statement is, and of the SQL that every statement over a resource shares. */
import type { NamedField, Resource } from '@muster/model'
import { isSearchable } from '@muster/model'

export interface Statement {
  /** Given to statements that recur: the server then parses and plans them once per connection. */
  readonly name?: string
  /** Given to a statement with a name that may take long all the same, so that the quick ones do not wait behind it. */
  readonly long?: true
  readonly text: string
  readonly values: readonly unknown[]
}

/** Collects the values of a statement and gives each its place. */
export class Parameters {
  readonly values: unknown[] = []

  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }
}

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
 * Which books these are. Counts start over in a database made anew, and go back in one that was restored: then the table
 * or the server's start is another.
 */
export const eraOfBooks = `('muster_ledger'::regclass::oid::text || '.' || extract(epoch from pg_postmaster_start_time())::text)`

/** The version that belongs to a count of changes: never the same for two states of a table. */
const versionOf = (changes: string): string => `${eraOfBooks} || '.' || coalesce(${changes}, 0)`

/** The same version, put together from what was read: a table that never changed has no changes in the books. */
export const versionIn = (era: string, changes = '0'): string => `${era}.${changes}`

/** One row: the version of the table and how many rows it has, in the snapshot of the statement it stands in. */
export const booksOf = ({ table }: Resource): string =>
  `(select ${versionOf('sum(changes)')} as version, coalesce(sum(rows), 0)::bigint as rows from muster_ledger where resource = ${literal(table)}) books`

/** The texts of the records that a select of `record_json` in the right order finds, joined by commas. */
export const joinedRecords = (select: string): string => `(select string_agg(record_json, ',') from (${select}) page)`

/** The text of a record: kept with the row, and put together anew where fields are withheld, so that these never leave the database. */
export const recordText = (resource: Resource): string => {
  if (!resource.redacted) return 'record_json'
  const fields = answerColumns(resource, quoted(resource.table))
  return `(select row_to_json(record)::text from (select ${fields}) record) as record_json`
}

/** The column that `q` looks into. */
export const searchColumn = ({ redacted, all }: Resource): string =>
  redacted && all.some((field) => field.personal && isSearchable(field)) ? 'search_text_public' : 'search_text'

/** The name of a statement that recurs: one for each of its texts. */
export const statementName = (verb: string, { path, redacted }: Resource): string =>
  redacted ? `${verb} ${path}, redacted` : `${verb} ${path}`

/** The record's fields as they are answered, in declared order, read from a row source called `alias`. */
export const answerColumns = (resource: Resource, alias: string): string =>
  resource.all
    .map((field) => {
      const isWithheld = resource.redacted && field.personal
      return `${isWithheld ? 'null' : answerExpression(field, alias)} as ${quoted(field.name)}`
    })
    .join(', ')

/** The stored columns alone. */
export const storedColumns = (resource: Resource): string => resource.stored.map(({ name }) => quoted(name)).join(', ')

const answerExpression = (field: NamedField, alias: string): string => {
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
