import type { Report } from '@muster/model'
import { reports } from '@muster/model'
import type { PageArguments } from '../arguments.ts'
import { limitSchema, offsetSchema, reportQuery, sortSchema } from '../arguments.ts'
import { readReport, reportResult } from '../reports.ts'
import { tool } from '../tool.ts'

const declared = reports.find(({ name }) => name === 'org-chart') as Report
const employeeSchema = { type: 'integer', minimum: 1 }

interface OrgChartArguments extends PageArguments {
  readonly as_of?: string
  readonly root?: number
  readonly above?: number
  readonly depth?: number
  readonly managers_only?: boolean
  readonly status?: readonly string[]
  readonly sort?: string
}

export const orgChart = tool<OrgChartArguments>({
  name: 'org_chart',
  description:
    'Who leads whom: employees with manager, level, direct and total reports. By default the top and two levels below.',
  properties: {
    as_of: { type: 'string', description: 'An earlier day: "2026-03-31"' },
    root: { ...employeeSchema, description: 'Only this employee and everyone below' },
    above: { ...employeeSchema, description: 'Only this employee and all managers above' },
    depth: { type: 'integer', minimum: 0, maximum: 32, description: 'Levels below the top; default 2' },
    managers_only: { type: 'boolean' },
    status: { type: 'array', items: { type: 'string' }, minItems: 1 },
    sort: { ...sortSchema, description: 'One column; - for descending: "-total_reports"' },
    limit: limitSchema,
    offset: offsetSchema,
  },
  async run({ sort, limit, offset, ...parameters }, api) {
    const body = await readReport(api, declared.name, reportQuery({ ...parameters }))
    return reportResult(declared, body, sort, { limit, offset })
  },
})
