/** Errors that any module may throw. Only http/response/error-response.ts turns them into responses. */
import type { ErrorCode, ValidationError } from '@muster/model'
import { errorCodes } from '@muster/model'

/** An error that the client gets as the JSON error envelope. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    { details = {}, headers = {}, cause }: { details?: object; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(errorCodes[code].message, { cause })
    this.code = code
    this.details = { ...details }
    this.headers = headers
  }
}

/** Invalid query parameters of a read; the client gets `{ detail: […] }`. */
export class ParameterProblem extends Error {
  readonly errors: readonly ValidationError[]

  constructor(errors: readonly ValidationError[]) {
    super('The parameters are invalid.')
    this.errors = errors
  }
}

export const invalidBody = (errors: readonly ValidationError[], cause?: unknown): Problem =>
  new Problem('validation_error', { details: { errors }, cause })

const retrySoon = { 'retry-after': '1' }

export const databaseUnavailable = (cause?: unknown): Problem =>
  new Problem('database_unavailable', { headers: retrySoon, cause })

export const queryTimeout = (cause: unknown): Problem => new Problem('query_timeout', { headers: retrySoon, cause })

/**
 * An `overloaded` error has no cause, so that it is not logged: nothing is broken, and logging would add to the load.
 */
export const overloaded = (): Problem => new Problem('overloaded', { headers: retrySoon })

/** A mistake of the operator: printed as one sentence that names the fix, without a stack trace. */
export class OperatorError extends Error {
  /** Printed below the sentence, one per line. */
  readonly details: readonly string[]

  constructor(sentence: string, { details = [], cause }: { details?: readonly string[]; cause?: unknown } = {}) {
    super(sentence, { cause })
    this.details = details
  }
}
