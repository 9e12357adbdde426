/** In charge of who is told what the service does: nobody unless configured, and then metrics, traces or both. */
import type { RequestListener } from 'node:http'
import type { DatabaseObserver } from '../database/database.ts'
import type { Log } from '../log.ts'

export interface Observer extends DatabaseObserver {
  readonly answered: Log['answered']
  /** Stands around all that is done for a request. */
  readonly around?: (listener: RequestListener) => RequestListener
}

/** One observer for several; undefined for none, so that nothing is paid for. */
export const joined = (observers: readonly Observer[]): Observer | undefined => {
  const [first, second] = observers
  if (first === undefined || second === undefined) return first
  const around = first.around ?? second.around
  return {
    waited(...wait) {
      first.waited(...wait)
      second.waited(...wait)
    },
    began(...statement) {
      const ends = [first.began(...statement), second.began(...statement)]
      return (...result) => {
        for (const end of ends) end(...result)
      }
    },
    answered(...answer) {
      first.answered(...answer)
      second.answered(...answer)
    },
    ...(around === undefined ? {} : { around }),
  }
}

/** The same log, and the observer told of every answer too. */
export const alsoTold = (log: Log, observer: Observer | undefined): Log =>
  observer === undefined
    ? log
    : {
        logger: log.logger,
        answered(answer, request) {
          log.answered(answer, request)
          observer.answered(answer, request)
        },
      }
