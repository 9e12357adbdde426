/** Metrics and traces observe requests and statements through this interface, if they are configured. */
import type { RequestListener } from 'node:http'
import type { DatabaseObserver } from '../postgres/connection/database.ts'
import type { Log } from './log.ts'

export interface Observer extends DatabaseObserver {
  readonly onResponse: Log['logRequest']
  /** Wraps the listener that handles HTTP requests. */
  readonly wrapListener?: (listener: RequestListener) => RequestListener
}

/** Combines two observers, either of which may be absent. Returns undefined if there is none, so that callers need not call anything. */
export const combineObservers = (observers: readonly Observer[]): Observer | undefined => {
  const [first, second] = observers
  if (first === undefined || second === undefined) return first
  const wrapListener = first.wrapListener ?? second.wrapListener
  return {
    onPoolWait(...wait) {
      first.onPoolWait(...wait)
      second.onPoolWait(...wait)
    },
    onStatement(...statement) {
      const endCallbacks = [first.onStatement(...statement), second.onStatement(...statement)]
      return (...result) => {
        for (const end of endCallbacks) end(...result)
      }
    },
    onResponse(...response) {
      first.onResponse(...response)
      second.onResponse(...response)
    },
    ...(wrapListener === undefined ? {} : { wrapListener }),
  }
}

/** A log that also calls the observer for every response. */
export const observedLog = (log: Log, observer: Observer | undefined): Log =>
  observer === undefined
    ? log
    : {
        logger: log.logger,
        logRequest(entry, request) {
          log.logRequest(entry, request)
          observer.onResponse(entry, request)
        },
      }
