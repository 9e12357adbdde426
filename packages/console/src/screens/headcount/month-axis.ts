import { addMonths } from '@muster/model'
import { formatMonth } from '../../format/dates.ts'

interface MonthTick {
  readonly month: string
  readonly label: string
}

const widthOfLabel = 52
/** Months between labels. All of them meet January, which has the year. */
const steps = [1, 3, 6, 12, 24, 60, 120]

/** The months that are labelled below a chart, as many as have room. The first one and each January have the year. */
export const monthTicks = (months: readonly string[], width: number): MonthTick[] => {
  const room = Math.max(1, Math.floor(width / widthOfLabel))
  const step = steps.find((candidate) => months.length / candidate <= room) ?? (steps.at(-1) as number)
  return months
    .filter((month) => monthIndex(month) % step === 0)
    .map((month, index) => ({
      month,
      label: index === 0 || month.endsWith('-01') ? withYear(month) : monthName(month),
    }))
}

const monthIndex = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1

const monthName = (month: string): string => formatMonth(month).slice(0, 3)
const withYear = (month: string): string => `${monthName(month)} ${month.slice(2, 4)}`

/** All months from the first to the last. */
export const monthsOf = (from: string, to: string): string[] => {
  const months: string[] = []
  for (let month = from; month <= to && months.at(-1) !== month; month = addMonths(month, 1)) months.push(month)
  return months
}
