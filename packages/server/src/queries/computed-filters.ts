/** The SQL conditions of computed filters. */
import type { ComputedFilter, Resource } from '@muster/model'
import type { Parameters } from '../postgres/sql/statement.ts'
import { quoteIdentifier } from '../postgres/sql/statement.ts'

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
    return `id in (select * from muster_under(${value}::bigint, ${statuses === undefined ? 'null' : parameters.add(statuses)}::text[]))`
  },
  'employees?employed_on': (day) => `muster_is_employed_on(date_of_joining, termination_date, ${day}::date)`,
  'applications?reached': (...given) => stageCondition(given, isIn('this_or_later')),
  'applications?passed': (...given) => stageCondition(given, isIn('later')),
  'applications?decided': (...given) =>
    stageCondition(given, isIn('later', `case when ${isDeclined} then this_or_later else later end`)),
  'applications?measured': (measure) =>
    `muster_is_hire(stage, status) and stage_entered_on >= case ${measure}::text when 'time_to_hire' then applied_on else (select opened_on from job_openings job where job.id = job_id) end`,
  'jobs?past_target': (day) => `muster_is_past_target(target_date, filled, headcount, ${day}::date)`,
}

const isDeclined = 'muster_is_declined(status)'

/**
 * Whether the stage is one of `stages`. Most stages are stored in lower case and need no key: of 500,000 applications
 * 417,000 were found in 1.1 s of CPU time instead of 1.9 s.
 */
const isIn = (exact: string, stages = exact): string =>
  `(stage = any (${exact}) or muster_key(stage) collate "C" = any (${stages}))`

type Given = readonly [stage: string, valuesOf: ValuesOf, parameters: Parameters]

/**
 * Applications whose stage meets a condition over the columns of `muster_later_stages`. If the list is filtered by jobs,
 * only the stages of these are read.
 */
const stageCondition = ([stage, valuesOf, parameters]: Given, condition: string): string => {
  const jobIds = valuesOf('job_id')
  const jobs = jobIds === undefined ? 'null' : parameters.add(jobIds)
  return `exists (select from (select id, stages_json from job_openings) job join muster_later_stages(${stage}, ${jobs}::bigint[]) on list = coalesce(job.stages_json, '') where job.id = job_id and ${condition})`
}

export const computedCondition = (
  { path }: Resource,
  { computed, value }: ComputedCondition,
  valuesOf: ValuesOf,
  parameters: Parameters,
): string => {
  if (computed.parameter === 'health') return healthCondition(value)
  const build = builders[`${path}?${computed.parameter}`]
  if (build === undefined) throw new TypeError(`${path} has no condition for ${computed.parameter}`)
  return build(parameters.add(value), valuesOf, parameters)
}

/**
 * The records that break a rule. An array rather than a subselect, because there are usually few: the planner cannot
 * know that, and would join the whole table.
 */
const healthCondition = (rule: string): string =>
  `id = any (array(select * from ${quoteIdentifier(`muster_health_${rule}`)}()))`
