/** The report data-health with all rules checked. The API checks one rule per request. */
import type { Api, Query } from './api.ts'
import type { ReportBody } from './reports.ts'
import { readReport } from './reports.ts'
import type { Values } from './result.ts'
import { ToolError } from './tool-error.ts'

/** When this time is over, no further rule is checked. One rule may take 8 s, and proxies wait for 15 s. */
const maxMs = 5_000

const note =
  'Rules without "broken" were not checked: they need a token, or there was no time. Check one of them with parameters {"rule": NAME}.'

export const checkRules = async (api: Api, query: Query): Promise<ReportBody> => {
  const startedAt = performance.now()
  const { data: rules, meta } = await readReport(api, 'data-health', query)
  const data: Values[] = []
  for (const rule of rules) {
    const isInTime = performance.now() - startedAt < maxMs
    data.push(isInTime ? await checkRule(api, query, rule) : rule)
  }
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
