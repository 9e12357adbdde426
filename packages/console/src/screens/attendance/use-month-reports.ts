import { combineResults } from '../../components/Loadable.tsx'
import { useReports } from '../../service/queries.ts'
import type { AttendanceRow, Days } from './attendance.ts'
import { monthsOf } from './attendance.ts'

export interface MonthColumn extends Days {
  readonly month: string
  /** By department id; null for people without a department. */
  readonly rows: ReadonlyMap<string | null, AttendanceRow>
}

/**
 * The attendance by department in each month of the period. The report groups by one field, so there is one request for
 * each month.
 */
export const useMonthReports = (days: Days, asOf: string, enabled: boolean) => {
  const months = monthsOf(days)
  const results = useReports(
    'attendance',
    months.map(({ from, to }) => ({ as_of: asOf, from, to, by: 'employee.dept_id' })),
    { enabled },
  )
  const columns = months.flatMap((month, index) => {
    const rows = results[index]?.data?.data
    return rows === undefined ? [] : [{ ...month, rows: new Map(rows.map((row) => [row.group, row])) }]
  })
  return combineResults<MonthColumn[]>(columns.length === months.length ? columns : undefined, results)
}
