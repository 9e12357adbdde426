import { createHash } from 'node:crypto'
import type { ValidationError } from '@muster/model'
import { errorAt, idempotencyKey } from '@muster/model'
import type { BodyObject } from './request-body.ts'

export interface RequestedKey {
  /** Absent if the request has no idempotency key, or an invalid one. */
  readonly key?: string
  readonly errors: readonly ValidationError[]
}

const keyPattern = new RegExp(idempotencyKey.pattern)
const location = ['header', idempotencyKey.header.toLowerCase()]

/** Node joins repeated headers with a comma and a space, which the pattern of a key does not allow. */
export const readIdempotencyKey = (header: string | string[]): RequestedKey => {
  const text = String(header)
  if (!keyPattern.test(text)) {
    const { pattern } = idempotencyKey
    return { errors: [errorAt(location, { type: 'string_pattern_mismatch', ctx: { pattern } })] }
  }
  return { key: /^"(.+)"$/.exec(text)?.[1] ?? text, errors: [] }
}

/**
 * A hash that is equal for equal JSON objects: whitespace and the order of members do not matter. Must be called only
 * with valid bodies, whose members are scalar values: `JSON.stringify` overflows the stack on very deeply nested
 * objects.
 */
export const fingerprintOf = (body: BodyObject): Buffer => {
  const members = Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest()
}
