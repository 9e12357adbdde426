/** In charge of the refusals every room may throw; only http/error-handler.ts turns them into answers. */
import type { ErrorCode, Fault } from '@muster/model'
import { errorCodes } from '@muster/model'

/** Answered as the error envelope. */
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

/** Answered as `{ detail: […] }`: what is wrong with the parameters of a read. */
export class ParameterProblem extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super('The parameters are not acceptable.')
    this.faults = faults
  }
}

export const bodyRefused = (errors: readonly Fault[], cause?: unknown): Problem =>
  new Problem('validation_error', { details: { errors }, cause })

const retrySoon = { 'retry-after': '1' }

export const databaseUnavailable = (cause?: unknown): Problem =>
  new Problem('database_unavailable', { headers: retrySoon, cause })

/** Without a cause: nothing is broken, and a line of log for each would be one load more. */
export const overloaded = (): Problem => new Problem('overloaded', { headers: retrySoon })

/** A mistake of whoever runs the service: told in one sentence with its cure, never with a stack trace. */
export class OperatorError extends Error {}
