/** In charge of reading PostgreSQL's error codes: which mean that the database is away, which that a value clashed. */

/** Classes 08 connection, 53 resources, 57 operator intervention, 58 system; single codes beside them. */
const unavailableClasses = new Set(['08', '53', '57', '58'])
const unavailableCodes = new Set([
  '25006', // read-only: a standby, or a primary that has stepped down
  '28000', // the role may not connect
  '28P01', // wrong password
  '3D000', // no such database
  '40001', // serialization failure
  '40P01', // deadlock
  '42501', // the role lacks a right
  '42P01', // a table is missing: the schema is not this release's
  '42703', // a column is missing
  '42883', // a function is missing
  '55P03', // lock not available
  'XX000',
  'XX001',
  'XX002',
])

const sqlState = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** True for every fault that another try later may not meet: the server's, the network's, the pool's. */
export const isUnavailable = (error: unknown): boolean => {
  const state = sqlState(error)
  if (state !== undefined) return unavailableClasses.has(state.slice(0, 2)) || unavailableCodes.has(state)
  // No SQLSTATE: the driver, the pool or the socket gave up before the server could answer.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError)
}

export interface Violation {
  readonly kind: 'reference' | 'unique'
  readonly constraint: string
}

/** What a constraint said of a row, where it is one of the two kinds a client can cause and mend. */
export const readViolation = (error: unknown): Violation | undefined => {
  const kind = { '23503': 'reference', '23505': 'unique' } as const
  const state = sqlState(error)
  if (state !== '23503' && state !== '23505') return undefined
  return { kind: kind[state], constraint: String((error as { constraint?: unknown }).constraint ?? '') }
}
