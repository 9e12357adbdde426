import { attendanceReport } from './attendance.ts'
import { dataHealth } from './data-health.ts'
import { decisions } from './decisions.ts'
import { funnel } from './funnel.ts'
import { headcount } from './headcount.ts'
import { leaveDays } from './leave-days.ts'
import { movements } from './movements.ts'
import { openings } from './openings.ts'
import { orgChart } from './org-chart.ts'
import type { Report } from './report.ts'
import { timeInStage } from './time-in-stage.ts'
import { timeToHire } from './time-to-hire.ts'
import { today } from './today.ts'

/** All reports, in the order in which the OpenAPI document lists them. */
export const reports: readonly Report[] = [
  today,
  orgChart,
  headcount,
  movements,
  leaveDays,
  decisions,
  attendanceReport,
  openings,
  funnel,
  timeInStage,
  timeToHire,
  dataHealth,
]
