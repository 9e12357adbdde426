import { isDeepStrictEqual } from 'node:util'
import type { Case, Deviation, ExpectedError } from './case.ts'
import type { HttpResponse } from './http-client.ts'

interface ReportedError {
  readonly type: string
  readonly loc: readonly (string | number)[]
}

export const expectationChecks = (testCase: Case, response: HttpResponse, body: unknown): Deviation[] => {
  const { expect } = testCase
  if (expect.status !== undefined && !expect.status.includes(response.status)) {
    const message = `status ${response.status} instead of ${expect.status.join(' or ')}: ${response.text.slice(0, 300)}`
    return [{ check: 'status expected', message }]
  }
  return [
    ...(response.status === 422 ? errorChecks(testCase, body) : []),
    ...(response.status < 300 ? recordChecks(testCase, body) : []),
    ...(response.status === 200 ? metaChecks(testCase, response, body) : []),
    ...(response.status === 201 ? locationChecks(testCase, response, body) : []),
    ...(expect.allow === undefined || response.headers.get('allow') === expect.allow
      ? []
      : [{ check: 'allow', message: `Allow is ${response.headers.get('allow')}, not ${expect.allow}` }]),
  ]
}

/** The errors that a 422 response reports, in `detail` or in the error envelope. */
const reportedErrors = (body: unknown): readonly ReportedError[] => {
  const { detail, error } = (body ?? {}) as {
    detail?: ReportedError[]
    error?: { details?: { errors?: ReportedError[] } }
  }
  return detail ?? error?.details?.errors ?? []
}

const errorChecks = ({ expect: { errors = [], noOtherErrors } }: Case, body: unknown): Deviation[] => {
  const reportedErrorList = reportedErrors(body)
  const missingErrors = errors.filter((expected) => !reportedErrorList.some((error) => matchesError(expected, error)))
  const unexpectedErrors = noOtherErrors
    ? reportedErrorList.filter((error) => !errors.some(({ loc }) => isDeepStrictEqual([...loc], [...error.loc])))
    : []
  const reportedText = JSON.stringify(reportedErrorList.map(({ type, loc }) => ({ type, loc }))).slice(0, 300)
  return [
    ...missingErrors.map(({ loc, type }) => ({
      check: 'error named',
      message: `no error ${type?.join(' or ') ?? ''} at ${loc.join('.')}: ${reportedText}`,
    })),
    ...(unexpectedErrors.length === 0
      ? []
      : [{ check: 'error named', message: `errors at other locations: ${reportedText}` }]),
  ]
}

const matchesError = ({ loc, type }: ExpectedError, error: ReportedError): boolean =>
  isDeepStrictEqual([...loc], [...error.loc]) && (type === undefined || type.includes(error.type))

const recordChecks = ({ expect: { record } }: Case, body: unknown): Deviation[] =>
  Object.entries(record ?? {}).flatMap(([name, expected]) => {
    const actual = (body as Record<string, unknown> | null)?.[name]
    if (isSame(expected, actual)) return []
    return [{ check: 'stored exactly', message: `${name} is ${jsonText(actual)}, not ${jsonText(expected)}` }]
  })

/** Strict equality: strings must match exactly, without Unicode normalization, and 0 equals -0. */
const isSame = (expected: unknown, actual: unknown): boolean => expected === actual

const jsonText = (value: unknown): string => String(JSON.stringify(value)).slice(0, 200)

const metaChecks = ({ expect: { meta, rows } }: Case, { text }: HttpResponse, body: unknown): Deviation[] => {
  const page = body as { data?: unknown[] } | null
  const hasValue = (name: string, digits: string) =>
    [',', '}'].some((end) => text.includes(`"${name}":${digits}${end}`))
  const wrongEntries = Object.entries(meta ?? {}).filter(([name, digits]) => !hasValue(name, digits))
  return [
    ...wrongEntries.map(([name, digits]) => ({ check: 'page', message: `meta.${name} is not ${digits.slice(0, 60)}` })),
    ...(rows === undefined || page?.data?.length === rows
      ? []
      : [{ check: 'page', message: `${page?.data?.length} records instead of ${rows}` }]),
  ]
}

const locationChecks = ({ request }: Case, { headers }: HttpResponse, body: unknown): Deviation[] => {
  const path = request.target.split('?', 1)[0]?.replace(/\/$/, '')
  const expected = `${path}/${(body as { id?: unknown } | null)?.id}`
  return headers.get('location') === expected
    ? []
    : [{ check: 'location', message: `Location is ${headers.get('location')}, not ${expected}` }]
}
