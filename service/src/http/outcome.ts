/** In charge of what is told of an answer beside its status: the records in it, where they came from, and why there are none. */
import type { IncomingMessage } from 'node:http'
import type { Outcome } from '../log.ts'

const outcomes = new WeakMap<IncomingMessage, Outcome>()
const nothing: Outcome = { cache: 'none', rows: 0 }

export const noteOutcome = (request: IncomingMessage, outcome: Outcome): void => {
  outcomes.set(request, outcome)
}

export const outcomeOf = (request: IncomingMessage): Outcome => outcomes.get(request) ?? nothing
