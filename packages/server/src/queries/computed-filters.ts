/** The SQL conditions of computed filters. */
import type { ComputedFilter, Resource } from '@muster/model'
import type { Parameters } from '../postgres/sql/statement.ts'
import { quoteIdentifier } from '../postgres/sql/statement.ts'

export interface ComputedCondition {
  readonly computed: ComputedFilter
  /** In the text format that PostgreSQL accepts for the kind of the filter. */
  readonly value: string
}

/** The values of another filter of the request, by the name of its parameter. Undefined if there is no such filter. */
export type ValuesOf = (parameter: string) => readonly string[] | undefined

/** Builds the condition of one filter from its value. */
type ConditionBuilder = (value: string, valuesOf: ValuesOf, parameters: Parameters) => string

/** Filters that restrict the stays of `entered` and `left`, or those in any stage. */
const stayBounds = ['entered_from', 'entered_to', 'left_from', 'left_to', 'outcome', 'waiting_on'] as const

/** The value of another filter as an argument of a function. Exports have literals for parameters, and none for null. */
const argument = (parameter: string, type: 'date' | 'text', valuesOf: ValuesOf, parameters: Parameters): string => {
  const [value] = valuesOf(parameter) ?? []
  return `${value === undefined ? 'null' : parameters.add(value)}::${type}`
}

/**
 * Applications with a stay in the stage, or in any, that meets all bounds. If the list is filtered by jobs, only the history
 * of their applications is read.
 */
const stayCondition = (stage: string | null, hasLeft: boolean, valuesOf: ValuesOf, parameters: Parameters): string => {
  const day = (name: string): string => argument(name, 'date', valuesOf, parameters)
  const given = [
    `${stage === null ? 'null' : parameters.add(stage)}::text`,
    hasLeft,
    ...['entered_from', 'entered_to', 'left_from', 'left_to'].map(day),
    argument('outcome', 'text', valuesOf, parameters),
    day('waiting_on'),
    jobIds(valuesOf, parameters),
  ]
  return `id in (select * from muster_stayed(${given.join(', ')}))`
}

const jobIds = (valuesOf: ValuesOf, parameters: Parameters): string => {
  const ids = valuesOf('job_id')
  return `${ids === undefined ? 'null' : parameters.add(ids)}::bigint[]`
}

/** `entered`, `left` and `skipped` apply the bounds. Without them, the first bound of the request applies all of them. */
const boundCondition =
  (name: string): ConditionBuilder =>
  (_, valuesOf, parameters) => {
    const isGiven = (parameter: string): boolean => valuesOf(parameter) !== undefined
    const [first] = stayBounds.filter((each) => isGiven(each) && !(isGiven('skipped') && each.startsWith('entered_')))
    return first === name && !isGiven('entered') && !isGiven('left')
      ? stayCondition(null, false, valuesOf, parameters)
      : 'true'
  }

/** By path of the resource and name of the parameter. */
const builders: Readonly<Record<string, ConditionBuilder>> = {
  'employees?under': (value, valuesOf, parameters) => {
    const statuses = valuesOf('status')
    const id = `${parameters.add(value)}::bigint, ${statuses === undefined ? 'null' : parameters.add(statuses)}::text[]`
    const [day] = valuesOf('values_on') ?? []
    if (day === undefined) return `id in (select * from muster_under(${id}))`
    const employedOn = argument('employed_on', 'date', valuesOf, parameters)
    return `id in (select * from muster_under_on(${id}, ${parameters.add(day)}::date, ${employedOn}))`
  },
  'employees?employed_on': (day, _, parameters) =>
    `muster_is_employed_on(date_of_joining, termination_date, ${parameters.add(day)}::date)`,
  // The filters that they affect use them: `under`, and those by tracked fields (`earlierConditions`).
  'employees?values_on': () => 'true',
  'employees?headcount': () => 'true',
  'employees?headcount_from': () => 'true',
  'employees?headcount_to': () => 'true',
  'leave?values_on': () => 'true',
  'leave?decided_from': (day, _, parameters) => decisionCondition(`>= ${parameters.add(day)}`),
  'leave?decided_to': (day, _, parameters) => decisionCondition(`<= ${parameters.add(day)}`),
  'applications?reached': (...given) => stageCondition(given, isIn('this_or_later'), false),
  'applications?passed': (...given) => stageCondition(given, isIn('later'), true),
  'applications?decided': (...given) =>
    stageCondition(given, isIn('later', `case when ${isDeclined} then this_or_later else later end`), true),
  'applications?entered': (stage, ...given) => stayCondition(stage, false, ...given),
  'applications?left': (stage, ...given) => stayCondition(stage, true, ...given),
  'applications?skipped': (stage, valuesOf, parameters) => {
    const [first, last] = ['entered_from', 'entered_to'].map((name) => argument(name, 'date', valuesOf, parameters))
    return `id in (select * from muster_skipped(${parameters.add(stage)}, ${first}, ${last}))`
  },
  ...Object.fromEntries(stayBounds.map((name) => [`applications?${name}`, boundCondition(name)])),
  'employees?anniversary_from': (from, valuesOf, parameters) =>
    anniversaryCondition(from, valuesOf('anniversary_to')?.[0], parameters),
  // With both, the condition is that of `anniversary_from`.
  'employees?anniversary_to': (to, valuesOf, parameters) =>
    valuesOf('anniversary_from') === undefined ? anniversaryCondition('01-01', to, parameters) : 'true',
  'applications?measured': (measure, _, parameters) =>
    `muster_is_hire(stage, status) and stage_entered_on >= case ${parameters.add(measure)}::text when 'time_to_hire' then applied_on else (select opened_on from job_openings job where job.id = job_id) end`,
  'jobs?past_target': (day, _, parameters) =>
    `muster_is_past_target(target_date, filled, headcount, ${parameters.add(day)}::date)`,
}

/**
 * By month and day as a number, such as 1231. No index: the condition is cheap, and the table
 * of employees small. Who joined on 29 February is also found by a period that ends on the 28th, the last day of most Februaries.
 */
const anniversaryCondition = (from: string, to: string | undefined, parameters: Parameters): string => {
  const numberOf = (day: string): string => `${parameters.add(day.replace('-', ''))}::int`
  const joined = 'extract(month from date_of_joining) * 100 + extract(day from date_of_joining)'
  const begun = `${joined} >= ${numberOf(from)}`
  if (to === undefined) return begun
  const ended = `${joined} <= ${numberOf(to === '02-28' ? '02-29' : to)}`
  return from <= to ? `${begun} and ${ended}` : `(${begun} or ${ended})`
}

const isDeclined = 'muster_is_declined(status)'

/**
 * Whether the stage is one of `stages`. Most stages are stored in lower case and need no key: of 500,000 applications
 * 417,000 were found in 1.1 s of CPU time instead of 1.9 s.
 */
const isIn = (exact: string, stages = exact): string =>
  `(stage = any (${exact}) or muster_key(stage) collate "C" = any (${stages}))`

const decisionCondition = (bound: string): string =>
  `id in (select leave_id from muster_leave_decisions() where decided_on ${bound}::date)`

type Given = readonly [stage: string, valuesOf: ValuesOf, parameters: Parameters]

/**
 * Applications whose stage meets a condition over the columns of `muster_later_stages`, and those that were recorded in this
 * or a later stage. A subselect for both, because "or" would check each application by itself. If the list is filtered by
 * jobs, only their stages and applications are read.
 */
const stageCondition = ([stage, valuesOf, parameters]: Given, condition: string, isLater: boolean): string => {
  const jobs = jobIds(valuesOf, parameters)
  const given = `${parameters.add(stage)}, ${jobs}`
  const ofJobs = valuesOf('job_id') === undefined ? '' : `application.job_id = any (${jobs}) and `
  const present = `select id from applications application where ${ofJobs}exists (select from (select id, stages_json from job_openings) job join muster_later_stages(${given}) on list = coalesce(job.stages_json, '') where job.id = application.job_id and ${condition})`
  return `id in (${present} union all select * from muster_reached_before(${given}, ${isLater}))`
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
  return build(value, valuesOf, parameters)
}

/**
 * Conditions on earlier values of the tracked fields, which must or must not meet the filters by them. Undefined if the
 * request asks for present values.
 */
export const earlierConditions = (
  { table }: Resource,
  trackedConditions: (() => string) | undefined,
  valuesOf: ValuesOf,
  parameters: Parameters,
): string[] | undefined => {
  const [day] = valuesOf('values_on') ?? []
  const [figure] = valuesOf('headcount') ?? []
  if (day === undefined && figure === undefined) return undefined
  const conditions = (): string => trackedConditions?.() ?? 'true'
  const among = (source: string, matches: string): string => `id in (select record_id from ${source} where ${matches})`
  const inPeriod = (name: string): string =>
    `${name}(${['headcount_from', 'headcount_to'].map((bound) => argument(bound, 'date', valuesOf, parameters)).join(', ')})`
  const isMet = (name: string): string => among(inPeriod(name), conditions())
  const isNotMet = (name: string): string => among(inPeriod(name), `(${conditions()}) is not true`)
  return [
    ...(day === undefined || trackedConditions === undefined
      ? []
      : [among(`${quoteIdentifier(`muster_values_on_${table}`)}(${parameters.add(day)}::date)`, conditions())]),
    ...(figure === 'left' ? [isMet('muster_values_when_left')] : []),
    ...(figure === 'moved_in' ? [isNotMet('muster_values_before'), isMet('muster_values_after')] : []),
    ...(figure === 'moved_out' ? [isMet('muster_values_before'), isNotMet('muster_values_after')] : []),
  ]
}

/**
 * The records that break a rule. An array rather than a subselect, because there are usually few: the planner cannot
 * know that, and would join the whole table.
 */
const healthCondition = (rule: string): string =>
  `id = any (array(select * from ${quoteIdentifier(`muster_health_${rule}`)}()))`
