import { leaveDays } from './leave-days.ts'
import type { Report } from './report.ts'

/** All reports, in the order in which the OpenAPI document lists them. */
const declared = [leaveDays] as const

/** The type of any declared report, including the types of its parameters and columns. */
export type DeclaredReport = (typeof declared)[number]
export const reports: readonly Report[] = declared
