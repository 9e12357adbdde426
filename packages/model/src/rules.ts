/**
 * The business rules that reports, filters, health rules and the console share. Each rule is defined once per language:
 * here, and as the SQL function of the same name in migrations/0006-rules.sql. A test compares both.
 */
import { applicationStages } from './schema/suggested-values.ts'

/** An application waits if it has been in its stage for more days than this. Also an argument of the report `today`. */
export const waitingDays = 14

/** How many days ahead joiners and leavers are counted. Also an argument of the report `today`. */
export const daysAhead = 30

/** A rate of fewer records than this says little, and is not shown. Also an argument of the report `funnel`. */
export const minRateSample = 20

/**
 * The statuses of the people of a company. Those who left or have not joined yet have others. Also the default of the report
 * `org-chart`.
 */
export const employedStatuses: readonly string[] = ['active', 'on_leave', 'suspended']

/** SQL: `muster_is_past_target`. */
export const isPastTarget = (
  {
    target_date,
    filled,
    headcount,
  }: { readonly target_date: string | null; readonly filled: number; readonly headcount: number },
  day: string,
): boolean => target_date !== null && target_date < day && filled < headcount

/** The statuses of applications that nobody pursues any more. SQL: `muster_is_declined`. */
export const declinedStatuses: readonly string[] = ['rejected', 'withdrawn']

/** Whether the application was rejected or withdrawn. SQL: `muster_is_declined`. */
export const isDeclined = (status: string | null): boolean => declinedStatuses.includes(status?.toLowerCase() ?? '')

/** The stage counts, because `status` may still be `active`. SQL: `muster_is_hire`. */
export const isHire = ({ stage, status }: { readonly stage: string | null; readonly status: string | null }): boolean =>
  stage?.toLowerCase() === 'hired' && !isDeclined(status)

/** Nobody has to go through this stage: it is an alternative to the first one rather than a step before it. */
const optionalStage = 'sourced'

/** The stages of a job opening that lists none. SQL: `muster_suggested_stages`. */
export const suggestedStages: readonly string[] = applicationStages.filter((stage) => stage !== optionalStage)

/**
 * The stages of a job opening in order and in lower case, without `sourced`. `stages_json` is an array of texts, or of
 * objects with a `name`. If it is anything else or has no stage, the suggested stages count. SQL: `muster_job_stages`.
 */
export const jobStages = (stagesJson: string | null): readonly string[] => {
  const listed = new Set(parseStages(stagesJson).map((stage) => stage.toLowerCase()))
  listed.delete(optionalStage)
  return listed.size === 0 ? suggestedStages : [...listed]
}

const parseStages = (stagesJson: string | null): readonly string[] => {
  try {
    const stages: unknown = JSON.parse(stagesJson ?? 'null')
    if (!Array.isArray(stages)) return []
    const names = stages.map((stage: unknown) =>
      typeof stage === 'object' && stage !== null && 'name' in stage ? stage.name : stage,
    )
    return names.every(isStageName) ? names : []
  } catch {
    return []
  }
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
const isStageName = (name: unknown): name is string =>
  typeof name === 'string' && name.isWellFormed() && !name.includes('\0')
