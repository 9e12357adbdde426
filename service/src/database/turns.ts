/** In charge of turns at a pool of connections: who finds all of them busy waits in line, for so long and no longer. */
import { overloaded } from '../errors.ts'

/** Runs the work when its turn comes; throws `overloaded` where it does not. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Bounds every wait for a turn: whatever there is too much of is shed by waiting time, never by count. */
export const waitMs = 500
/** A bound on memory, and not on load: of so many, none that comes now would have its turn in time. */
const maxWaiting = 1_000

export const openTurns = (places: number): Turns => {
  let free = places
  const line = new Set<() => void>()

  const turn = (): Promise<void> => {
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
    return promise
  }

  return async (work) => {
    if (free > 0) free -= 1
    else await turn()
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
  }
}
