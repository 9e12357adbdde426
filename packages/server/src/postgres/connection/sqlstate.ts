/** The database rejected a value. A retry would fail again, so the client must change the request. */
export class ConstraintViolation extends Error {
  readonly kind: 'reference' | 'unique' | 'value'
  /** The constraint and the column that the database named; empty if it named none. */
  readonly constraint: string
  readonly column: string

  constructor(kind: ConstraintViolation['kind'], cause: Error & { constraint?: string; column?: string }) {
    super(cause.message, { cause })
    this.kind = kind
    this.constraint = cause.constraint ?? ''
    this.column = cause.column ?? ''
  }
}

/** The violation behind an error of a write; undefined if the error was not caused by the written values. */
export const readConstraintViolation = (error: unknown): ConstraintViolation | undefined => {
  const kind = violationKind(sqlState(error))
  return kind === undefined ? undefined : new ConstraintViolation(kind, error as Error)
}

const violationKind = (state: string): ConstraintViolation['kind'] | undefined => {
  switch (state) {
    case '23503':
      return 'reference'
    case '23505':
      return 'unique'
    // The value is too long for an index.
    case '54000':
      return 'value'
    default:
      // Other errors of these classes are unexpected: validation rejects such values before the statement runs.
      return /^2[23]/.test(state) ? 'value' : undefined
  }
}

/** True for errors of the server (any SQLSTATE), driver, pool or socket; false for a bug in this code. */
export const isDatabaseError = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError)

/** True if the statement was cancelled because of its time limit, by the server or by the driver. */
export const isTimeout = (error: unknown): boolean =>
  sqlState(error) === '57014' || (error instanceof Error && error.message === 'Query read timeout')

/** True if the statement waited for a lock longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03'

/** True if a statement failed because of a value. Validation rejects such values, so this is a bug in this code. */
export const isDataError = (error: unknown): boolean => /^2[123]/.test(sqlState(error))

/** True if the server itself is down, and not one session: no listener, crashed (57P02), or starting (57P03). */
export const isServerDown = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOENT', '57P02', '57P03'].includes(String((error as { code?: unknown }).code))

const sqlState = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : ''
}
