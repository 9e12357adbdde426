/** The migration from one description of the tables to another one, if it is safe. */

import { dropHistorySql } from './history-sql.ts'
import { becomesDeferrable, isTime, missingIn, refusalsOf } from './storage-refusals.ts'
import {
  columnSql,
  createTableSql,
  dropRecordFunctionSql,
  indexesSql,
  recordFunctionSql,
  referencesSql,
  statisticsSql,
  textColumnSql,
  trackHistorySql,
  trackSql,
} from './table-sql.ts'
import type { Storage, TableStorage, TextColumn } from './table-storage.ts'

export interface StorageMigration {
  /** What the name of the file says after its number, as in `add-interviews`. */
  readonly name: string
  readonly sql: string
}

export type StorageChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'migration'; readonly migration: StorageMigration }
  /** What cannot be done safely, one sentence for each. */
  | { readonly kind: 'refused'; readonly sentences: readonly string[] }

export const storageMigration = (before: Storage, after: Storage): StorageChange => {
  const refusals = Object.entries(before).flatMap(([table, description]) =>
    refusalsOf(table, description, after[table]),
  )
  if (refusals.length > 0) return { kind: 'refused', sentences: refusals }
  const newTables = Object.entries(after).filter(([table]) => before[table] === undefined)
  const changes = Object.entries(before)
    .map(([table, description]) => tableChange(table, description, after[table] as TableStorage))
    .filter((change) => statementsOf(change).length > 0)
  if (newTables.length === 0 && changes.length === 0) return { kind: 'none' }
  // A reference needs the table that it refers to and, if it is `within` a field, the unique key of that table.
  const statements: readonly Statement[] = [
    ...newTables.flatMap(([table, description]) => createTableSql(table, description).map((sql) => ({ sql }))),
    ...changes.flatMap((change) => change.tables),
    ...newTables.flatMap(([table, description]) =>
      newReferences(table, description, Object.keys(description.references)),
    ),
    ...changes.flatMap((change) => change.references),
    ...newTables.map(([table, description]) => ({ sql: trackSql(table, description) })),
    ...newTables.flatMap(([table, description]) => trackHistorySql(table, description).map((sql) => ({ sql }))),
    ...changes.flatMap((change) => change.tracking),
  ]
  const isExpanding = changes.every(({ stopsPrevious }) => stopsPrevious.length === 0)
  const about = [
    ...newTables.map(([table]) => `Adds the table ${table}.`),
    ...statements.flatMap((statement) => statement.about ?? []),
    ...lockSentences(statements, Object.keys(before)),
    ...changes.flatMap(({ stopsPrevious }) => stopsPrevious.map((sentence) => `${sentence}: stop it first.`)),
  ]
  return {
    kind: 'migration',
    migration: {
      name: migrationName(
        newTables.map(([table]) => table),
        changes,
      ),
      sql: `${[
        ...(isExpanding ? ['-- expands'] : []),
        generatedMark,
        ...about.map((sentence) => `-- ${sentence}`),
        '',
        statements.map(({ sql }) => sql).join('\n\n'),
      ].join('\n')}\n`,
    },
  }
}

/** By this line `npm run generate` recognizes a migration that it wrote, and may write again until it is committed. */
export const generatedMark = '-- Written by "npm run generate" from the declarations.'

const migrationName = (newTables: readonly string[], changes: readonly TableChange[]): string => {
  const names = [...newTables.map((table) => `add-${table}`), ...changes.map(({ name }) => name)]
  const name = names.join('-and-').replaceAll('_', '-')
  return name.length <= 60 ? name : `change-${newTables.length + changes.length}-tables`
}

/** What waits for a lock. The migration is one transaction, so it holds all locks until it ends. */
type Lock = 'everything' | 'writes'

interface Statement {
  readonly sql: string
  /** What it does, in sentences for the first lines of the migration. */
  readonly about?: readonly string[]
  /** Tables that it locks, except those that it creates. */
  readonly locks?: Readonly<Record<string, Lock>>
  /** Whether it takes longer, the more records a table has. */
  readonly isLong?: boolean
}

const lockSentences = (statements: readonly Statement[], existingTables: readonly string[]): string[] => {
  const locks = new Map<string, Lock>()
  for (const [table, lock] of statements.flatMap((statement) => Object.entries(statement.locks ?? {})))
    if (existingTables.includes(table) && locks.get(table) !== 'everything') locks.set(table, lock)
  const duration = statements.some(({ isLong }) => isLong)
    ? 'until the migration ends: docs/operations.md ("Migrations that write a table again") says how long'
    : 'for a moment'
  return [...locks].map(
    ([table, lock]) => `${lock === 'everything' ? 'Reads of and writes to' : 'Writes to'} ${table} wait ${duration}.`,
  )
}

interface TableChange {
  readonly name: string
  /** Columns, constraints and indexes. */
  readonly tables: readonly Statement[]
  readonly references: readonly Statement[]
  /** Triggers, row counts and the version. */
  readonly tracking: readonly Statement[]
  /** Why the previous release does not work with the new table. */
  readonly stopsPrevious: readonly string[]
}

const statementsOf = ({ tables, references, tracking }: TableChange): readonly Statement[] => [
  ...tables,
  ...references,
  ...tracking,
]

const tableChange = (table: string, before: TableStorage, after: TableStorage): TableChange => {
  const columns = missingIn(after.columns, before.columns)
  const texts = textChange(before, after)
  const isTextIndex = (name: string) => texts.dropped.some((column) => name === `${table}_${column}_idx`)
  // The index of a column is dropped with it.
  const droppedIndexes = Object.keys(before.indexes).filter(
    (name) => before.indexes[name] !== after.indexes[name] && !isTextIndex(name),
  )
  const newIndexes = Object.keys(after.indexes).filter(
    (name) => before.indexes[name] !== after.indexes[name] || isTextIndex(name),
  )
  const fieldIndexes = newIndexes.filter((name) => !name.includes('_search_text'))
  const defaults = Object.keys(after.defaults).filter((name) => before.defaults[name] !== after.defaults[name])
  // A default that is a time is set after the column was added: it would be the time of the migration for every record.
  const lateDefaults = defaults.filter((name) => !columns.includes(name) || isTime(after.defaults[name]))
  const columnStorage = {
    ...after,
    defaults: Object.fromEntries(Object.entries(after.defaults).filter(([name]) => !lateDefaults.includes(name))),
  }
  const changesTracking =
    after.states.some((name) => !before.states.includes(name)) ||
    'record_json' in before.texts !== 'record_json' in after.texts
  const parts = [
    ...columns,
    ...(columns.length === 0 ? fieldIndexes.map((name) => name.slice(table.length + 1, -4)) : []),
  ]
  return {
    name: [columns.length > 0 ? 'add' : fieldIndexes.length > 0 ? 'index' : 'change', table, ...parts].join('-'),
    tables: [
      ...alterTable(
        table,
        texts.dropped
          // A text that changes is written again below.
          .map((name) => ({
            sql: `drop column ${name}`,
            about: texts.added.includes(name) ? [] : [`Removes the text ${table}.${name}.`],
          })),
      ),
      ...(texts.hasNewRecord && before.record !== null ? [{ sql: dropRecordFunctionSql(table, before) }] : []),
      ...(texts.hasNewRecord && after.record !== null ? [{ sql: recordFunctionSql(table, after) }] : []),
      ...droppedIndexes.map(
        (name): Statement => ({
          sql: `drop index ${name};`,
          about: newIndexes.includes(name) ? [] : [`Drops the index ${name}.`],
          locks: { [table]: 'everything' },
        }),
      ),
      ...alterTable(table, [
        ...columns.map((name) => ({
          sql: `add column ${columnSql(name, columnStorage)}`,
          about: [`Adds the column ${table}.${name}.`],
        })),
        ...texts.added.map((name) => ({
          sql: `add column ${textColumnSql(name, after.texts[name] as string)}`,
          about: [`Writes the text ${table}.${name} for every row.`],
          isLong: true,
        })),
        ...missingIn(after.constraints, before.constraints).map((name) => addConstraint(name, after)),
      ]),
      ...alterTable(table, [
        ...lateDefaults.map((name) => ({
          sql: `alter column ${name} set default ${after.defaults[name]}`,
          about: [`Sets the default of ${table}.${name}.`],
        })),
        ...missingIn(before.defaults, after.defaults).map((name) => ({
          sql: `alter column ${name} drop default`,
          about: [`Removes the default of ${table}.${name}.`],
        })),
      ]),
      ...statisticsSql(table, texts.added).map((sql) => ({ sql })),
      ...indexesSql(table, after, newIndexes).map(
        (sql): Statement => ({
          sql,
          about: newIndexes.map((name) => `Builds the index ${name}.`),
          locks: { [table]: 'writes' },
          isLong: true,
        }),
      ),
    ],
    references: [
      ...newReferences(table, after, missingIn(after.references, before.references), true),
      ...alterTable(
        table,
        Object.keys(after.references)
          .filter((name) => becomesDeferrable(name, before, after))
          .map((name) => ({ sql: `alter constraint ${name} deferrable`, about: [`Makes ${name} deferrable.`] })),
      ),
    ],
    tracking: [
      ...(changesTracking
        ? [
            {
              sql: trackSql(table, after),
              about: [`Counts the rows of ${table} again.`],
              locks: { [table]: 'writes' },
              isLong: true,
            } as const,
          ]
        : []),
      ...historyChange(table, before, after),
      // Responses changed, although no row did: a cached one is out of date.
      ...(texts.hasNewRecord ? [{ sql: `select public.muster_update_table_version('${table}', 0);` }] : []),
    ],
    stopsPrevious: [
      ...(revealsPersonal(before, after)
        ? [`The previous release does not know that ${table} has personal fields, and would show them`]
        : []),
      ...texts.dropped
        .filter((name) => !texts.added.includes(name))
        .map((name) => `The previous release reads ${table}.${name}`),
    ],
  }
}

/** The functions are dropped first, because PostgreSQL does not replace one that returns other columns. */
const historyChange = (table: string, before: TableStorage, after: TableStorage): Statement[] => {
  if (JSON.stringify(before.history) === JSON.stringify(after.history)) return []
  const fields = Object.keys(after.history?.fields ?? {})
  return [
    ...(before.history === undefined ? [] : [{ sql: dropHistorySql(table) }]),
    ...trackHistorySql(table, after).map(
      (sql, index): Statement => ({
        sql,
        ...(index === 0 ? { about: [`Records changes of ${table} (${fields.join(', ')}).`] } : {}),
        locks: { [table]: 'writes' },
      }),
    ),
  ]
}

/** One statement with several actions, for which PostgreSQL locks the table once and writes it once. */
const alterTable = (table: string, actions: readonly Statement[]): Statement[] =>
  actions.length === 0
    ? []
    : [
        {
          sql: `alter table ${table}\n${actions.map(({ sql }) => `  ${sql}`).join(',\n')};`,
          about: actions.flatMap(({ about = [] }) => about),
          locks: { [table]: 'everything' },
          isLong: actions.some(({ isLong }) => isLong),
        },
      ]

const addConstraint = (name: string, { constraints }: TableStorage): Statement => {
  const definition = constraints[name]?.definition ?? ''
  return {
    sql: `add constraint ${name} ${definition}`,
    about: [definition.startsWith('unique') ? `Builds the index of ${name}.` : `Checks ${name} for every row.`],
    isLong: true,
  }
}

const newReferences = (table: string, storage: TableStorage, names: readonly string[], hasRows = false): Statement[] =>
  referencesSql(table, storage, names).map((sql) => ({
    sql,
    about: hasRows ? names.map((name) => `Checks ${name} for every row.`) : [],
    locks: Object.fromEntries([table, ...names.map((name) => targetOf(storage, name))].map((each) => [each, 'writes'])),
    isLong: hasRows,
  }))

const targetOf = ({ references }: TableStorage, name: string): string =>
  / references (\w+)/.exec(references[name] ?? '')?.[1] ?? ''

const textChange = (before: TableStorage, after: TableStorage) => {
  const hasNewRecord = JSON.stringify(before.record) !== JSON.stringify(after.record)
  const names = [...new Set([...Object.keys(before.texts), ...Object.keys(after.texts)])] as TextColumn[]
  const changed = names.filter(
    (name) => before.texts[name] !== after.texts[name] || (name === 'record_json' && hasNewRecord),
  )
  return {
    hasNewRecord,
    changed,
    dropped: changed.filter((name) => before.texts[name] !== undefined),
    added: changed.filter((name) => after.texts[name] !== undefined),
  }
}

/**
 * A release that knows no personal field of a resource sends the stored text of a record to every client, and searches the
 * text of all fields unless it knows a personal one that is searched.
 */
const revealsPersonal = (before: TableStorage, after: TableStorage): boolean =>
  after.personal.some((name) => !before.personal.includes(name)) &&
  (before.personal.length === 0 ||
    (before.texts.search_text_public === undefined && after.texts.search_text_public !== undefined))
