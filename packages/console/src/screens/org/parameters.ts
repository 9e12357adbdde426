import { employedStatuses } from '@muster/model'
import { today } from '../../format/dates.ts'

/** Reads a parameter that holds ids, separated by commas. Anything else is ignored. */
export const parseIds = (text: string | undefined): readonly number[] =>
  (text ?? '')
    .split(',')
    .filter((part) => /^\d{1,15}$/.test(part))
    .map(Number)

export const parseId = (text: string | undefined): number | undefined => parseIds(text)[0]

/** Whether the chart is that of a past day, which has everybody who was employed then. */
export const isPastDay = (asOf: string): boolean => asOf < today()

/**
 * The parameter `as_of` of the report. Absent for the present chart, so that a browser whose clock is behind does not ask for
 * that of yesterday, which may be withheld.
 */
export const chartDay = (asOf: string): string | undefined => (isPastDay(asOf) ? asOf : undefined)

/** The filter of the people in the chart. */
export const chartMembers = (asOf: string) => (isPastDay(asOf) ? { employed_on: asOf } : { status: employedStatuses })
