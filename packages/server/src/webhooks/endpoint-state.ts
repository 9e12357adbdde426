/** The state of one endpoint, and what an attempt changes in it. Pure: no I/O. */
import type { ChangeCursor } from '../queries/change-cursor.ts'
import type { Message } from './messages.ts'
import type { Attempt } from './post.ts'
import { retryDelay } from './retries.ts'

/** `disabled`: the endpoint responded 410. `failed`: the last attempt failed. `removed`: not in the file any more. */
export type EndpointStatus = 'active' | 'disabled' | 'failed' | 'removed'

export interface EndpointState {
  readonly status: EndpointStatus
  /** Everything before it was delivered, or is not for this endpoint. */
  readonly cursor: ChangeCursor
  /** The message that is being delivered. Nothing after it is sent before it is delivered. */
  readonly message: Message | undefined
  /** Failed attempts to deliver the message. */
  readonly attempts: number
  /** Undefined: at once. */
  readonly nextAttemptAt: Date | undefined
  readonly lastError: string | undefined
}

const noAttempts = { attempts: 0, nextAttemptAt: undefined, lastError: undefined }

export const stateAt = (cursor: ChangeCursor): EndpointState => ({
  status: 'active',
  cursor,
  message: undefined,
  ...noAttempts,
})

/** An endpoint that gets no messages keeps the reason, which `muster doctor` shows. */
export const withMessage = (state: EndpointState, message: Message): EndpointState => ({
  ...state,
  message,
  ...(state.status === 'active' ? noAttempts : {}),
})

/** Sends the message again at once, with all attempts. */
export const resumed = (state: EndpointState): EndpointState => ({ ...state, status: 'active', ...noAttempts })

export const afterAttempt = (state: EndpointState, attempt: Attempt, now: Date): EndpointState => {
  if (attempt.outcome === 'delivered') return stateAt(state.message?.cursor ?? state.cursor)
  const attempts = state.attempts + 1
  if (attempt.outcome === 'gone')
    return { ...state, status: 'disabled', attempts, nextAttemptAt: undefined, lastError: 'status 410' }
  const delay = retryDelay(attempts, attempt.retryAfterMs)
  return {
    ...state,
    status: delay === undefined ? 'failed' : 'active',
    attempts,
    nextAttemptAt: delay === undefined ? undefined : new Date(now.getTime() + delay),
    lastError: attempt.reason,
  }
}
