/** In charge of the upkeep of the books: asks the database, time and again, to fold together what writers noted. */
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../errors.ts'
import type { Database } from './database.ts'

const pauseMs = 1_000

/** Runs until the signal says stop. Where several services run, the database lets one at a time do it. */
export const keepUp = async (
  database: Database,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<void> => {
  while (!signal.aborted) {
    if (database.ready) {
      // What is not folded now is folded later: the books are exact all the while, and no fault of theirs stops the service.
      await database.runInBackground({ text: 'select muster_upkeep()', values: [] }).catch((error: unknown) => {
        if (!(error instanceof Problem)) onFault(error)
      })
    }
    await pause(pauseMs, undefined, { signal }).catch(() => {})
  }
}
