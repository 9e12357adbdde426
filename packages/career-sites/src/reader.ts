/** What career sites need of the server to read the database. */

export interface Query {
  /** How long the query takes: `read` less than a millisecond, `list` some, `search` and `report` up to seconds. */
  readonly pool: 'read' | 'list' | 'search' | 'report'
  /** A query with a name is prepared once per connection, one with a summary is planned each time. */
  readonly name?: string
  readonly summary?: string
  /** All tables that the query reads. */
  readonly tables: readonly [string, ...string[]]
  /** Selected expressions. `counts.rows` is the row count of the first table. */
  readonly columns: string
  /** Common table expressions, without the keyword "with". */
  readonly queries?: string
  readonly join?: string
  readonly values: readonly unknown[]
}

/** A value with the version of the tables that it was read at. */
export interface Versioned<T> {
  readonly version: string
  readonly value: T
}

export interface Reader {
  /** Runs a query that has one row, and returns its columns. */
  select(query: Query): Promise<Versioned<readonly unknown[]>>
}

/** A column that may be null. */
export type Cell = string | null
