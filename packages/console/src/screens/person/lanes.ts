/** What somebody was over time, as far as it is recorded. */
import type { RecordHistory } from '@muster/client'
import { daysBetween } from '@muster/model'
import type { TrackedField } from '../../components/employee-changes.ts'
import { formatMonth } from '../../format/dates.ts'

/** A value, and the days from the first on which it held to the one on which it ended. */
export interface Stay {
  readonly value: string | null
  readonly from: string
  readonly to: string
}

export interface Lanes {
  /** The first day of the employment, if nothing is recorded of its first days. */
  readonly unknownFrom: string | undefined
  readonly knownFrom: string
  readonly to: string
  readonly lanes: readonly { readonly field: TrackedField; readonly stays: readonly Stay[] }[]
}

interface Employment {
  readonly status: string | null
  readonly date_of_joining: string | null
  /** Null also if the date is withheld. */
  readonly termination_date: string | null
}

const laneFields = ['designation', 'dept_id', 'manager_id', 'branch'] as const satisfies readonly TrackedField[]

/** Undefined if the days of the employment are not known, if it has not begun, or if nothing of it is recorded. */
export const lanesOf = (
  { status, date_of_joining: joinedOn, termination_date: leftOn }: Employment,
  { data, meta }: RecordHistory<TrackedField>,
  asOf: string,
): Lanes | undefined => {
  if (joinedOn === null || (status?.toLowerCase() === 'terminated' && leftOn === null)) return undefined
  const to = leftOn !== null && leftOn < asOf ? leftOn : asOf
  const knownFrom = meta.history_from > joinedOn ? meta.history_from : joinedOn
  if (knownFrom >= to) return undefined
  return {
    unknownFrom: knownFrom === joinedOn ? undefined : joinedOn,
    knownFrom,
    to,
    lanes: laneFields.map((field) => {
      const entries = data.filter((entry) => entry.field === field)
      const stays = entries.map(({ id, on, new: value }, index) => ({
        value,
        from: laterDay(id === null ? null : on, knownFrom),
        to: earlierDay(laterDay(entries[index + 1]?.on ?? to, knownFrom), to),
      }))
      // Of several changes on one day, the last one holds.
      return { field, stays: stays.filter((stay) => stay.from < stay.to) }
    }),
  }
}

const laterDay = (day: string | null, bound: string): string => (day !== null && day > bound ? day : bound)
const earlierDay = (day: string, bound: string): string => (day < bound ? day : bound)

/** The part of the width that the time before the history takes, however long it was. */
const unknownShare = 0.14

/** Where a day is, as a share of the width. */
export const lanePosition = ({ unknownFrom, knownFrom, to }: Lanes, day: string): number => {
  const start = unknownFrom === undefined ? 0 : unknownShare
  return start + (daysBetween(knownFrom, day) / daysBetween(knownFrom, to)) * (1 - start)
}

export interface LaneTick {
  readonly position: number
  readonly label: string
}

/** Labels that are nearer to each other would overlap. */
const minDistance = 0.12

/** The first day, the first recorded day, and the beginnings of years. */
export const laneTicks = (lanes: Lanes): LaneTick[] => {
  const { unknownFrom, knownFrom, to } = lanes
  const ticks: LaneTick[] = [
    ...(unknownFrom === undefined ? [] : [{ position: 0, label: formatMonth(unknownFrom) }]),
    { position: lanePosition(lanes, knownFrom), label: formatMonth(knownFrom) },
  ]
  for (let year = Number(knownFrom.slice(0, 4)) + 1; year <= Number(to.slice(0, 4)); year += 1) {
    const position = lanePosition(lanes, `${year}-01-01`)
    if (position - (ticks.at(-1)?.position ?? 0) >= minDistance && position <= 1 - minDistance / 2)
      ticks.push({ position, label: String(year) })
  }
  return ticks
}
