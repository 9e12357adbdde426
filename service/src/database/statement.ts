/** In charge of what a statement is, and of how fields of a record are written in SQL. */
import type { NamedField, Resource } from '@muster/model'

export interface Statement {
  /** Given to statements that recur: the server then parses and plans them once per connection. */
  readonly name?: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Table and column names come from the declarations alone; quoting keeps a reserved word from ending as a syntax error. */
export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`

/** The record's fields as they are answered, in declared order, read from a row source called `alias`. */
export const answerColumns = (resource: Resource, alias: string): string =>
  resource.all.map((field) => `${answerExpression(field, alias)} as ${quoted(field.name)}`).join(', ')

/** The stored columns alone, for inner selects that may skip rows: nothing is computed for a row that is not answered. */
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
