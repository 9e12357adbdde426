/** The filters of a list, grouped by field, as the declarations have them. */
import type {
  ComputedFilter,
  FilterOperator,
  Grouping,
  ListFilter,
  NamedField,
  Relation,
  Resource,
} from '@muster/model'
import { addDays, isIdList, relationFilters } from '@muster/model'
import { joinValues, splitValues } from '../../search-parameters.ts'
import type { Parameters } from './list-query.ts'
import { filterParameters } from './list-query.ts'

/** All filters by one field, or one computed filter. */
export interface FilterField {
  /** The name of the field, `<relation>.<field>`, or the parameter of a computed filter. It is also a grouping. */
  readonly key: string
  readonly about: string
  readonly field?: NamedField
  readonly relation?: Relation
  readonly computed?: ComputedFilter
  /** The parameter for each comparison that the field has. */
  readonly parameters: Readonly<Partial<Record<FilterOperator, string>>>
  /** If true, the filter is not offered where personal values are withheld. */
  readonly isPersonal: boolean
}

export interface ActiveFilter {
  readonly filter: FilterField
  readonly values: Readonly<Partial<Record<FilterOperator, string>>>
}

const cache = new WeakMap<Resource, readonly FilterField[]>()

export const filterFields = (resource: Resource): readonly FilterField[] => {
  const known = cache.get(resource)
  if (known !== undefined) return known
  const filters = [
    ...byField(resource.listFilters),
    ...resource.computedFilters.map((computed) => ({
      key: computed.parameter,
      about: computed.about,
      computed,
      parameters: { equals: computed.parameter },
      isPersonal: computed.personal,
    })),
    ...byField(relationFilters(resource)),
  ]
  cache.set(resource, filters)
  return filters
}

const byField = (filters: readonly (ListFilter & { readonly relation?: Relation })[]): FilterField[] => {
  const groups = Map.groupBy(filters, ({ field, relation }) => fieldKey(field, relation))
  return [...groups].map(([key, [first, ...others]]) => {
    const { field, relation } = first as ListFilter & { readonly relation?: Relation }
    return {
      key,
      about: field.about,
      field,
      ...(relation === undefined ? {} : { relation }),
      parameters: Object.fromEntries(
        [first as ListFilter, ...others].map(({ test, parameter }) => [test, parameter] as const),
      ),
      isPersonal: field.personal,
    }
  })
}

const fieldKey = (field: NamedField, relation: Relation | undefined): string =>
  relation === undefined ? field.name : `${relation.name}.${field.name}`

/** Whether one filter can select several values. */
export const takesSeveral = ({ field, computed }: FilterField): boolean =>
  computed === undefined && field !== undefined && (isIdList(field) || field.kind === 'text')

/** The filters in the URL, and the parameters that no filter of this resource has. */
export const activeFilters = (
  resource: Resource,
  parameters: Parameters,
): { readonly active: readonly ActiveFilter[]; readonly unknown: readonly string[] } => {
  const given = filterParameters(parameters)
  const active = filterFields(resource).flatMap((filter) => {
    const values = Object.fromEntries(
      Object.entries(filter.parameters).flatMap(([test, parameter]) => {
        const value = given[parameter]
        return value === undefined ? [] : [[test, value]]
      }),
    )
    return Object.keys(values).length === 0 ? [] : [{ filter, values }]
  })
  const names = active.flatMap(({ filter }) => Object.values(filter.parameters))
  return { active, unknown: Object.keys(given).filter((name) => !names.includes(name)) }
}

/** A change of the search parameters that removes the filter. */
export const withoutFilter = ({ parameters }: FilterField): Readonly<Record<string, undefined>> =>
  Object.fromEntries(Object.values(parameters).map((parameter) => [parameter, undefined]))

/** The value of a filter in words: `≥ 2026-01-01`, `not rejected, withdrawn`. */
export const filterText = (
  { values }: Pick<ActiveFilter, 'values'>,
  nameOf: (value: string) => string = (value) => value,
): string => {
  const { equals, not, from, to, is_null: isNull } = values
  const list = (text: string): string => splitValues(text).map(nameOf).join(', ')
  return [
    ...(equals === undefined ? [] : [list(equals)]),
    ...(not === undefined ? [] : [`not ${list(not)}`]),
    ...(from === undefined || to === undefined ? [] : [from === to ? from : `${from} to ${to}`]),
    ...(from === undefined || to !== undefined ? [] : [`≥ ${from}`]),
    ...(to === undefined || from !== undefined ? [] : [`≤ ${to}`]),
    ...(isNull === undefined ? [] : [/^(true|1)$/i.test(isNull) ? 'is null' : 'is not null']),
  ].join(', ')
}

/** Adds the value to a list of values, or removes it. Texts are compared ignoring case, as the service does. */
export const toggledValue = (list: string | undefined, value: string): string | undefined => {
  const values = splitValues(list)
  const others = values.filter((other) => other.toLowerCase() !== value.toLowerCase())
  return joinValues(others.length < values.length ? others : [...values, value])
}

/** `year(consent_at)` as words. */
export const groupingLabel = ({ name, field, unit }: Grouping): string =>
  unit === undefined ? name : `${field.name} by ${unit}`

/** The texts of a filter longer than this are shown in part by counts, so no filter can have them. */
const maxFilterableLength = 200

/** The parameters of the records of one group of a count. Undefined if no filter selects them. */
export const groupParameters = (resource: Resource, grouping: string, group: unknown): Parameters | undefined => {
  const [, unit, timeField] = /^(year|month|week|day)\((.+)\)$/.exec(grouping) ?? []
  if (group === null) {
    const parameter = `${timeField ?? grouping}_is_null`
    return resource.listFilters.some((filter) => filter.parameter === parameter) ? { [parameter]: 'true' } : undefined
  }
  const value = String(group)
  if (timeField !== undefined) {
    const [from, to] = periodOf(unit as string, value)
    return { [`${timeField}_from`]: from, [`${timeField}_to`]: to }
  }
  const text = joinValues([value])
  return value.trim() === '' || value.length > maxFilterableLength || text === undefined
    ? undefined
    : { [grouping]: text }
}

const periodOf = (unit: string, value: string): readonly [string, string] => {
  if (unit === 'year') return [`${value}-01-01`, `${value}-12-31`]
  if (unit === 'day') return [value, value]
  if (unit === 'week') return weekPeriod(value)
  const [year, month] = value.split('-').map(Number)
  const lastDay = new Date(0)
  lastDay.setUTCFullYear(year as number, month as number, 0)
  return [`${value}-01`, `${value}-${String(lastDay.getUTCDate()).padStart(2, '0')}`]
}

/** Monday and Sunday of a week of ISO 8601. The fourth of January is always in the first week. */
const weekPeriod = (week: string): readonly [string, string] => {
  const fourth = `${week.slice(0, 4)}-01-04`
  const weekday = new Date(`${fourth}T00:00:00Z`).getUTCDay() || 7
  const monday = addDays(fourth, 1 - weekday + (Number(week.slice(6)) - 1) * 7)
  return [monday, addDays(monday, 6)]
}
