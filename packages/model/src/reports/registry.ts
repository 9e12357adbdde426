import { attendanceReport } from './attendance.ts'
import { dataHealth } from './data-health.ts'
import { leaveDays } from './leave-days.ts'
import type { Report } from './report.ts'
import { today } from './today.ts'

/** All reports, in the order in which the OpenAPI document lists them. */
const declared = [today, leaveDays, attendanceReport, dataHealth] as const

/** The type of any declared report, including the types of its parameters and columns. */
export type DeclaredReport = (typeof declared)[number]
export const reports: readonly Report[] = declared
