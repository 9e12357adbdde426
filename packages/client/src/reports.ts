import type { ReportName, Reports } from './types/reports.ts'

/** The name of each report in URLs. The compiler checks that no report is missing. */
export const reports: { readonly [N in ReportName]: Reports[N]['name'] } = {
  attendance: 'attendance',
  dataHealth: 'data-health',
  funnel: 'funnel',
  headcount: 'headcount',
  leaveDays: 'leave-days',
  openings: 'openings',
  orgChart: 'org-chart',
  timeToHire: 'time-to-hire',
  today: 'today',
}
