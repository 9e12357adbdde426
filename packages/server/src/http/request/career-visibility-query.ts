import type { HiddenPostingsQuery, PageWindow } from '@muster/career-sites'
import type { HiddenReason } from '@muster/model'
import { hiddenReasons, pageLimits } from '@muster/model'
import { readWindow } from './list-query.ts'
import type { Parameters, ReportViolation } from './query-string.ts'
import { readParameters } from './query-string.ts'

export const readSitesQuery = (parameters: Parameters): PageWindow =>
  readParameters(parameters, (report) => readWindow(parameters, report, pageLimits))

export const readHiddenPostingsQuery = (parameters: Parameters): HiddenPostingsQuery =>
  readParameters(parameters, (report) => ({
    ...readWindow(parameters, report, pageLimits),
    locale: readText(parameters, 'locale', report),
    reason: readReason(parameters, report),
  }))

/** A blank value is ignored. */
const readText = (parameters: Parameters, name: string, report: ReportViolation): string | undefined => {
  const parameter = parameters.get(name)
  if (parameter === undefined || parameter.text.trim() === '') return undefined
  if (!parameter.isUnicode) report(name, { type: 'string_unicode' })
  return parameter.text
}

const readReason = (parameters: Parameters, report: ReportViolation): HiddenReason | undefined => {
  const text = readText(parameters, 'reason', report)
  const reason = hiddenReasons.find((each) => each === text)
  if (text !== undefined && reason === undefined && parameters.get('reason')?.isUnicode)
    report('reason', { type: 'literal_error', ctx: { expected: hiddenReasons.join(', ') } })
  return reason
}
