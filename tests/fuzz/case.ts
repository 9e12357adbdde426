import type { Request } from './request.ts'
import { uniquePlaceholder, uniqueText } from './request.ts'

export interface ExpectedError {
  /** Location of the error, such as ['body', 'status']. */
  readonly loc: readonly string[]
  /** The error must have one of these types. If omitted, any type is accepted. */
  readonly type?: readonly string[]
}

export interface Expectation {
  /** The response must have one of these statuses. If omitted, any status that the operation declares is accepted. */
  readonly status?: readonly number[]
  /** Errors that a 422 response must contain. */
  readonly errors?: readonly ExpectedError[]
  /** If set, the response must not report errors at other locations. */
  readonly noOtherErrors?: true
  /** Expected fields of the record in the response. */
  readonly record?: Readonly<Record<string, unknown>>
  /** Expected fields of `meta`, as strings of digits, because an offset may exceed the range of a number. */
  readonly meta?: Readonly<Record<string, string>>
  /** Expected number of records on the page. */
  readonly rows?: number
  /** Expected `Allow` header. */
  readonly allow?: string
  /** Expected Content-Type. Default: application/json. */
  readonly contentType?: string
}

export interface Case {
  /** Name of the source that created the case. */
  readonly source: string
  /** Short description of what the case tests. */
  readonly about: string
  /** Id of the operation in the OpenAPI document. Omitted if the method or path is not declared there. */
  readonly operation?: string
  readonly request: Request
  readonly expect: Expectation
  /** Set if the case depends on records or ETags of this run, so that a later run cannot repeat it. */
  readonly dependsOnRun?: true
}

export interface Deviation {
  /** Name of the check that failed. */
  readonly check: string
  readonly message: string
}

/** Replaces the placeholder with the same new unique string in the request and in the expected record. */
export const withUniqueText = (testCase: Case): Case => {
  const { request, expect } = testCase
  if (!request.target.includes(uniquePlaceholder) && !request.body?.includes(uniquePlaceholder)) return testCase
  const text = uniqueText()
  const fillPlaceholder = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(uniquePlaceholder, text) : value
  const record = Object.entries(expect.record ?? {}).map(([name, value]) => [name, fillPlaceholder(value)])
  return {
    ...testCase,
    request: {
      ...request,
      target: request.target.replaceAll(uniquePlaceholder, text),
      ...(request.body === undefined ? {} : { body: request.body.replaceAll(uniquePlaceholder, text) }),
    },
    expect: { ...expect, ...(expect.record === undefined ? {} : { record: Object.fromEntries(record) }) },
  }
}
