/** The applications of a candidate on one scale of days. */
import { daysBetween, isDeclined, isHire } from '@muster/model'
import { formatDay, formatPeriod } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import type { StageStay, StageStays } from '../hiring/stage-stays.ts'
import { waitedStays } from '../hiring/stage-stays.ts'

export interface TrackPart {
  /** Undefined for the days before the first stage that is known. */
  readonly stay: StageStay | undefined
  readonly days: number
}

/** The stays with known days. Days between the application and the first of them are one part without a stage. */
export const trackParts = (appliedOn: string | null, { stays, isCut }: StageStays): TrackPart[] => {
  const parts = waitedStays(stays).flatMap((stay) =>
    stay.days === undefined || stay.days === 0 ? [] : [{ stay, days: stay.days }],
  )
  const first = parts[0]?.stay.from ?? null
  const unknown = !isCut || appliedOn === null || first === null ? 0 : daysBetween(appliedOn, first)
  return unknown > 0 ? [{ stay: undefined, days: unknown }, ...parts] : parts
}

export const totalDays = (parts: readonly TrackPart[]): number => parts.reduce((sum, { days }) => sum + days, 0)

interface EndedApplication {
  readonly stage: string
  readonly status: string
  readonly applied_on: string | null
  readonly stage_entered_on: string | null
}

/** As in `12 Feb – 16 Mar 2026, rejected after Interview`. The end is known only if it was recorded. */
export const endText = (application: EndedApplication, stays: readonly StageStay[]): string => {
  const { applied_on: from, stage, status } = application
  const isHired = isHire(application)
  const to = isHired ? application.stage_entered_on : isDeclined(status) ? (stays.at(-1)?.to ?? null) : null
  const period =
    from === null ? undefined : to === null || to < from ? `applied ${formatDay(from)}` : formatPeriod(from, to)
  const end = isHired ? 'hired' : `${valueLabel(status).toLowerCase()} after ${valueLabel(stage)}`
  return [period, end].filter(Boolean).join(', ')
}

interface RankedApplication {
  readonly status: string
  readonly stage: string
}

/** Whether somebody still has to decide about the application. */
export const isOngoing = ({ status, stage }: RankedApplication): boolean =>
  !isDeclined(status) && status.toLowerCase() !== 'hired' && stage.toLowerCase() !== 'hired'

/** Those that go on come first; otherwise the order stays. */
export const ongoingFirst = <T extends RankedApplication>(applications: readonly T[]): T[] =>
  applications.toSorted((a, b) => Number(isOngoing(b)) - Number(isOngoing(a)))
