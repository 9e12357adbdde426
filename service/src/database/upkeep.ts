/** In charge of the database's upkeep: asks it, time and again, to note its era, to fold together what writers noted, and to forget old keys. */
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../errors.ts'
import type { Database } from './database.ts'

const pauseMs = 1_000

const text = 'select muster_note_era(), muster_upkeep(), muster_forget_keys()'

/** Runs until the signal says stop. Where several services run, the database lets one at a time do it. */
export const keepUp = async (
  database: Database,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<void> => {
  while (!signal.aborted) {
    if (database.ready) {
      // What is not done now is done later: the books are exact all the while, and no fault of upkeep stops the service.
      await database.run({ pool: 'maintenance', summary: 'upkeep', text, values: [] }).catch((error: unknown) => {
        // A problem without a cause says that the database is known to be away.
        const fault = error instanceof Problem ? error.cause : error
        if (fault !== undefined) onFault(fault)
      })
    }
    await pause(pauseMs, undefined, { signal }).catch(() => {})
  }
}
