/**
 * How the declarations are stored: columns, constraints and indexes of every table as the SQL that creates each of them.
 * `npm run generate` compares this description with the committed one, and writes a migration for what was added.
 */
import { DeclarationError } from '../schema/declaration-error.ts'
import type { NamedField } from '../schema/field.ts'
import { isNeverBlank, isSearchable, maxLengths } from '../schema/field.ts'
import type { Resource } from '../schema/resource.ts'
import { trackedFields } from '../schema/resource.ts'
import {
  columnName,
  columnType,
  endedKey,
  hasPublicSearchText,
  indexKey,
  nameKeys,
  responseValue,
  searchTextExpression,
} from './columns.ts'

export interface TableStorage {
  /** Types of the columns with a field, by name, in declaration order. */
  readonly columns: Readonly<Record<string, string>>
  readonly defaults: Readonly<Record<string, string>>
  /** Columns that clients without a token do not see. */
  readonly personal: readonly string[]
  readonly constraints: Readonly<Record<string, Constraint>>
  /** Foreign keys; they are added when all tables exist. */
  readonly references: Readonly<Record<string, string>>
  /** Method and keys of the indexes, by name. */
  readonly indexes: Readonly<Record<string, string>>
  /** The expressions of the generated text columns; those that the declaration does not store are missing. */
  readonly texts: Partial<Readonly<Record<TextColumn, string>>>
  /** The value of each field in the JSON text of a record, if that is stored. */
  readonly record: Readonly<Record<string, string>> | null
  /** The columns whose values have row counts of their own. */
  readonly states: readonly string[]
  /** Missing if no field is tracked. */
  readonly history?: HistoryStorage
}

/** How a table has a history. */
export interface HistoryStorage {
  /** Path of the resource, by which its entries are found. */
  readonly resource: string
  /** The column with the day of the first values, if there is one. */
  readonly startDay: string | null
  /** The tracked columns, each with the column of the day on which its value began, or null. */
  readonly fields: Readonly<Record<string, string | null>>
}

export interface Constraint {
  readonly columns: readonly string[]
  readonly definition: string
}

export type TextColumn = 'search_text' | 'search_text_public' | 'record_json'

/** By table. */
export type Storage = Readonly<Record<string, TableStorage>>

export const storageOf = (resources: readonly Resource[]): Storage =>
  Object.fromEntries(
    resources.map((resource) => {
      const storage = tableStorage(resource, resources)
      checkNames(resource, storage)
      return [resource.table, storage]
    }),
  )

/** PostgreSQL cuts longer names, so two of them could be the same. */
const maxNameLength = 63

const checkNames = ({ path, table }: Resource, { constraints, references, indexes }: TableStorage): void => {
  const names = [...[constraints, references, indexes].flatMap(Object.keys), `muster_history_${table}_truncate`]
  const long = names.find((name) => name.length > maxNameLength)
  if (long !== undefined)
    throw new DeclarationError(`${path}: the name ${long} in the database has more than ${maxNameLength} characters`)
}

const tableStorage = (resource: Resource, resources: readonly Resource[]): TableStorage => {
  const { table, storedFields: stored, storedTexts } = resource
  return {
    columns: Object.fromEntries(stored.map((field) => [field.name, columnDefinition(field)])),
    defaults: Object.fromEntries(
      stored.flatMap((field) => {
        const value = defaultOf(field)
        return value === undefined ? [] : [[field.name, value]]
      }),
    ),
    personal: stored.filter(({ personal }) => personal).map(({ name }) => name),
    constraints: { ...uniqueConstraints(resource, resources), ...checks(resource) },
    references: references(resource, resources),
    indexes: { ...fieldIndexes(resource, resources), ...searchIndexes(resource), ...nameIndexes(resource) },
    texts: {
      ...(storedTexts.search ? searchTexts(resource) : {}),
      ...(storedTexts.record
        ? { record_json: `${recordFunction(table)}(${stored.map(({ name }) => name).join(', ')})` }
        : {}),
    },
    record: storedTexts.record
      ? Object.fromEntries(resource.allFields.map((field) => [field.name, responseValue(field, field.name)]))
      : null,
    states: stored.filter(({ state }) => state).map(({ name }) => name),
    ...historyStorage(resource),
  }
}

const historyStorage = (resource: Resource): { readonly history?: HistoryStorage } => {
  const fields = trackedFields(resource)
  if (fields.length === 0) return {}
  return {
    history: {
      resource: resource.path,
      startDay: resource.startDay ?? null,
      fields: Object.fromEntries(
        fields.map(({ name, history }) => [name, typeof history === 'object' ? history.day : null]),
      ),
    },
  }
}

export const recordFunction = (table: string): string => `public.muster_record_${table}`

const columnDefinition = (field: NamedField): string =>
  [
    columnType(field),
    // Words such as slugs and states compare by code point, as their indexes do. Names and prose have the collation of the
    // database, by which people sort them in SQL.
    field.kind === 'text' && field.maxLength === maxLengths.word ? 'collate "C"' : '',
    field.kind === 'id' ? 'generated by default as identity primary key' : field.required ? 'not null' : '',
  ]
    .filter((part) => part !== '')
    .join(' ')

const defaultOf = ({
  now,
  today,
  importDefault,
  default: createDefault = importDefault,
}: NamedField): string | undefined => {
  if (now) return `date_trunc('second', now())`
  if (today) return `(now() at time zone 'utc')::date`
  return typeof createDefault === 'string' ? literal(createDefault) : createDefault?.toString()
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A reference `within` a field of its own record refers to both columns, so they are unique together. */
const withinFields = ({ path }: Resource, resources: readonly Resource[]): string[] => [
  ...new Set(
    resources.flatMap(({ allFields: all }) =>
      all.flatMap(({ references }) => (references?.resource === path && references.within ? [references.within] : [])),
    ),
  ),
]

const uniqueConstraints = (resource: Resource, resources: readonly Resource[]): Record<string, Constraint> =>
  Object.fromEntries(
    [...resource.unique, ...withinFields(resource, resources).map((name) => [name, 'id'])].map((columns) => [
      `${resource.table}_${columns.join('_')}_key`,
      { columns, definition: `unique (${columns.join(', ')})` },
    ]),
  )

const checks = ({ table, storedFields: stored }: Resource): Record<string, Constraint> =>
  Object.fromEntries(
    stored.flatMap((field): [string, Constraint][] => {
      const { name, create, maxLength, notBefore } = field
      const check = (kind: string, condition: string, ...others: readonly string[]): [string, Constraint] => [
        `${table}_${name}_check_${kind}`,
        { columns: [name, ...others], definition: `check (${condition})` },
      ]
      return [
        ...(isNeverBlank(field) ? [check('blank', `btrim(${columnName(name)}, E' \\t\\n\\r\\f\\x0b') <> ''`)] : []),
        ...(create !== 'never' && maxLength !== undefined
          ? [check('length', `char_length(${columnName(name)}) <= ${maxLength}`)]
          : []),
        ...(notBefore === undefined
          ? []
          : [check('order', `${columnName(name)} >= ${columnName(notBefore)}`, notBefore)]),
      ]
    }),
  )

const references = (resource: Resource, resources: readonly Resource[]): Record<string, string> =>
  Object.fromEntries(
    resource.relations.map(({ field: { name, references }, resource: path }) => {
      const target = resources.find((candidate) => candidate.path === path)
      if (target === undefined)
        throw new DeclarationError(`${resource.path}.${name} refers to ${path}, which is not declared`)
      const within = references?.within
      const keys = within === undefined ? `(${name}) references ${target.table}` : withinKeys(within, name, target)
      // Two tables that refer to each other cannot be loaded otherwise. `muster sync` inserts a team before it moves its
      // parent to the same organization.
      const deferrable = within !== undefined || reaches(target, resource, resources)
      return [`${resource.table}_${name}_fkey`, `foreign key ${keys}${deferrable ? ' deferrable' : ''}`]
    }),
  )

const withinKeys = (within: string, name: string, { table }: Resource): string =>
  `(${within}, ${name}) references ${table} (${within}, id)`

/** Whether references lead from one resource to another one. */
const reaches = (from: Resource, to: Resource, resources: readonly Resource[]): boolean => {
  if (from.path === to.path) return false
  const visited = new Set<string>()
  const visit = ({ path, relations }: Resource): boolean => {
    if (path === to.path) return true
    if (visited.has(path)) return false
    visited.add(path)
    return relations.some((relation) => {
      const next = resources.find((candidate) => candidate.path === relation.resource)
      return next !== undefined && visit(next)
    })
  }
  return visit(from)
}

/** One index per filter and sort order. It ends with the id, so it gives the complete order of a list. */
const fieldIndexes = (resource: Resource, resources: readonly Resource[]): Record<string, string> => {
  const { table, filterableFields, sortableFields } = resource
  const coveredNames = withinFields(resource, resources)
  const names = new Set([...filterableFields, ...sortableFields].map(({ name }) => name))
  const fields = resource.storedFields.filter(
    ({ name, kind }) => names.has(name) && kind !== 'id' && !coveredNames.includes(name),
  )
  return Object.fromEntries(fields.map((field) => [`${table}_${field.name}_idx`, `btree (${indexKey(field)}, id)`]))
}

const searchTexts = (resource: Resource): Partial<Record<TextColumn, string>> => ({
  search_text: searchTextExpression(resource, false),
  ...(hasPublicSearchText(resource) ? { search_text_public: searchTextExpression(resource, true) } : {}),
})

/** Without a searchable field there is nothing to find. */
const searchIndexes = (resource: Resource): Record<string, string> =>
  resource.allFields.some(isSearchable)
    ? Object.fromEntries(
        Object.entries(searchTexts(resource)).map(([column, expression]) => [
          `${resource.table}_${column}_idx`,
          `gin (${resource.storedTexts.search ? column : `(${expression})`} gin_trgm_ops)`,
        ]),
      )
    : {}

/** The ranked search reads its first results from these in their order, so it costs the same for names that are frequent. */
const nameIndexes = (resource: Resource): Record<string, string> => {
  const { table, search } = resource
  if (search === undefined) return {}
  return Object.fromEntries(
    nameKeys(resource, search).map((key, index) => [
      `${table}_search_name${index === 0 ? '' : '_reversed'}_idx`,
      `btree (${endedKey(resource, search)}, (${key}), id)`,
    ]),
  )
}
