/** In charge of who may read what: decided from the headers alone. */
import type { IncomingMessage } from 'node:http'
import type { ReadMode } from '@muster/model'
import type { Tokens } from './tokens.ts'

/** What a caller is shown: everything, or all that is not personal. */
export type View = 'full' | 'redacted'

export interface ReadAccess {
  readonly mode: ReadMode
  /** Undefined where the caller may read nothing. */
  viewOf(request: IncomingMessage): View | undefined
}

export const readAccess = (mode: ReadMode, tokens: Tokens): ReadAccess => ({
  mode,
  viewOf(request) {
    if (mode === 'public' || tokens.nameIn(request) !== undefined) return 'full'
    return mode === 'redacted' ? 'redacted' : undefined
  },
})
