/** Parameters of reports. */
import type { NamedParameter, Report, ReportArguments, Violation } from '@muster/model'
import { maxListedIds, parseDateTime } from '@muster/model'
import { isImpossible } from '../../queries/filters.ts'
import type { ReportValue } from '../../queries/report.ts'
import { readIdList, splitValues } from './filter-value.ts'
import { acceptsCsv } from './list-query.ts'
import type { Parameter, Parameters } from './query-string.ts'
import { readInteger, readParameters } from './query-string.ts'

export interface ReportRequest {
  /** The one for the day: that of the past, if it differs. */
  readonly report: Report
  readonly arguments: ReportArguments
  readonly values: readonly ReportValue[]
}

export interface ReportReader {
  /** The default of `as_of`. */
  readonly today: string
  /** If true, values that reveal personal fields are rejected. */
  readonly hidesPersonal: boolean
}

/** Reads the parameters, fills in the defaults, and reports all violations at once. */
export const readReportQuery = (declared: Report, parameters: Parameters, reader: ReportReader): ReportRequest =>
  readArguments(reportOfDay(declared, parameters, reader), parameters, reader)

const reportOfDay = (declared: Report, parameters: Parameters, { today }: ReportReader): Report => {
  const { past, allParameters } = declared
  const [asOf] = allParameters
  if (past === undefined || asOf === undefined) return declared
  const sent = readSent(asOf, parameters.get(asOf.name))
  return 'text' in sent && sent.text !== null && sent.text < today ? past : declared
}

const readArguments = (report: Report, parameters: Parameters, { today, hidesPersonal }: ReportReader): ReportRequest =>
  readParameters(parameters, (reportViolation) => {
    const read: Record<string, ReadValue> = {}
    const given: Record<string, string | null> = {}
    let isValid = true
    const reject = (name: string, violation: Violation): void => {
      isValid = false
      reportViolation(name, violation)
    }
    for (const declared of report.allParameters) {
      const sent = readSent(declared, parameters.get(declared.name))
      if (hidesPersonal && revealsPersonal(declared, sent)) reject(declared.name, { type: 'field_redacted' })
      else if ('violation' in sent) reject(declared.name, sent.violation)
      const value = 'text' in sent ? sent : absent
      read[declared.name] = value
      given[declared.name] = value.text
    }
    // A default may depend on every parameter that was sent, and on the defaults before it.
    for (const declared of isValid ? report.allParameters : []) {
      if (given[declared.name] !== null) continue
      const value = defaultOf(declared, given, today)
      read[declared.name] = value
      given[declared.name] = value.text
    }
    const format = readSent(formatParameter, parameters.get(formatParameter.name))
    if ('violation' in format) reject(formatParameter.name, format.violation)
    if (isValid) {
      const violation = report.check?.(given)
      if (violation !== undefined) reject(violation.parameter, violation)
    }
    return { report, arguments: given, values: Object.values(read).map(({ value }) => value) }
  })

const revealsPersonal = ({ personal, personalValues }: NamedParameter, sent: Sent): boolean =>
  ('text' in sent && personalValues?.includes(String(sent.text))) ||
  (personal === true && ('text' in sent || 'violation' in sent))

const formatParameter: NamedParameter = { name: 'format', kind: 'choice', about: '', values: ['json', 'csv'] }

/** Whether the client asks for CSV. */
export const wantsCsv = (parameters: Parameters, accept: string | undefined): boolean => {
  const format = parameters.get(formatParameter.name)?.text ?? ''
  return format.trim() === '' ? acceptsCsv(accept) : format === 'csv'
}

interface ReadValue {
  /** As a URL repeats it. */
  readonly text: string | null
  /** As the SQL function receives it. */
  readonly value: ReportValue
}

const absent: ReadValue = { text: null, value: null }

const defaultOf = (declared: NamedParameter, given: ReportArguments, today: string): ReadValue => {
  if (declared.name === 'as_of') return { text: today, value: today }
  if (declared.default === undefined) return absent
  const text = typeof declared.default === 'string' ? declared.default : declared.default(given)
  const parsed = readValue(declared, text)
  return 'text' in parsed ? parsed : absent
}

type Parsed = ReadValue | { readonly violation: Violation }

/** Neither a value nor a violation if the parameter is absent or blank. */
type Sent = Parsed | Record<never, never>

const readSent = (declared: NamedParameter, parameter: Parameter | undefined): Sent => {
  if (parameter === undefined || parameter.text.trim() === '') return {}
  if (!parameter.isUnicode) return { violation: { type: 'string_unicode' } }
  return readValue(declared, parameter.text)
}

const readValue = (declared: NamedParameter, text: string): Sent => {
  switch (declared.kind) {
    case 'date': {
      const day = parseDateTime(text)?.day
      return day === undefined ? { violation: { type: 'date_parsing' } } : { text: day, value: day }
    }
    case 'month':
      return parseDateTime(`${text}-01`) === undefined || text.length !== 7
        ? { violation: { type: 'month_parsing' } }
        : { text, value: `${text}-01` }
    case 'id':
    case 'integer':
      return readNumber(declared, text)
    case 'ids':
      return readIds(splitValues(text))
    case 'texts': {
      const values = [...new Set(splitValues(text))]
      if (values.length > maxListedIds) return { violation: { type: 'too_long', ctx: { max_length: maxListedIds } } }
      // PostgreSQL rejects U+0000.
      return values.length === 0 ? {} : { text, value: values.filter((value) => !isImpossible(value)) }
    }
    case 'boolean': {
      const word = text.trim().toLowerCase()
      return word === 'true' || word === 'false' ? { text: word, value: word } : { violation: { type: 'bool_parsing' } }
    }
    case 'choice':
      return declared.values?.includes(text)
        ? { text, value: text }
        : { violation: { type: 'literal_error', ctx: { expected: declared.values?.join(', ') ?? '' } } }
  }
}

const readNumber = ({ minimum, maximum }: NamedParameter, text: string): Parsed => {
  const bounds = {
    ...(minimum === undefined ? {} : { ge: minimum }),
    ...(maximum === undefined ? {} : { le: maximum }),
  }
  const integer = readInteger(text, bounds)
  if ('violation' in integer) return integer
  // No record has an id outside the range of a bigint, and none has the id 0.
  const value = isImpossible(integer.value) ? 0n : integer.value
  return { text: String(integer.value), value: String(value) }
}

const readIds = (texts: readonly string[]): Sent => {
  if (texts.length === 0) return {}
  const list = readIdList(texts)
  if ('violation' in list) return list
  return { text: list.ids.join(','), value: list.ids.filter((id) => !isImpossible(id)).map(String) }
}
