/** In charge of who may create: decided from the headers alone, before a byte of the body is read. */
import type { IncomingMessage } from 'node:http'
import { Problem } from '../errors.ts'
import type { Tokens } from './tokens.ts'
import { unauthorized } from './tokens.ts'

export interface WriteAccess {
  readonly enabled: boolean
  /** The name of the token that lets the request in. Throws `writes_disabled` or `unauthorized`. */
  check(request: IncomingMessage): string
}

export const writeAccess = (tokens: Tokens): WriteAccess => ({
  get enabled() {
    return tokens.any
  },
  check(request) {
    if (!tokens.any) throw new Problem('writes_disabled')
    const name = tokens.nameIn(request)
    if (name === undefined) throw unauthorized()
    return name
  },
})
