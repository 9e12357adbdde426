/** Exact counts by group, from one snapshot. Stored row counts are used where possible. */
import type { Grouping, Resource, TimeUnit } from '@muster/model'
import { maxGroups, resourceAt } from '@muster/model'
import type { Runner } from '../postgres/connection/database.ts'
import type { Statement } from '../postgres/sql/statement.ts'
import {
  Parameters,
  quoteIdentifier,
  quoteLiteral,
  statementLabels,
  versionedSelect,
} from '../postgres/sql/statement.ts'
import type { ListFilters } from './filters.ts'
import { boundedOffset, conditionsOf, hasFilters, matchesNothing } from './filters.ts'

export interface CountQuery extends ListFilters {
  /** One or two groupings. */
  readonly groupings: readonly Grouping[]
  /** Undefined: all groups, of which there may be `maxGroups`. */
  readonly window?: GroupWindow | undefined
}

export interface GroupWindow {
  readonly limit: number
  readonly offset: bigint
}

export interface Counts {
  readonly version: string
  readonly total: number
  readonly groups: number
  /** The groups as JSON objects, joined by commas. */
  readonly groupsJson: string
}

/** Undefined if there are more than `maxGroups` groups, and no window was requested. */
export const countGroups = async (
  reader: Runner,
  resource: Resource,
  query: CountQuery,
): Promise<Counts | undefined> => {
  const [row] = await reader.run(countStatement(resource, query))
  const [version, groups, total, groupsJson] = row as readonly [string, number, string | null, string | null]
  return groups > maxGroups && query.window === undefined
    ? undefined
    : { version, groups, total: Number(total ?? 0), groupsJson: groupsJson ?? '' }
}

export const countStatement = (resource: Resource, query: CountQuery): Statement => {
  const [firstGrouping, ...otherGroupings] = query.groupings
  const isStatus = firstGrouping?.field.state && firstGrouping.relation === undefined
  const statusGrouping = isStatus && otherGroupings.length === 0 && !hasFilters(query) ? firstGrouping : undefined
  return statusGrouping === undefined
    ? tableStatement(resource, query)
    : storedCountsStatement(resource, statusGrouping, query.window)
}

const tableStatement = (resource: Resource, query: CountQuery): Statement => {
  const parameters = new Parameters()
  const { groupings } = query
  const columnNumbers = columnNumbersOf(groupings)
  const conditions = matchesNothing(query) ? 'false' : conditionsOf(resource, query, parameters)
  const storedValues = groupings.map((grouping, index) => `${storedValue(grouping)} as value_${index + 1}`).join(', ')
  const groupKeys = groupings.map((grouping, index) => `${groupKey(grouping, index)} as value_${index + 1}`).join(', ')
  const rows = `select ${storedValues}, count(*) as count from ${quoteIdentifier(resource.table)} where ${conditions} group by ${columnNumbers}`
  const values = groupings.some(({ relation }) => relation !== undefined) ? relatedValues(groupings, rows) : rows
  const groups = `select ${groupKeys}, sum(count) as count from (${values}) stored group by ${columnNumbers}${groupLimit(query.window)}`
  return {
    pool: 'search',
    ...groupsSelect(resource, groupings, `groups as materialized (${groups})`, windowClause(query.window, parameters)),
    values: parameters.values,
  }
}

/** The grouped columns come first in each select, so that `group by` can name them by number. */
const columnNumbersOf = (groupings: readonly Grouping[]): string => groupings.map((_, index) => index + 1).join(', ')

/** Total and number of groups describe the whole, so a window needs all groups. */
const groupLimit = (window: GroupWindow | undefined): string => (window === undefined ? ` limit ${maxGroups + 1}` : '')

const windowClause = (window: GroupWindow | undefined, parameters: Parameters): string =>
  window === undefined
    ? ''
    : ` limit ${parameters.add(window.limit)} offset ${parameters.add(boundedOffset(window.offset))}`

/**
 * Replaces references by values of the records they refer to. The rows are grouped by reference before, so that each
 * related record is joined once, not once per row.
 */
const relatedValues = (groupings: readonly Grouping[], rows: string): string => {
  const values = groupings.map(({ relation, field }, index) => {
    const value = `value_${index + 1}`
    return relation === undefined
      ? `stored.${value}`
      : `related_${index + 1}.${quoteIdentifier(field.name)} as ${value}`
  })
  const joins = groupings.map(({ relation }, index) =>
    relation === undefined
      ? ''
      : ` left join ${quoteIdentifier(resourceAt(relation.resource).table)} related_${index + 1} on related_${index + 1}.id = stored.value_${index + 1}`,
  )
  return `select ${values.join(', ')}, sum(stored.count) as count from (${rows}) stored${joins.join('')} group by ${columnNumbersOf(groupings)}`
}

/**
 * A status field has one filter key per value; the recursion finds the keys without reading every bucket of a large
 * table.
 */
const storedCountsStatement = (resource: Resource, grouping: Grouping, window: GroupWindow | undefined): Statement => {
  const parameters = new Parameters()
  const table = quoteLiteral(resource.table)
  const { name } = grouping.field
  const keyPrefix = quoteLiteral(`${name}=`)
  // ">" follows "=" in ASCII, so this is an upper bound of the filter keys of the field.
  const within = (filterKey: string) => `table_name = ${table} and ${filterKey} < ${quoteLiteral(`${name}>`)}`
  const nextKey = (comparison: string) =>
    `(select filter_key from muster_count_buckets where ${within('filter_key')} and filter_key ${comparison} order by filter_key limit 1)`
  const groups = `select substr(filter_key, ${name.length + 2}) as value_1, muster_row_count(${table}, array[filter_key]) as count from (select filter_key from folded where filter_key is not null union select filter_key from muster_count_deltas where ${within('filter_key')} and filter_key >= ${keyPrefix}) scopes`
  return {
    pool: 'read',
    ...statementLabels(window === undefined ? `count by ${name}` : `page of counts by ${name}`, resource),
    ...groupsSelect(
      resource,
      [grouping],
      `recursive folded (filter_key) as (select ${nextKey(`>= ${keyPrefix}`)} union all select ${nextKey('> folded.filter_key')} from folded where folded.filter_key is not null),` +
        ` groups as materialized (select * from (${groups}) counted where count > 0${groupLimit(window)})`,
      windowClause(window, parameters),
    ),
    values: parameters.values,
  }
}

/** Selects version, number of groups, total, and the groups as ordered JSON, from a query called `groups`. */
const groupsSelect = (resource: Resource, groupings: readonly Grouping[], queries: string, window: string) => {
  const shownColumns = groupings.map(
    (grouping, index) => `${shownAs(grouping, `value_${index + 1}`)} as ${quoteIdentifier(grouping.name)}`,
  )
  const order = groupings.map((_, index) => `value_${index + 1} nulls last`).join(', ')
  const orderedGroups = `select (select row_to_json(answered)::text from (select ${shownColumns.join(', ')}, count) answered) as text from groups order by ${order}${window}`
  const groupsJson = `(select string_agg(text, ',') from (${orderedGroups}) ordered)`
  return versionedSelect(resource, `(select count(*) from groups), (select sum(count) from groups), ${groupsJson}`, {
    queries,
  })
}

const storedValue = ({ field, unit, relation }: Grouping): string => {
  const column = quoteIdentifier((relation?.field ?? field).name)
  if (unit === undefined) return column
  const timestamp = field.kind === 'date' ? `${column}::timestamp` : `${column} at time zone 'UTC'`
  return `date_trunc(${quoteLiteral(unit)}, ${timestamp})`
}

/**
 * Text values that a filter treats as equal form one group. The key is computed once per distinct value: when it was
 * computed per row, a million rows took 515 ms instead of 86 ms.
 */
const groupKey = ({ field }: Grouping, index: number): string =>
  field.kind === 'text' ? `muster_key(value_${index + 1}) collate "C"` : `value_${index + 1}`

const shownAs = ({ unit }: Grouping, value: string): string =>
  unit === undefined ? value : `to_char(${value}, ${quoteLiteral(unitFormats[unit])})`

/** A week belongs to the year of its Thursday: 2027-01-01 is in 2026-W53. */
const unitFormats: Readonly<Record<TimeUnit, string>> = {
  year: 'YYYY',
  month: 'YYYY-MM',
  week: 'IYYY-"W"IW',
  day: 'YYYY-MM-DD',
}
