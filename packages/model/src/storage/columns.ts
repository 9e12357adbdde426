/** How fields are stored: the type of a column, and the SQL expressions of what responses show and search terms are compared with. */
import type { Field, NamedField } from '../schema/field.ts'
import { isSearchable } from '../schema/field.ts'
import type { Resource } from '../schema/resource.ts'
import type { SearchDeclaration } from '../schema/search.ts'

/** Reserved words among the names of fields. Migrations do not quote other names, because people read them. */
const reservedWords: readonly string[] = ['on']

export const columnName = (name: string): string => (reservedWords.includes(name) ? `"${name}"` : name)

export const columnType = ({ kind }: Field): string => {
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

/** The value of a field as responses show it, from the SQL expression of its column. */
export const responseValue = ({ kind }: Field, column: string): string => {
  switch (kind) {
    case 'withheld':
      return 'null'
    case 'date':
      return `to_char(${column}, 'YYYY-MM-DD')`
    case 'timestamp':
      // The text must not depend on the session's TimeZone and DateStyle, which the server's administrator can change.
      return `rtrim(rtrim(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z'`
    default:
      return column
  }
}

/**
 * What an index on the field contains: text without case and by code point, so that an upgrade of the operating system's
 * collations cannot leave the index in the wrong order; everything else as it is.
 */
export const indexKey = ({ kind, name }: NamedField): string =>
  kind === 'text' ? `public.muster_key(${columnName(name)}) collate "C"` : columnName(name)

/** Fields that `q` searches. Clients that see no personal fields search only the others. */
const searchedFields = ({ allFields: all }: Resource, isPublic: boolean): readonly NamedField[] =>
  all.filter((field) => isSearchable(field) && !(isPublic && field.personal))

/** Whether clients that see no personal fields search another text than the others. */
export const hasPublicSearchText = (resource: Resource): boolean =>
  resource.allFields.some((field) => field.personal && isSearchable(field))

/** The text that search terms are compared with. */
export const searchTextExpression = (
  resource: Resource,
  isPublic: boolean,
  columnOf: (name: string) => string = (name) => name,
): string => {
  const values = searchedFields(resource, isPublic).map(({ name, required }) =>
    required ? columnOf(name) : `coalesce(${columnOf(name)}, '')`,
  )
  return values.length === 0 ? `''` : `public.muster_fold(${values.join(` || E'\\n' || `)})`
}

const literal = (value: string | number): string => (typeof value === 'number' ? String(value) : `'${value}'`)

/**
 * The names of a record as the ranked search compares them: in the order of the fields, and in reverse order. Bounded,
 * because an entry of an index has room for some 2,700 bytes.
 */
export const nameKeys = (
  { fields }: Resource,
  { name }: SearchDeclaration,
  columnOf: (name: string) => string = (column) => column,
): string[] => {
  const keyOf = (names: readonly string[]): string => {
    const texts = names.map((each) => (fields[each]?.required ? columnOf(each) : `coalesce(${columnOf(each)}, '')`))
    return `"left"(public.muster_fold(btrim(${texts.join(` || ' ' || `)})), ${maxNameKey}) collate "C"`
  }
  return name.length === 1 ? [keyOf(name)] : [keyOf(name), keyOf(name.toReversed())]
}

export const maxNameKey = 200

/** 1 if the record is over, else 0: a condition could not be found in an index if it is `or`. */
export const endedKey = (
  { fields }: Resource,
  { ended }: SearchDeclaration,
  columnOf: (name: string) => string = (column) => column,
): string => {
  const conditions = Object.entries(ended).map(([name, values]) => {
    const key = fields[name]?.kind === 'text' ? `public.muster_key(${columnOf(name)}) collate "C"` : columnOf(name)
    return `${key} in (${values.map(literal).join(', ')})`
  })
  return `((${conditions.join(' or ')})::int)`
}
