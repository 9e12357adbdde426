/** In charge of turns at a pool of connections: who finds all of them busy waits in line, for so long and no longer. */
import { overloaded } from '../errors.ts'

export interface Turns {
  /** Runs the work when its turn comes; throws `overloaded` where it does not. */
  take<T>(work: () => Promise<T>): Promise<T>
  readonly busy: number
  readonly waiting: number
}

/** Bounds every wait for a turn: whatever there is too much of is shed by waiting time, never by count. */
export const waitMs = 500
/** A bound on memory, and not on load: of so many, none that comes now would have its turn in time. */
const maxWaiting = 1_000

/** `onTurn` is told how long each has waited, in vain or not. */
export const openTurns = (places: number, onTurn?: (waitedMs: number) => void): Turns => {
  let free = places
  const line = new Set<() => void>()

  const turn = async (): Promise<void> => {
    if (line.size >= maxWaiting) throw overloaded()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const come = () => {
      clearTimeout(patience)
      resolve()
    }
    const giveUp = () => {
      if (line.delete(come)) reject(overloaded())
    }
    // Where this process itself was held up, timers come before what arrived meanwhile: that is looked at first.
    const patience = setTimeout(() => setImmediate(giveUp), waitMs)
    line.add(come)
    if (onTurn === undefined) return promise
    const start = performance.now()
    return promise.finally(() => onTurn(performance.now() - start))
  }

  return {
    get busy() {
      return places - free
    },
    get waiting() {
      return line.size
    },
    async take(work) {
      if (free > 0) {
        free -= 1
        onTurn?.(0)
      } else await turn()
      try {
        return await work()
      } finally {
        const [next] = line
        if (next === undefined) free += 1
        else {
          line.delete(next)
          next()
        }
      }
    },
  }
}
