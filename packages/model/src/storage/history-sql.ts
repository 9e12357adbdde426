/** The SQL that records changes of tracked fields, and that reads earlier values of a table from its history. */
import { columnName } from './columns.ts'
import type { HistoryStorage, TableStorage } from './table-storage.ts'

export const versionsFunction = (table: string): string => `public.muster_versions_${table}`
export const valuesFunction = (table: string): string => `public.muster_values_on_${table}`

const literal = (text: string | null): string => (text === null ? 'null' : `'${text}'`)
const array = (values: readonly (string | null)[]): string => `array[${values.map(literal).join(', ')}]::text[]`

const typeOf = ({ columns }: TableStorage, name: string): string => /^\w+/.exec(columns[name] ?? '')?.[0] ?? ''
/** History stores all values as text. */
const typed = (storage: TableStorage, name: string, text: string): string =>
  typeOf(storage, name) === 'text' ? text : `(${text})::${typeOf(storage, name)}`

/** Triggers that write the history of a table, and functions that read it. */
export const historySql = (table: string, storage: TableStorage & { readonly history: HistoryStorage }): string[] => {
  const { resource, fields } = storage.history
  const names = Object.keys(fields)
  const columns = names.map((name) => `${columnName(name)} ${typeOf(storage, name)}`).join(', ')
  return [
    `select public.muster_track_history('${table}', '${resource}', ${array(names)}, ${array(Object.values(fields))});`,
    [
      `create function ${versionsFunction(table)}()`,
      `returns table (record_id bigint, version bigint, valid_from date, valid_to date, ${columns})`,
      'language sql stable parallel safe as $$',
      versionsSelect(table, storage),
      '$$;',
      `comment on function ${versionsFunction(table)}() is`,
      `  'One row per version of each record: the values of its tracked fields from valid_from until the day before valid_to';`,
    ].join('\n'),
    [
      `create function ${valuesFunction(table)}(day date)`,
      `returns table (record_id bigint, ${columns})`,
      'language sql stable parallel safe as $$',
      valuesSelect(table, storage),
      '$$;',
      `comment on function ${valuesFunction(table)}(date) is`,
      `  'The values of the tracked fields of all present records at the end of a day';`,
    ].join('\n'),
  ]
}

export const dropHistorySql = (table: string): string =>
  [`drop function ${versionsFunction(table)}();`, `drop function ${valuesFunction(table)}(date);`].join('\n')

/** Of changes `c` that are grouped: for each field, whether it changed and its old value. */
const changesPerField = (names: readonly string[]): string =>
  names
    .map(
      (name, index) =>
        `      bool_or(c.field = '${name}') as changes_${index + 1}, max(c.old) filter (where c.field = '${name}') as old_${index + 1}`,
    )
    .join(',\n')

/**
 * All versions of all records. Changes that one statement recorded for the same day make one version. Several on one day
 * make versions of zero days, so that a stage that was passed within a day is there.
 *
 * `steps` are the changes, and the first version of each record with changes. Sorted from the last one, `later` collects
 * the old values of the changes after each step, the nearest one last: that is the value of the version, and without one the
 * present value is. One sort serves all fields.
 */
export const versionsSelect = (table: string, storage: TableStorage & { readonly history: HistoryStorage }): string => {
  const { resource, startDay, fields } = storage.history
  const names = Object.keys(fields)
  const start = startDay === null ? 'null::date' : `t.${columnName(startDay)}`
  // A first day after the first change would give a version a negative length.
  const firstDay =
    startDay === null
      ? 'v.valid_from'
      : `coalesce(v.valid_from, case when ${start} is not null then least(${start}, v.valid_to) end)`
  const each = (text: (name: string, index: number) => string): string => names.map(text).join(',\n')
  return [
    '  with changes as (',
    '    select h.record_id, h."on", h.at, h.id, h.field, h.old,',
    '      row_number() over (partition by h.record_id, h.field, h."on", h.at order by h.id) as repetition',
    `    from public.history h where h.resource = '${resource}'`,
    '  ), steps as (',
    '    select c.record_id, c."on", min(c.id) as first_id,',
    changesPerField(names),
    '    from changes c group by c.record_id, c."on", c.at, c.repetition',
    '    union all',
    `    select distinct c.record_id, null::date, null::bigint, ${names.map(() => 'false, null::text').join(', ')} from changes c`,
    '  ), versions as (',
    '    select s.record_id, s."on" as valid_from,',
    '      count(*) over (partition by s.record_id) - row_number() over later + 1 as version,',
    '      lag(s."on") over later as valid_to,',
    // The step itself began the version, so only the steps after it count.
    each(
      (_, index) =>
        `      array_agg(s.old_${index + 1}) filter (where s.changes_${index + 1}) over (later rows between unbounded preceding and 1 preceding) as later_${index + 1}`,
    ),
    '    from steps s',
    '    window later as (partition by s.record_id order by s."on" desc nulls last, s.first_id desc nulls last)',
    '  )',
    `  select t.id, v.version, ${firstDay}, v.valid_to,`,
    each(
      (name, index) =>
        `    case when v.later_${index + 1} is null then t.${columnName(name)} else ${typed(storage, name, `v.later_${index + 1}[cardinality(v.later_${index + 1})]`)} end`,
    ),
    `  from versions v join public.${table} t on t.id = v.record_id`,
    '  union all',
    `  select t.id, 1, ${start}, null::date, ${names.map((name) => `t.${columnName(name)}`).join(', ')}`,
    `  from public.${table} t where not exists (select from changes c where c.record_id = t.id)`,
  ].join('\n')
}

/** Each value is the old value of the first change after the day, or else the present value. */
const valuesSelect = (table: string, storage: TableStorage & { readonly history: HistoryStorage }): string => {
  const { resource, fields } = storage.history
  const names = Object.keys(fields)
  const each = (text: (name: string, index: number) => string): string => names.map(text).join(',\n')
  return [
    '  with changes as (',
    '    select distinct on (h.record_id, h.field) h.record_id, h.field, h.old',
    `    from public.history h where h.resource = '${resource}' and h."on" > $1`,
    '    order by h.record_id, h.field, h."on", h.id',
    '  ), earlier as (',
    '    select c.record_id,',
    changesPerField(names),
    '    from changes c group by c.record_id',
    '  )',
    '  select t.id,',
    each(
      (name, index) =>
        `    case when e.changes_${index + 1} then ${typed(storage, name, `e.old_${index + 1}`)} else t.${columnName(name)} end`,
    ),
    `  from public.${table} t left join earlier e on e.record_id = t.id`,
  ].join('\n')
}
