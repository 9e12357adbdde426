/** Finds out from the headers alone, before the body is read, who sends a request. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ReadMode } from '@muster/model'
import { Problem } from '../../errors.ts'

/** Which fields a response shows: all fields (`full`), or all except the personal ones (`redacted`). */
export type Visibility = 'full' | 'redacted'

export const unauthorized = (): Problem => new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })

export interface CallerOptions {
  readonly mode: ReadMode
  /** Undefined for requests without a valid token. */
  readonly token?: { readonly name: string; readonly mayCreate: boolean }
}

/** Who sends a request, and what this caller may do. Requests with the same token share one object. */
export class Caller {
  /** The name of the token; undefined without a valid one. */
  readonly name: string | undefined
  /** Undefined if the caller may read nothing. */
  readonly visibility: Visibility | undefined
  readonly #mayCreate: boolean

  constructor({ mode, token }: CallerOptions) {
    this.name = token?.name
    this.visibility = mode === 'public' || token !== undefined ? 'full' : mode === 'redacted' ? 'redacted' : undefined
    this.#mayCreate = token?.mayCreate ?? false
  }

  /** Whether the caller may create records of any resource. */
  get creates(): boolean {
    return this.#mayCreate
  }
}

/** Accepted tokens. A write token is valid for reads too. */
export interface TokenLists {
  /** Empty if no write token is set: creates are then disabled. */
  readonly write: readonly string[]
  readonly read: readonly string[]
}

export interface Callers {
  readonly mode: ReadMode
  /** Whether any token may create records. */
  readonly createsEnabled: boolean
  of(request: IncomingMessage): Caller
  /** Replaces all tokens, for example after their files have changed. */
  replace(tokens: TokenLists): void
}

interface Entry {
  readonly digest: Buffer
  readonly caller: Caller
}

export const openCallers = (mode: ReadMode, tokens: TokenLists): Callers => {
  const anonymous = new Caller({ mode })
  let entries = entriesOf(mode, tokens)
  return {
    mode,
    get createsEnabled() {
      return entries.values().some(({ caller }) => caller.creates)
    },
    of(request) {
      if (request.headers.authorization === undefined) return anonymous
      const token = bearerToken(request)
      if (token === undefined) return anonymous
      const digest = digestOf(token)
      const entry = entries.get(keyOf(digest))
      return entry !== undefined && timingSafeEqual(digest, entry.digest) ? entry.caller : anonymous
    },
    replace(next) {
      entries = entriesOf(mode, next)
    },
  }
}

/**
 * By digest: how long the search in the map takes tells nothing about a token, because nobody can choose the digest of a
 * guess.
 */
const entriesOf = (mode: ReadMode, { write, read }: TokenLists): ReadonlyMap<string, Entry> =>
  new Map([
    ...read.map((token) => entryOf(mode, token, false)),
    // A token that is both is a write token.
    ...write.map((token) => entryOf(mode, token, true)),
  ])

const entryOf = (mode: ReadMode, token: string, mayCreate: boolean): [string, Entry] => {
  const digest = digestOf(token)
  const name = digest.toString('hex', 0, 4)
  return [keyOf(digest), { digest, caller: new Caller({ mode, token: { name, mayCreate } }) }]
}

const digestOf = (token: string | Buffer): Buffer => hash('sha256', token, 'buffer')

const keyOf = (digest: Buffer): string => digest.toString('latin1')

/** Whether the request has a bearer token, valid or not. */
export const hasBearerToken = (request: IncomingMessage): boolean => bearerToken(request) !== undefined

export const bearerToken = ({ rawHeaders, headers }: IncomingMessage): Buffer | undefined => {
  const { authorization } = headers
  if (authorization === undefined || headerCount('authorization', rawHeaders) !== 1) return undefined
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  // Node decodes headers as Latin-1. A token with characters beyond ASCII is configured and sent as UTF-8.
  return token === undefined ? undefined : Buffer.from(token, 'latin1')
}

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
