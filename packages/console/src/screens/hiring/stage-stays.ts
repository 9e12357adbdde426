/** How long an application was in each stage, as far as it is recorded. */
import type { ApplicationTypes, RecordHistory } from '@muster/client'
import { daysBetween, isDeclined } from '@muster/model'

type ApplicationHistory = RecordHistory<ApplicationTypes['trackedField']>

export interface StageStay {
  readonly stage: string | null
  /** Null if it is not known. */
  readonly from: string | null
  /** Null if it goes on, or if it is not known. */
  readonly to: string | null
  /** Whether the application is still in the stage. */
  readonly goesOn: boolean
  /** Undefined if a day is not known, or if the days contradict each other. */
  readonly days: number | undefined
}

export interface StayApplication {
  readonly applied_on: string | null
  readonly stage_entered_on: string | null
}

export interface StageStays {
  readonly stays: readonly StageStay[]
  /** Whether stages before the first one may be missing. */
  readonly isCut: boolean
}

/** Another spelling is no other stage or status. A first value has no old one. */
const isSpelling = ({ old, new: value }: ApplicationHistory['data'][number]): boolean =>
  old !== null && old.toLowerCase() === value?.toLowerCase()

export const stageStays = (
  application: StayApplication,
  { data, meta }: ApplicationHistory,
  asOf: string,
): StageStays => {
  const values = data.filter((value) => !isSpelling(value))
  const [first, ...changes] = values.filter(({ field }) => field === 'stage')
  if (first === undefined) return { stays: [], isCut: false }
  const { applied_on: appliedOn } = application
  const isComplete = appliedOn !== null && meta.history_from <= appliedOn
  // The record itself knew the day before the first change; without a change it still does.
  const firstFrom = changes.length === 0 ? application.stage_entered_on : (changes[0]?.since ?? null)
  const statuses = values.filter(({ field }) => field === 'status')
  const last = statuses.at(-1)
  const status = last?.new ?? null
  const hasEnded = isDeclined(status) || status?.toLowerCase() === 'hired'
  const endedOn = hasEnded && last?.id !== null ? (last?.on ?? null) : null
  const stays = [first, ...changes].map(({ new: stage, on }, index): StageStay => {
    const from = index === 0 ? firstFrom : on
    const next = changes[index]
    const goesOn = next === undefined && !hasEnded
    const to = next === undefined ? endedOn : next.on
    const end = goesOn ? asOf : to
    const days = from === null || end === null ? -1 : daysBetween(from, end)
    return { stage, from, to, goesOn, days: days < 0 ? undefined : days }
  })
  return { stays, isCut: !isComplete && firstFrom !== appliedOn }
}

/** The stays in which somebody waits: nobody does in the last stage. */
export const waitedStays = (stays: readonly StageStay[]): readonly StageStay[] => {
  const waited = stays.filter(({ stage }) => stage?.toLowerCase() !== 'hired')
  // A stage alone, for an unknown time, is no more than the status of the application.
  return waited.some(({ days }) => days !== undefined) ? waited : []
}
