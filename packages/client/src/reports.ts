import type { ReportName, Reports } from './types/reports.ts'

/** The name of each report in URLs. The compiler checks that no report is missing. */
export const reports: { readonly [N in ReportName]: Reports[N]['name'] } = {
  today: 'today',
  orgChart: 'org-chart',
  headcount: 'headcount',
  leaveDays: 'leave-days',
  attendance: 'attendance',
  openings: 'openings',
  funnel: 'funnel',
  timeToHire: 'time-to-hire',
  dataHealth: 'data-health',
}
