/** In charge of what a case is: one request, and what is known beforehand about its answer. */
import type { Request } from './request.ts'
import { uniquePlace, uniqueText } from './request.ts'

export interface ExpectedFault {
  /** Where the fault must be said to be, such as ['body', 'status']. */
  readonly loc: readonly string[]
  /** Its kind; any of these. */
  readonly type?: readonly string[]
}

export interface Expectation {
  /** The statuses that are right; any that is declared where none is given. */
  readonly status?: readonly number[]
  /** The faults a refusal must name. */
  readonly faults?: readonly ExpectedFault[]
  /** No fault may be named at any other place than those. */
  readonly onlyThose?: true
  /** What fields of the answered record must hold. */
  readonly record?: Readonly<Record<string, unknown>>
  /** What fields of `meta` must hold; digits, because an offset may have more than a number can hold. */
  readonly meta?: Readonly<Record<string, string>>
  /** How many records the page must hold. */
  readonly rows?: number
  /** What `Allow` must say. */
  readonly allow?: string
  /** The content type; JSON where none is given. */
  readonly contentType?: string
}

export interface Case {
  /** Which part of the machine made it. */
  readonly source: string
  /** The rule it is about, in a few words. */
  readonly about: string
  /** The declared operation; none for methods and paths that are not declared. */
  readonly operation?: string
  readonly request: Request
  readonly expect: Expectation
  /** Speaks of records that only this run has made, so that no later run could try it again. */
  readonly isOfThisRun?: true
}

export interface Deviation {
  /** Name of the check that found it. */
  readonly check: string
  readonly message: string
}

/** Puts one fresh text wherever the case wants one: the same in the request and in what is expected of its answer. */
export const withUniqueText = (asked: Case): Case => {
  const { request, expect } = asked
  if (!request.target.includes(uniquePlace) && !request.body?.includes(uniquePlace)) return asked
  const text = uniqueText()
  const filled = (value: unknown) => (typeof value === 'string' ? value.replaceAll(uniquePlace, text) : value)
  const record = Object.entries(expect.record ?? {}).map(([name, value]) => [name, filled(value)])
  return {
    ...asked,
    request: {
      ...request,
      target: request.target.replaceAll(uniquePlace, text),
      ...(request.body === undefined ? {} : { body: request.body.replaceAll(uniquePlace, text) }),
    },
    expect: { ...expect, ...(expect.record === undefined ? {} : { record: Object.fromEntries(record) }) },
  }
}
