import type { MonthDay } from './calendar.ts'

export const dayAttributes = ({ day, isWeekend }: MonthDay, asOf: string) => ({
  'data-weekend': isWeekend || undefined,
  'data-today': day === asOf || undefined,
})
