/** In charge of the upkeep of the books: asks the database, time and again, to fold together what writers noted. */
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../errors.ts'
import type { Database } from './database.ts'

const pauseMs = 1_000

/** Runs until the signal says stop. Where several services run, the database lets one at a time do it. */
export const keepUp = async (database: Database, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    if (database.ready) await database.run({ text: 'select muster_upkeep()', values: [] }).catch(unlessAway)
    await pause(pauseMs, undefined, { signal }).catch(() => {})
  }
}

/** What is not folded now is folded later: the books are exact all the while. */
const unlessAway = (error: unknown): void => {
  if (!(error instanceof Problem)) throw error
}
