/** The SQL conditions of computed filters. */
import type { ComputedFilter, Resource } from '@muster/model'
import type { Parameters } from '../postgres/sql/statement.ts'

export interface ComputedCondition {
  readonly computed: ComputedFilter
  /** In the text format that PostgreSQL accepts for the kind of the filter. */
  readonly value: string
}

/** The values of another filter of the request, by the name of its field. Undefined if there is no such filter. */
export type ValuesOf = (field: string) => readonly string[] | undefined

/** Builds the condition of one filter; `value` is the placeholder of its value. */
type ConditionBuilder = (value: string, valuesOf: ValuesOf, parameters: Parameters) => string

/** By path of the resource and name of the parameter. */
const builders: Readonly<Record<string, ConditionBuilder>> = {
  'employees?under': (value, valuesOf, parameters) => {
    const statuses = valuesOf('status')
    return `id in (select muster_under(${value}::bigint, ${statuses === undefined ? 'null' : parameters.add(statuses)}::text[]))`
  },
  'employees?employed_on': (value) =>
    `date_of_joining <= ${value}::date and (termination_date is null or termination_date > ${value}::date)`,
}

export const computedCondition = (
  { path }: Resource,
  { computed, value }: ComputedCondition,
  valuesOf: ValuesOf,
  parameters: Parameters,
): string => {
  const build = builders[`${path}?${computed.parameter}`]
  if (build === undefined) throw new TypeError(`${path} has no condition for ${computed.parameter}`)
  return build(parameters.add(value), valuesOf, parameters)
}
