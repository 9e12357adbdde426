import type { Client } from '@muster/client'
import { createClient } from '@muster/client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react'
import { idleMs, readStoredToken, removeStoredToken, storeActivity, storeToken } from './stored-token.ts'
import { apiUrl } from './urls.ts'

/** Why a token was forgotten without the reader asking for it. */
type SessionEnd = 'idle' | 'refused'

interface Session {
  readonly client: Client
  readonly token: string | undefined
  /** Changes with the token. Used as a key, it removes from the screen what was read with another token. */
  readonly number: number
  readonly ended: SessionEnd | undefined
  /** Uses a token for all further requests. It stays in memory, or in `sessionStorage` if the reader wants that. */
  readonly signIn: (token: string, keepInTab: boolean) => void
  readonly signOut: (reason?: SessionEnd) => void
}

interface State {
  readonly token: string | undefined
  readonly number: number
  readonly ended: SessionEnd | undefined
}

const SessionContext = createContext<Session | undefined>(undefined)

export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const queryClient = useQueryClient()
  const [state, setState] = useState<State>(() => ({
    token: readStoredToken(sessionStorage, Date.now()),
    number: 0,
    ended: undefined,
  }))
  const { token } = state

  /** What was read with the other token is removed from memory. What the service says about itself does not depend on it. */
  const changeToken = useCallback(
    (next: string | undefined, ended?: SessionEnd) => {
      void queryClient.cancelQueries()
      queryClient.removeQueries({ predicate: ({ queryKey: [kind] }) => kind !== 'info' })
      setState(({ number }) => ({ token: next, number: number + 1, ended }))
    },
    [queryClient],
  )

  const session = useMemo<Session>(
    () => ({
      ...state,
      // Requests are repeated at most once: a person is waiting, and the error state offers another attempt.
      client: createClient({
        baseUrl: apiUrl.href,
        token: state.token,
        retry: { attempts: 2, totalMs: 5_000 },
        timeoutMs: 30_000,
      }),
      signIn: (next, keepInTab) => {
        if (keepInTab) storeToken(sessionStorage, next, Date.now())
        else removeStoredToken(sessionStorage)
        changeToken(next)
      },
      signOut: (reason) => {
        removeStoredToken(sessionStorage)
        changeToken(undefined, reason)
      },
    }),
    [state, changeToken],
  )

  const { signOut } = session
  useEffect(() => (token === undefined ? undefined : whenIdle(idleMs, () => signOut('idle'))), [token, signOut])

  return <SessionContext value={session}>{children}</SessionContext>
}

export const useSession = (): Session => {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('useSession needs a SessionProvider')
  return session
}

/** Calls `action` once nothing has been pressed or scrolled for `ms`. Returns a function that ends the watch. */
const whenIdle = (ms: number, action: () => void): (() => void) => {
  let lastActivity = Date.now()
  let stored = lastActivity
  const events = ['pointerdown', 'keydown', 'scroll'] as const
  const isIdle = () => Date.now() - lastActivity >= ms
  // Timers do not run while a computer sleeps. The time is compared instead of counting ticks, and before the first key
  // press after the sleep.
  const note = () => {
    if (isIdle()) return action()
    lastActivity = Date.now()
  }
  for (const event of events) addEventListener(event, note, { passive: true, capture: true })
  const timer = setInterval(() => {
    if (isIdle()) return action()
    if (lastActivity !== stored) storeActivity(sessionStorage, lastActivity)
    stored = lastActivity
  }, 1_000)
  return () => {
    clearInterval(timer)
    for (const event of events) removeEventListener(event, note, { capture: true })
  }
}
