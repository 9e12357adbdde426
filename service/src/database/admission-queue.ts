/** Limits concurrent statements on a connection pool and shares its slots between clients and tables. */
import { overloaded } from '../errors.ts'

/** What a statement is counted under. */
export interface Share {
  /** Undefined for work shared by several clients, which no client's share limits. */
  readonly client: string | undefined
  readonly tables: readonly string[]
}

export interface AdmissionQueue {
  /** Runs `task` when a slot is free; rejects with `overloaded` after `maxWaitMs`. */
  run<T>(share: Share, task: () => Promise<T>): Promise<T>
  readonly active: number
  readonly queued: number
}

/** Load is shed by waiting time, not by queue length. */
export const maxWaitMs = 500
/** Memory bound only: a statement behind this many others could not start within `maxWaitMs` anyway. */
const maxQueued = 1_000

interface Entry {
  readonly share: Share
  readonly start: () => void
  readonly reject: () => void
}

/** The most slots that may be held at once. */
interface Limits {
  readonly client: number
  readonly table: number
  readonly clientOnTable: number
}

/**
 * A running statement cannot be preempted, so a limit that acts only while others wait comes too late: one client's slow
 * statements would already hold every slot for seconds. A quarter of the slots is therefore kept from a client, and from a
 * table, that holds the rest. A client's statements on one table leave another quarter: to other clients on that table,
 * and to the client itself on other tables while that one is locked.
 */
const limitsOf = (slots: number): Limits => {
  const quarter = Math.max(1, Math.floor(slots / 4))
  const most = Math.max(1, slots - quarter)
  return { client: most, table: most, clientOnTable: Math.max(1, slots - 2 * quarter) }
}

/** `onWait` receives the time each statement has waited, whether or not it was admitted. */
export const openAdmissionQueue = (slots: number, onWait?: (waitedMs: number) => void): AdmissionQueue => {
  const limits = limitsOf(slots)
  let active = 0
  let queued = 0
  const byClient = new Counts()
  const byTable = new Counts()
  const byClientAndTable = new Counts()
  /** FIFO by client. The order of the clients is the round-robin order: a client that was served goes to the end. */
  const queues = new Map<string | undefined, Set<Entry>>()

  const hasSlot = (client: string | undefined): boolean =>
    active < slots && (client === undefined || byClient.of(client) < limits.client)
  const areFree = ({ client, tables }: Share): boolean =>
    tables.every(
      (table) =>
        byTable.of(table) < limits.table &&
        (client === undefined || byClientAndTable.of(`${client} ${table}`) < limits.clientOnTable),
    )
  const change = ({ client, tables }: Share, by: 1 | -1): void => {
    active += by
    if (client !== undefined) byClient.add(client, by)
    for (const table of tables) {
      byTable.add(table, by)
      if (client !== undefined) byClientAndTable.add(`${client} ${table}`, by)
    }
  }

  const remove = (entry: Entry): boolean => {
    const { client } = entry.share
    const entries = queues.get(client)
    if (entries === undefined || !entries.delete(entry)) return false
    queued -= 1
    if (entries.size === 0) queues.delete(client)
    return true
  }

  /** The next in turn; a client that holds half of the slots yields to those that hold less. */
  const next = (): Entry | undefined => {
    let yielding: Entry | undefined
    for (const [client, entries] of queues) {
      const entry = hasSlot(client) ? entries.values().find(({ share }) => areFree(share)) : undefined
      if (entry === undefined) continue
      if (client === undefined || byClient.of(client) * 2 < slots) return entry
      yielding ??= entry
    }
    return yielding
  }

  const admit = (): void => {
    for (let entry = next(); entry !== undefined; entry = next()) {
      const { client } = entry.share
      const entries = queues.get(client) as Set<Entry>
      remove(entry)
      if (queues.delete(client)) queues.set(client, entries)
      change(entry.share, 1)
      entry.start()
    }
  }

  /** Makes room in a full queue: the client with the most entries loses its newest. */
  const dropFor = (client: string | undefined): boolean => {
    const [longest] = [...queues.values()].toSorted((one, other) => other.size - one.size)
    if (longest === undefined || longest.size <= (queues.get(client)?.size ?? 0) + 1) return false
    const newest = [...longest].at(-1)
    if (newest === undefined || !remove(newest)) return false
    newest.reject()
    return true
  }

  const enqueue = async (share: Share): Promise<void> => {
    if (queued >= maxQueued && !dropFor(share.client)) throw overloaded()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry: Entry = {
      share,
      start() {
        clearTimeout(timer)
        resolve()
      },
      reject() {
        clearTimeout(timer)
        reject(overloaded())
      },
    }
    const expire = () => {
      if (remove(entry)) entry.reject()
    }
    // After a blocked event loop timers run before I/O: results that have arrived may free a slot first.
    const timer = setTimeout(() => setImmediate(expire), maxWaitMs)
    const entries = queues.get(share.client)
    if (entries === undefined) queues.set(share.client, new Set([entry]))
    else entries.add(entry)
    queued += 1
    if (onWait === undefined) return promise
    const start = performance.now()
    return promise.finally(() => onWait(performance.now() - start))
  }

  return {
    get active() {
      return active
    },
    get queued() {
      return queued
    },
    async run(share, task) {
      // Every queued entry is held back by a limit of its client or its tables, so none is overtaken here.
      if (hasSlot(share.client) && areFree(share)) {
        change(share, 1)
        onWait?.(0)
      } else await enqueue(share)
      try {
        return await task()
      } finally {
        change(share, -1)
        admit()
      }
    },
  }
}

class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, change: 1 | -1): void {
    const count = this.of(key) + change
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}
