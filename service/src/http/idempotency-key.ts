/** In charge of the key that makes a create repeatable: read from its header, and bound to the body it came with. */
import { createHash } from 'node:crypto'
import type { Fault } from '@muster/model'
import { faultAt, idempotencyKey } from '@muster/model'
import type { BodyObject } from './request-body.ts'

export interface GivenKey {
  /** Absent where no key was given, or one that is not acceptable. */
  readonly key?: string
  readonly faults: readonly Fault[]
}

const acceptable = new RegExp(idempotencyKey.pattern)
const location = ['header', idempotencyKey.header.toLowerCase()]

/** Node joins a header that was sent twice with a comma and a blank, which no key holds. */
export const readIdempotencyKey = (header: string | string[] | undefined): GivenKey => {
  if (header === undefined) return { faults: [] }
  const given = String(header)
  if (!acceptable.test(given)) {
    const { pattern } = idempotencyKey
    return { faults: [faultAt(location, { type: 'string_pattern_mismatch', ctx: { pattern } })] }
  }
  return { key: /^"(.+)"$/.exec(given)?.[1] ?? given, faults: [] }
}

/**
 * The same for every way to write the same JSON object: blanks and the order of its members do not count. For bodies that
 * were found acceptable, whose members are plain values: some that lie very deep in one another cannot be written again.
 */
export const fingerprintOf = (body: BodyObject): Buffer => {
  const members = Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest()
}
