/** Decides from the headers alone, before the body is read, what a request may read and write. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ReadMode } from '@muster/model'
import { Problem } from '../../errors.ts'

export interface Tokens {
  readonly hasTokens: boolean
  /** The name of the token in the request if it is valid: the first 8 hexadecimal digits of its SHA-256 digest. */
  nameIn(request: IncomingMessage): string | undefined
  /** Replaces all tokens, for example after their files have changed. */
  replace(tokens: readonly string[]): void
}

export const openTokens = (tokens: readonly string[]): Tokens => {
  let digests = tokens.map(digestOf)
  return {
    get hasTokens() {
      return digests.length > 0
    },
    nameIn(request) {
      const token = bearerToken(request)
      if (token === undefined) return undefined
      const candidate = digestOf(token)
      return matchesAny(candidate, digests) ? candidate.toString('hex', 0, 4) : undefined
    },
    replace(next) {
      digests = next.map(digestOf)
    },
  }
}

export const unauthorized = (): Problem => new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })

/**
 * Digests all have the same length, so a comparison takes the same time no matter how much of a guessed token is right.
 */
const digestOf = (token: string | Buffer): Buffer => createHash('sha256').update(token).digest()

/** Compares with the digest of every token, so that the time does not reveal which token matched. */
const matchesAny = (candidate: Buffer, digests: readonly Buffer[]): boolean =>
  digests.map((stored) => timingSafeEqual(candidate, stored)).includes(true)

/** Whether the request has a bearer token, valid or not. */
export const hasBearerToken = (request: IncomingMessage): boolean => bearerToken(request) !== undefined

const bearerToken = ({ rawHeaders, headers }: IncomingMessage): Buffer | undefined => {
  const { authorization } = headers
  if (authorization === undefined || headerCount('authorization', rawHeaders) !== 1) return undefined
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  // Node decodes headers as Latin-1. A token with characters beyond ASCII is configured and sent as UTF-8.
  return token === undefined ? undefined : Buffer.from(token, 'latin1')
}

/** Which fields the caller may see: all fields (`full`), or all except the personal ones (`redacted`). */
export type Visibility = 'full' | 'redacted'

export interface ReadAccess {
  readonly mode: ReadMode
  /** Undefined if the caller may read nothing. */
  visibilityOf(request: IncomingMessage): Visibility | undefined
  /** Whether the request has a valid token, for reads or for writes. */
  hasToken(request: IncomingMessage): boolean
}

export const openReadAccess = (mode: ReadMode, tokens: Tokens): ReadAccess => {
  const hasToken = (request: IncomingMessage): boolean => tokens.nameIn(request) !== undefined
  return {
    mode,
    hasToken,
    visibilityOf(request) {
      if (mode === 'public' || hasToken(request)) return 'full'
      return mode === 'redacted' ? 'redacted' : undefined
    },
  }
}

export interface WriteAccess {
  readonly enabled: boolean
  /** Returns the name of the token. Throws `writes_disabled` or `unauthorized`. */
  check(request: IncomingMessage): string
}

export const openWriteAccess = (tokens: Tokens): WriteAccess => ({
  get enabled() {
    return tokens.hasTokens
  },
  check(request) {
    if (!tokens.hasTokens) throw new Problem('writes_disabled')
    const name = tokens.nameIn(request)
    if (name === undefined) throw unauthorized()
    return name
  },
})

/**
 * How many times a header was sent, from the raw headers: `request.headers` silently drops duplicates of some headers.
 */
export const headerCount = (name: string, rawHeaders: readonly string[]): number => {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const rawName = rawHeaders[index] as string
    if (rawName.length === name.length && rawName.toLowerCase() === name) count += 1
  }
  return count
}
