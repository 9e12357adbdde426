import type { Report } from '@muster/model'
import { reports } from '@muster/model'
import type { Filters, PageArguments } from '../arguments.ts'
import { filtersSchema, limitSchema, offsetSchema, reportQuery, sortSchema } from '../arguments.ts'
import { checkRules } from '../data-health.ts'
import { readReport, reportResult } from '../reports.ts'
import { tool } from '../tool.ts'

/** The org chart has a tool of its own. */
const offered = reports.filter(({ name }) => name !== 'org-chart')

interface ReportArguments extends PageArguments {
  readonly name: string
  readonly parameters?: Filters
  readonly sort?: string
}

export const report = tool<ReportArguments>({
  name: 'report',
  description:
    'Figures with their definition: what needs attention (today), people and their moves, leave, attendance, hiring, and data quality (data-health, which checks all rules).',
  properties: {
    name: { enum: offered.map(({ name }) => name) },
    parameters: { ...filtersSchema, description: 'See describe: {"by":"id","as_of":"2026-10-30"}' },
    sort: { ...sortSchema, description: 'One column; - for descending: "-longest_wait_days"' },
    limit: limitSchema,
    offset: offsetSchema,
  },
  required: ['name'],
  async run({ name, parameters = {}, sort, ...page }, api) {
    const query = reportQuery(parameters)
    const checksAllRules = name === 'data-health' && query.rule === undefined
    const body = checksAllRules ? await checkRules(api, query) : await readReport(api, name, query)
    return reportResult(offered.find((each) => each.name === name) as Report, body, sort, page)
  },
})
