/** In charge of who may create: decided from the headers alone, before a byte of the body is read. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Problem } from '../errors.ts'
import { countOf } from './framing.ts'

export interface WriteAccess {
  readonly enabled: boolean
  /** Throws `writes_disabled` or `unauthorized`. */
  check(request: IncomingMessage): void
  /** Takes other tokens into use, as after a change of the files that hold them. */
  replace(tokens: readonly string[]): void
}

export const writeAccess = (tokens: readonly string[]): WriteAccess => {
  let digests = tokens.map(digest)
  return {
    get enabled() {
      return digests.length > 0
    },
    check(request) {
      if (digests.length === 0) throw new Problem('writes_disabled')
      const token = bearerToken(request)
      if (token === undefined || !matchesAny(digest(token), digests)) throw unauthorized()
    },
    replace(next) {
      digests = next.map(digest)
    },
  }
}

const unauthorized = (): Problem => new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })

/** Digests have one length, so the comparison takes the same time however much of a guess is right. */
const digest = (token: string | Buffer): Buffer => createHash('sha256').update(token).digest()

/** Every token is compared each time, so that the time does not tell which one matched. */
const matchesAny = (given: Buffer, digests: readonly Buffer[]): boolean =>
  digests.map((known) => timingSafeEqual(given, known)).includes(true)

const bearerToken = ({ rawHeaders, headers }: IncomingMessage): Buffer | undefined => {
  const { authorization } = headers
  if (authorization === undefined || countOf('authorization', rawHeaders) !== 1) return undefined
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  // Node hands headers over as Latin-1; a token beyond ASCII was sent, and is configured, as UTF-8.
  return token === undefined ? undefined : Buffer.from(token, 'latin1')
}
