import type { ServiceInfo } from '@muster/client'

/** How the service treats the reads of this reader. `unknown` while it has not said so. */
export type ReadingModeName = 'unknown' | 'public' | 'redacted' | 'token-needed' | 'with-token'

export const readingModeOf = (reads: ServiceInfo['reads'] | undefined, token: string | undefined): ReadingModeName => {
  if (reads === undefined) return 'unknown'
  // A public service ignores tokens.
  if (reads === 'public') return 'public'
  if (token !== undefined) return 'with-token'
  return reads === 'redacted' ? 'redacted' : 'token-needed'
}
