import { funnel } from './funnel.ts'
import { leaveDays } from './leave-days.ts'
import { openings } from './openings.ts'
import type { Report } from './report.ts'
import { timeToHire } from './time-to-hire.ts'

/** All reports, in the order in which the OpenAPI document lists them. */
const declared = [funnel, timeToHire, openings, leaveDays] as const

/** The type of any declared report, including the types of its parameters and columns. */
export type DeclaredReport = (typeof declared)[number]
export const reports: readonly Report[] = declared
