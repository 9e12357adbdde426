/** Periodic maintenance of the database: records its epoch, compacts row counts, removes old idempotency keys and changes. */
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../errors.ts'
import type { Database } from '../connection/database.ts'

const pauseMs = 1_000
/** The change feed needs the recorded start of the server as soon as the database is ready. */
const notReadyPauseMs = 100

const maintenanceSql =
  'select muster_record_epoch(), muster_maintain(), muster_prune_keys(), muster_prune_changes($1::int)'

/** Runs until the signal is aborted. If several instances of the service run, the database lets only one of them do the work at a time. */
export const runMaintenance = async (
  database: Database,
  changesDays: number,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> => {
  while (!signal.aborted) {
    if (database.ready) {
      // Maintenance can be late: row counts are exact without it, and its errors do not stop the service.
      await database
        .run({ pool: 'maintenance', summary: 'maintenance', text: maintenanceSql, values: [changesDays] })
        .catch((error: unknown) => {
          // A `Problem` without a cause means that the database is already known to be down.
          const cause = error instanceof Problem ? error.cause : error
          if (cause !== undefined) onError(cause)
        })
    }
    await pause(database.ready ? pauseMs : notReadyPauseMs, undefined, { signal }).catch(() => {})
  }
}
