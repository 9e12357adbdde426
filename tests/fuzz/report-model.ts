/** Expected outcome of a report request, computed from the declaration of the report. */
import type { NamedParameter, Report } from '@muster/model'
import { reports } from '@muster/model'
import type { Expectation, ExpectedError } from './case.ts'
import type { Operation } from './contract.ts'
import { exportContentTypes } from './sources/source.ts'

export const reportOf = ({ path }: Pick<Operation, 'path'>): Report => {
  const report = reports.find(({ name }) => path === `/v1/reports/${name}`)
  if (report === undefined) throw new Error(`No report is declared for ${path}.`)
  return report
}

/** How many rows a report has is known only afterwards. */
const tooManyRows: ExpectedError = { loc: ['query'], type: ['too_many_rows'] }

/**
 * What a request must get whose parameters are valid one by one: the violation that the declared check finds, such as a
 * period that ends before it begins, or else the report.
 */
export const reportExpectation = (operation: Operation, sent: ReadonlyMap<string, string>): Expectation => {
  const report = reportOf(operation)
  const violation = report.check?.(argumentsOf(report, sent))
  if (violation !== undefined)
    return {
      status: [422],
      errors: [{ loc: ['query', violation.parameter], type: [violation.type] }],
      noOtherErrors: true,
    }
  const contentType = exportContentTypes[sent.get('format')?.trim() ?? '']
  return {
    status: [200, 422],
    errors: [tooManyRows],
    noOtherErrors: true,
    ...(contentType === undefined ? {} : { contentType }),
  }
}

/** The arguments as the declaration sees them: in canonical form, with defaults. */
const argumentsOf = ({ allParameters }: Report, sent: ReadonlyMap<string, string>): Record<string, string | null> => {
  const given: Record<string, string | null> = {}
  for (const parameter of allParameters)
    given[parameter.name] = canonicalText(parameter, sent.get(parameter.name) ?? '') ?? null
  for (const parameter of allParameters) given[parameter.name] ??= defaultText(parameter, given)
  return given
}

const defaultText = (parameter: NamedParameter, given: Record<string, string | null>): string | null => {
  if (parameter.name === 'as_of') return new Date().toISOString().slice(0, 10)
  if (parameter.default === undefined) return null
  return typeof parameter.default === 'string' ? parameter.default : parameter.default(given)
}

/** Undefined if the text counts as absent. */
const canonicalText = ({ kind }: NamedParameter, text: string): string | undefined => {
  if (text.trim() === '') return undefined
  const items = text.replaceAll(',,', '\u0001').split(',').filter(Boolean)
  switch (kind) {
    case 'date':
      return text.slice(0, 10)
    case 'id':
    case 'integer':
      return canonicalInteger(text)
    case 'ids':
      return items.length === 0 ? undefined : items.map(canonicalInteger).join(',')
    case 'texts':
      return items.length === 0 ? undefined : text
    case 'boolean':
      return text.trim().toLowerCase()
    default:
      return text
  }
}

const canonicalInteger = (text: string): string =>
  String(BigInt(text.trim().replaceAll('_', '').replace(/\.0+$/, '').replace(/^\+/, '')))
