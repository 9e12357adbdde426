/** In charge of reading PostgreSQL's error codes: which refuse a value that was sent, and which mean that nobody was served. */

/** A value that the database does not take. The same request would be refused again, so it is the sender's to mend. */
export class RefusedValue extends Error {
  readonly kind: 'reference' | 'unique' | 'value'
  /** The constraint and the column that the database named; empty where it named none. */
  readonly constraint: string
  readonly column: string

  constructor(kind: RefusedValue['kind'], cause: Error & { constraint?: string; column?: string }) {
    super(cause.message, { cause })
    this.kind = kind
    this.constraint = cause.constraint ?? ''
    this.column = cause.column ?? ''
  }
}

/** The refusal behind a fault of a write; undefined where the fault says nothing of the values. */
export const readRefusal = (error: unknown): RefusedValue | undefined => {
  const kind = refusalKind(sqlState(error))
  return kind === undefined ? undefined : new RefusedValue(kind, error as Error)
}

const refusalKind = (state: string): RefusedValue['kind'] | undefined => {
  switch (state) {
    case '23503':
      return 'reference'
    case '23505':
      return 'unique'
    // An index cannot hold so long a value.
    case '54000':
      return 'value'
    default:
      // The other refusals of these classes are a second line: what they speak of is judged before the database is asked.
      return /^2[23]/.test(state) ? 'value' : undefined
  }
}

/**
 * True for every fault that is not a mistake in this very code: of the server, with any SQLSTATE, and of the driver, the
 * pool or the socket, which have none.
 */
export const isDatabaseFault = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError)

/** True where the whole server is away, and not only a session of it: nobody listens, or it crashed, or it is starting. */
export const isAway = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOENT', '57P02', '57P03'].includes(String((error as { code?: unknown }).code))

const sqlState = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : ''
}
