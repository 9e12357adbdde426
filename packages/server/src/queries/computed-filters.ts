/** The SQL conditions of computed filters. */
import type { Resource } from '@muster/model'
import type { Parameters } from '../postgres/sql/statement.ts'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import type { ComputedCondition, Filter } from './filters.ts'

/** Builds the condition of one filter; `value` is the placeholder of its value. */
type ConditionBuilder = (value: string, filters: readonly Filter[], parameters: Parameters) => string

/** By path of the resource and name of the parameter. */
const builders: Readonly<Record<string, ConditionBuilder>> = {
  'jobs?past_target': (value) => `(target_date < ${value}::date and filled < headcount)`,
}

export const computedCondition = (
  { path }: Resource,
  { computed, value }: ComputedCondition,
  filters: readonly Filter[],
  parameters: Parameters,
): string => {
  if (computed.parameter === 'health') return healthCondition(value)
  const build = builders[`${path}?${computed.parameter}`]
  if (build === undefined) throw new TypeError(`${path} has no condition for ${computed.parameter}`)
  return build(parameters.add(value), filters, parameters)
}

/**
 * The records that break a rule. An array rather than a subselect, because there are usually few: the planner cannot
 * know that, and would join the whole table.
 */
const healthCondition = (rule: string): string =>
  `id = any (array(select * from ${quoteIdentifier(`muster_health_${rule}`)}()))`
