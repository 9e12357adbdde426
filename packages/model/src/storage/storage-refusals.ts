/** Changes of the tables that are not safe without knowing the stored records. */
import type { Constraint, TableStorage } from './table-storage.ts'

const byHand = 'Write the migration by hand (docs/adding-a-resource.md).'

/** The names that only one of two descriptions has. */
export const missingIn = (present: object, other: object): string[] =>
  Object.keys(present).filter((name) => !(name in other))

/** Whether existing records have no value in a new column: it is optional, and a default is set only after it was added. */
export const startsEmpty = ({ columns, defaults }: TableStorage, name: string): boolean =>
  !/ not null$/.test(columns[name] ?? '') && (defaults[name] === undefined || isTime(defaults[name]))

export const isTime = (expression: string | undefined): boolean => expression?.includes('now()') === true

export const refusalsOf = (table: string, before: TableStorage, after: TableStorage | undefined): string[] => {
  if (after === undefined)
    return [
      `The table ${table} is no longer declared: was its resource renamed or removed? That could lose records. ${byHand}`,
    ]
  const newColumns = missingIn(after.columns, before.columns)
  const removedFields = new Set([
    ...missingIn(before.columns, after.columns),
    ...(after.record === null ? [] : missingIn(before.record ?? {}, after.record)),
  ])
  return [
    ...[...removedFields].map(
      (name) =>
        `${table}.${name} is no longer declared: was it renamed or removed? That could lose its values. ${byHand}`,
    ),
    ...Object.keys(before.columns)
      .filter((name) => name in after.columns && before.columns[name] !== after.columns[name])
      .map(
        (name) =>
          `${table}.${name} is "${after.columns[name]}" instead of "${before.columns[name]}", which stored values may not allow. ${byHand}`,
      ),
    ...newColumns
      .filter(
        (name) => !startsEmpty(after, name) && (after.defaults[name] === undefined || isTime(after.defaults[name])),
      )
      .map(
        (name) =>
          `${table}.${name} is required and has no default that is right for existing records. Make it optional, or give it a default.`,
      ),
    ...constraintNames(before, after)
      .filter((name) => !isSafe(before.constraints[name], after.constraints[name], newColumns, after))
      .map((name) => `The constraint ${name} was added, changed or removed; stored records may violate it. ${byHand}`),
    ...Object.entries(after.constraints).flatMap(([name, constraint]) => {
      const column = filledColumn(constraint, before, after)
      return column === undefined
        ? []
        : [
            `The constraint ${name} includes ${table}.${column}, whose default also fills records that the previous release creates: these may violate it. Leave out the default, or stop that release first. ${byHand}`,
          ]
    }),
    ...referenceNames(before, after)
      .filter((name) => !isNewReference(name, table, before, newColumns) && !becomesDeferrable(name, before, after))
      .map((name) => `The reference ${name} was added, changed or removed; stored records may violate it. ${byHand}`),
    ...missingIn(before.indexes, after.indexes)
      .filter((name) => !name.includes('_search_text') && !isCovered(name, after))
      .map((name) => `The index ${name} is no longer declared, but older releases may use it. ${byHand}`),
    ...missingIn(before.history?.fields ?? {}, after.history?.fields ?? {}).map(
      (name) => `${table}.${name} has no history any more: its recorded changes would have to be deleted. ${byHand}`,
    ),
    ...before.states
      .filter((name) => !after.states.includes(name))
      .map((name) => `${table}.${name} is no longer a state, but older releases count its values. ${byHand}`),
  ]
}

const constraintNames = (before: TableStorage, after: TableStorage): string[] =>
  [...new Set([...Object.keys(before.constraints), ...Object.keys(after.constraints)])].filter(
    (name) => before.constraints[name]?.definition !== after.constraints[name]?.definition,
  )

/** Whether no stored record can violate a new constraint. */
const isSafe = (
  before: Constraint | undefined,
  after: Constraint | undefined,
  newColumns: readonly string[],
  storage: TableStorage,
): boolean => {
  if (before !== undefined || after === undefined) return false
  const { columns, definition } = after
  // Every record has an id of its own.
  if (definition.startsWith('unique') && columns.includes('id')) return true
  // Null satisfies every check, and is never equal to another null.
  if (columns.some((name) => newColumns.includes(name) && startsEmpty(storage, name))) return true
  return definition.startsWith('check') && columns.every((name) => newColumns.includes(name))
}

/**
 * The column of a constraint that a default of this migration fills in creates of the previous release, if they may violate
 * the constraint then: that release does not set the column.
 */
const filledColumn = (
  { columns, definition }: Constraint,
  before: TableStorage,
  after: TableStorage,
): string | undefined => {
  const isNew = (name: string): boolean => !(name in before.columns)
  const isCheck = definition.startsWith('check')
  // A default satisfies the checks of its own column. Two new dates of a check that have a default have the same.
  if (isCheck ? columns.every(isNew) || columns.length === 1 : columns.includes('id')) return undefined
  // In creates of the previous release this column is null, which satisfies every constraint.
  if (columns.some((name) => isNew(name) && after.defaults[name] === undefined)) return undefined
  return columns.find((name) => before.defaults[name] === undefined && after.defaults[name] !== undefined)
}

const referenceNames = (before: TableStorage, after: TableStorage): string[] =>
  [...new Set([...Object.keys(before.references), ...Object.keys(after.references)])].filter(
    (name) => before.references[name] !== after.references[name],
  )

const isNewReference = (name: string, table: string, before: TableStorage, newColumns: readonly string[]): boolean =>
  before.references[name] === undefined && newColumns.some((column) => name === `${table}_${column}_fkey`)

/** Another reference made a cycle of this one, so it is checked at the end of a transaction. */
export const becomesDeferrable = (name: string, before: TableStorage, after: TableStorage): boolean =>
  before.references[name] !== undefined && after.references[name] === `${before.references[name]} deferrable`

/** Whether the index of a unique constraint has the same keys. */
const isCovered = (index: string, { constraints }: TableStorage): boolean =>
  `${index.slice(0, -'_idx'.length)}_id_key` in constraints
