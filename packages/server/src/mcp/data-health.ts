/** The report data-health with all rules checked. The API checks one rule per request. */
import type { Api, Query } from './api.ts'
import type { ReportBody } from './reports.ts'
import { readReport } from './reports.ts'
import type { Values } from './result.ts'
import { startTimeLimit } from './time-limit.ts'
import { ToolError } from './tool-error.ts'

const note =
  'Rules without "broken" were not checked: they need a token, or there was no time. Check one of them with parameters {"rule": NAME}.'

export const checkRules = async (api: Api, query: Query): Promise<ReportBody> => {
  const hasTime = startTimeLimit()
  const { data: rules, meta } = await readReport(api, 'data-health', query)
  const data: Values[] = []
  for (const rule of rules) data.push(hasTime() ? await checkRule(api, query, rule) : rule)
  return { data, meta: data.every(({ broken }) => broken !== null) ? meta : { ...meta, note } }
}

const checkRule = async (api: Api, query: Query, rule: Values): Promise<Values> => {
  try {
    const { data } = await readReport(api, 'data-health', { ...query, rule: String(rule.rule) })
    return data[0] ?? rule
  } catch (error) {
    if (error instanceof ToolError) return rule
    throw error
  }
}
