/** The SQL conditions of computed filters. */
import type { Resource } from '@muster/model'
import type { Parameters } from '../postgres/sql/statement.ts'
import type { ComputedCondition, Filter } from './filters.ts'

/** Builds the condition of one filter; `value` is the placeholder of its value. */
type ConditionBuilder = (value: string, filters: readonly Filter[], parameters: Parameters) => string

/** By path of the resource and name of the parameter. */
const builders: Readonly<Record<string, ConditionBuilder>> = {}

export const computedCondition = (
  { path }: Resource,
  { computed, value }: ComputedCondition,
  filters: readonly Filter[],
  parameters: Parameters,
): string => {
  const build = builders[`${path}?${computed.parameter}`]
  if (build === undefined) throw new TypeError(`${path} has no condition for ${computed.parameter}`)
  return build(parameters.add(value), filters, parameters)
}
