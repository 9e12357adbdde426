import type { ReportName, Reports } from './types/reports.ts'

/** The name of each report in URLs. The compiler checks that no report is missing. */
export const reports: { readonly [N in ReportName]: Reports[N]['name'] } = {
  funnel: 'funnel',
  leaveDays: 'leave-days',
  openings: 'openings',
  timeToHire: 'time-to-hire',
}
