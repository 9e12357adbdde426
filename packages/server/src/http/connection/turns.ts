/**
 * After 4 ms of requests in one turn of the event loop, further requests wait for a later turn. Node accepts one
 * connection per turn, so long turns would lock new clients out: with 500 busy connections, 10 were accepted per second.
 */
import { performance } from 'node:perf_hooks'
import type { Connection } from './client.ts'

const maxTurnMs = 4
const maxBatch = 32

/** Returns a function that calls `run`, in this turn or a later one. Urgent requests always run in this turn. */
export const openTurns = (
  run: (connection: Connection) => void,
): ((connection: Connection, isUrgent: () => boolean) => void) => {
  /** When the time for requests in the current turn is used up; 0 before its first request. */
  let turnEndsAt = 0
  const deferred: Connection[] = []
  let batchSize = maxBatch
  let batchStartedAt = 0

  /** Whether the current turn has used up its time. The first call in a turn starts the clock. */
  const isTurnOver = (): boolean => {
    const now = performance.now()
    if (turnEndsAt > 0) return now > turnEndsAt
    turnEndsAt = now + maxTurnMs
    setImmediate(beginTurn)
    return false
  }
  /**
   * Runs deferred requests in batches. Most of their work is done in microtasks after this function, so a batch is
   * measured by the time until the next turn: it is halved after a long turn and doubled after a short one.
   */
  const beginTurn = (): void => {
    turnEndsAt = 0
    if (deferred.length === 0) return
    const now = performance.now()
    batchSize = now - batchStartedAt > maxTurnMs ? Math.max(batchSize / 2, 1) : Math.min(batchSize * 2, maxBatch)
    batchStartedAt = now
    for (const connection of deferred.splice(0, batchSize)) run(connection)
    if (deferred.length === 0) return
    turnEndsAt = now
    setImmediate(beginTurn)
  }

  return (connection, isUrgent) => {
    if (isTurnOver() && !isUrgent()) deferred.push(connection)
    else run(connection)
  }
}
