/** The SQL that creates tables, their generated texts and their indexes. */
import { columnName } from './columns.ts'
import { historySql } from './history-sql.ts'
import type { Storage, TableStorage, TextColumn } from './table-storage.ts'
import { recordFunction } from './table-storage.ts'

const lineWidth = 120

/** The items on as many lines as they need, separated by commas. */
const wrapped = (items: readonly string[], indent: string): string => {
  const lines: string[] = []
  for (const [index, item] of items.entries()) {
    const text = index < items.length - 1 ? `${item},` : item
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + text.length <= lineWidth) lines[lines.length - 1] = `${line} ${text}`
    else lines.push(indent + text)
  }
  return lines.join('\n')
}

/** Tables without their references, which are added by `referencesSql` when all tables exist. */
export const createTableSql = (table: string, storage: TableStorage): string[] => [
  ...(storage.record === null ? [] : [recordFunctionSql(table, storage)]),
  `create table ${table} (\n${[
    ...Object.keys(storage.columns).map((name) => `  ${columnSql(name, storage)}`),
    ...Object.entries(storage.texts).map(([name, expression]) => `  ${textColumnSql(name, expression)}`),
    ...Object.entries(storage.constraints).map(([name, { definition }]) => `  constraint ${name} ${definition}`),
  ].join(',\n')}\n);`,
  ...statisticsSql(table, Object.keys(storage.texts) as TextColumn[]),
  ...indexesSql(table, storage, Object.keys(storage.indexes)),
]

export const columnSql = (name: string, { columns, defaults }: TableStorage): string =>
  `${columnName(name)} ${columns[name]}${defaults[name] === undefined ? '' : ` default ${defaults[name]}`}`

/** A function in PL/pgSQL: PostgreSQL would set up one in SQL again for each statement, because it is too large to inline. */
export const recordFunctionSql = (table: string, { columns, record }: TableStorage): string => {
  const parameters = Object.entries(columns).map(([name, definition]) => `${name} ${typeOf(definition)}`)
  const values = Object.entries(record ?? {}).map(([name, value]) => (value === name ? name : `${value} as ${name}`))
  return [
    `create function ${recordFunction(table)}(`,
    wrapped(parameters, '  '),
    ') returns text language plpgsql immutable parallel safe as $$',
    'begin',
    '  return (select row_to_json(record)::text from (select',
    wrapped(values, '    '),
    '  ) record);',
    'end',
    '$$;',
  ].join('\n')
}

export const dropRecordFunctionSql = (table: string, { columns }: TableStorage): string =>
  `drop function ${recordFunction(table)}(\n${wrapped(Object.values(columns).map(typeOf), '  ')}\n);`

const typeOf = (definition: string): string => /^(?:double precision|\w+)/.exec(definition)?.[0] ?? definition

export const textColumnSql = (name: string, expression: string): string =>
  `${name} text not null generated always as (${wrappedExpression(expression)}) stored`

/** The arguments of the record function, and the parts of a search text, on lines of their own if they are long. */
const wrappedExpression = (expression: string): string => {
  if (expression.length <= lineWidth / 2) return expression
  const [, name = '', content = ''] = /^([\w.]+)\((.*)\)$/.exec(expression) ?? []
  const separator = content.includes(' || ') ? ` || E'\\n' || ` : ', '
  const parts = content.split(separator)
  if (separator === ', ') return `${name}(\n${wrapped(parts, '    ')}\n  )`
  return `${name}(\n    ${parts.join(`\n    || E'\\n' || `)}\n  )`
}

/**
 * The planner estimates a search term by comparing it with every sampled text. Ten samples tell rare terms from frequent
 * ones as well as a hundred, and planning a search takes 0.25 ms instead of 1.5 ms. Nothing compares record_json.
 */
export const statisticsSql = (table: string, names: readonly TextColumn[]): string[] =>
  names.length === 0
    ? []
    : [
        `alter table ${table}\n${names
          .map((name) => `  alter column ${name} set statistics ${name === 'record_json' ? 0 : 10}`)
          .join(',\n')};`,
      ]

/** The index of a search text that is not stored has statistics of its own. */
export const indexesSql = (table: string, { indexes }: TableStorage, names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [
        names
          .flatMap((name) => [
            `create index ${name} on ${table} using ${indexes[name]};`,
            ...(indexes[name]?.startsWith('gin ((') ? [`alter index ${name} alter column 1 set statistics 10;`] : []),
          ])
          .join('\n'),
      ]

export const referencesSql = (table: string, { references }: TableStorage, names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`alter table ${table}\n${names.map((name) => `  add constraint ${name} ${references[name]}`).join(',\n')};`]

/** Triggers for row counts, versions and the change feed. */
export const trackSql = (table: string, { states }: TableStorage): string =>
  `select public.muster_track_table('${table}', array[${states.map((name) => `'${name}'`).join(', ')}]::text[]);`

/** Triggers and functions for the history, if the table has one. */
export const trackHistorySql = (table: string, storage: TableStorage): string[] =>
  storage.history === undefined ? [] : historySql(table, { ...storage, history: storage.history })

/** Creates tables: first all of them, then their references, so that their order does not matter. */
export const createTablesSql = (storage: Storage): string[] => {
  const tables = Object.entries(storage)
  if (tables.length === 0) return []
  return [
    ...tables.flatMap(([table, description]) => createTableSql(table, description)),
    ...tables.flatMap(([table, description]) => referencesSql(table, description, Object.keys(description.references))),
    tables.map(([table, description]) => trackSql(table, description)).join('\n'),
    ...tables.flatMap(([table, description]) => trackHistorySql(table, description)),
  ]
}
