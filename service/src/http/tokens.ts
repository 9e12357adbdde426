/** In charge of tokens: known by their digests alone, read from one header field, compared in constant time. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Problem } from '../errors.ts'
import { countOf } from './framing.ts'

export interface Tokens {
  readonly any: boolean
  /** What the token in the request goes by, where it is one of them: the first 8 hexadecimal digits of its digest. */
  nameIn(request: IncomingMessage): string | undefined
  /** Takes other tokens into use, as after a change of the files that hold them. */
  replace(tokens: readonly string[]): void
}

export const openTokens = (tokens: readonly string[]): Tokens => {
  let digests = tokens.map(digest)
  return {
    get any() {
      return digests.length > 0
    },
    nameIn(request) {
      const token = bearerToken(request)
      if (token === undefined) return undefined
      const given = digest(token)
      return matchesAny(given, digests) ? given.toString('hex', 0, 4) : undefined
    },
    replace(next) {
      digests = next.map(digest)
    },
  }
}

export const unauthorized = (): Problem => new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })

/** Digests have one length, so the comparison takes the same time however much of a guess is right. */
const digest = (token: string | Buffer): Buffer => createHash('sha256').update(token).digest()

/** Every token is compared each time, so that the time does not tell which one matched. */
const matchesAny = (given: Buffer, digests: readonly Buffer[]): boolean =>
  digests.map((known) => timingSafeEqual(given, known)).includes(true)

/** Whether the request carries a bearer token at all, right or wrong. */
export const bearsToken = (request: IncomingMessage): boolean => bearerToken(request) !== undefined

const bearerToken = ({ rawHeaders, headers }: IncomingMessage): Buffer | undefined => {
  const { authorization } = headers
  if (authorization === undefined || countOf('authorization', rawHeaders) !== 1) return undefined
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  // Node hands headers over as Latin-1; a token beyond ASCII was sent, and is configured, as UTF-8.
  return token === undefined ? undefined : Buffer.from(token, 'latin1')
}
