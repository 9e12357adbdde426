/** Limits concurrent statements on a connection pool and shares its slots between clients and tables. */
import { overloaded } from '../../errors.ts'
import { patienceMs as defaultPatienceMs, limitWait, maxWaitMs } from './wait-limit.ts'

/** The client and tables that a statement is counted for. */
export interface Share {
  /** Undefined for work shared by several clients, which counts toward no client's share. */
  readonly client: string | undefined
  readonly tables: readonly string[]
}

export interface AdmissionQueue {
  /** Runs `task` when a slot is free; rejects with `overloaded` if that takes too long. */
  run<T>(share: Share, task: () => Promise<T>): Promise<T>
  /** From now on, nothing waits longer than `maxWaitMs`. */
  endPatience(): void
  readonly active: number
  readonly queued: number
}

export interface QueueOptions {
  /** How long a statement waits while at most `maxPatient` do. */
  readonly patienceMs?: number | undefined
  /** Receives the time each statement has waited, whether or not it was admitted. */
  readonly onWait?: ((waitedMs: number) => void) | undefined
}

/** This limit only bounds memory: a statement behind this many others could not start within `maxWaitMs` anyway. */
const maxQueued = 1_000

interface QueueEntry {
  readonly share: Share
  /** The tables that the statement is counted for, joined into one string. */
  readonly tablesKey: string
  readonly start: () => void
  readonly reject: () => void
}

/** Maximum numbers of slots that may be held at the same time. */
interface Limits {
  readonly client: number
  readonly table: number
  readonly clientOnTable: number
}

/**
 * A running statement cannot be preempted, so a limit that acts only while others wait comes too late: one client's
 * slow statements would already hold every slot for seconds. Therefore a quarter of the slots is reserved: a client, or
 * a table, never holds it. One client's statements on one table leave a further quarter to other clients on that table,
 * and to the same client on other tables while that table is locked.
 */
const limitsOf = (slots: number): Limits => {
  const reserved = Math.max(1, Math.floor(slots / 4))
  const limit = Math.max(1, slots - reserved)
  return { client: limit, table: limit, clientOnTable: Math.max(1, limit - reserved) }
}

export const openAdmissionQueue = (
  slots: number,
  { patienceMs: initialPatienceMs = defaultPatienceMs, onWait }: QueueOptions = {},
): AdmissionQueue => {
  let patienceMs = initialPatienceMs
  const limits = limitsOf(slots)
  let active = 0
  let queued = 0
  const heldByClient = new Counts()
  const heldByTable = new Counts()
  const heldByClientAndTable = new Counts()
  /** FIFO by client. The order of the clients is the round-robin order: a client that was served goes to the end. */
  const queueByClient = new Map<string | undefined, Set<QueueEntry>>()

  const clientHasSlot = (client: string | undefined): boolean =>
    active < slots && (client === undefined || heldByClient.of(client) < limits.client)
  const haveFreeSlots = ({ client, tables }: Share): boolean =>
    tables.every(
      (table) =>
        heldByTable.of(table) < limits.table &&
        (client === undefined || heldByClientAndTable.of(`${client} ${table}`) < limits.clientOnTable),
    )
  const changeCounts = ({ client, tables }: Share, by: 1 | -1): void => {
    active += by
    if (client !== undefined) heldByClient.add(client, by)
    for (const table of tables) {
      heldByTable.add(table, by)
      if (client !== undefined) heldByClientAndTable.add(`${client} ${table}`, by)
    }
  }

  const remove = (entry: QueueEntry): boolean => {
    const { client } = entry.share
    const entries = queueByClient.get(client)
    if (entries === undefined || !entries.delete(entry)) return false
    queued -= 1
    if (entries.size === 0) queueByClient.delete(client)
    return true
  }

  /**
   * The oldest entry whose tables have a free slot. Checks each set of tables once, because most entries of a queue
   * have the same set.
   */
  const firstAdmissible = (entries: Iterable<QueueEntry>): QueueEntry | undefined => {
    let fullTables: Set<string> | undefined
    for (const entry of entries) {
      if (fullTables?.has(entry.tablesKey)) continue
      if (haveFreeSlots(entry.share)) return entry
      fullTables ??= new Set()
      fullTables.add(entry.tablesKey)
    }
    return undefined
  }

  /** The next entry in round-robin order; a client that holds half of the slots yields to clients that hold less. */
  const nextEntry = (): QueueEntry | undefined => {
    let yieldingEntry: QueueEntry | undefined
    for (const [client, entries] of queueByClient) {
      const entry = clientHasSlot(client) ? firstAdmissible(entries) : undefined
      if (entry === undefined) continue
      if (client === undefined || heldByClient.of(client) * 2 < slots) return entry
      yieldingEntry ??= entry
    }
    return yieldingEntry
  }

  const admit = (): void => {
    for (let entry = nextEntry(); entry !== undefined; entry = nextEntry()) {
      const { client } = entry.share
      const entries = queueByClient.get(client) as Set<QueueEntry>
      remove(entry)
      if (queueByClient.size > 1 && queueByClient.delete(client)) queueByClient.set(client, entries)
      changeCounts(entry.share, 1)
      entry.start()
    }
  }

  /** Makes room in a full queue: the client with the most entries loses its newest one. */
  const makeRoomFor = (client: string | undefined): boolean => {
    const [longestQueue] = [...queueByClient.values()].toSorted((a, b) => b.size - a.size)
    if (longestQueue === undefined || longestQueue.size <= (queueByClient.get(client)?.size ?? 0) + 1) return false
    const newestEntry = [...longestQueue].at(-1)
    if (newestEntry === undefined || !remove(newestEntry)) return false
    newestEntry.reject()
    return true
  }

  const enqueue = async (share: Share): Promise<void> => {
    if (queued >= maxQueued && !makeRoomFor(share.client)) throw overloaded()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry: QueueEntry = {
      share,
      tablesKey: share.tables.join(' '),
      start() {
        endWait()
        resolve()
      },
      reject() {
        endWait()
        reject(overloaded())
      },
    }
    const startedAt = performance.now()
    const endWait = limitWait({
      waitingCount: () => queued,
      patienceMs: () => patienceMs,
      onExpired: () => {
        if (remove(entry)) entry.reject()
      },
    })
    const entries = queueByClient.get(share.client)
    if (entries === undefined) queueByClient.set(share.client, new Set([entry]))
    else entries.add(entry)
    queued += 1
    if (onWait === undefined) return promise
    return promise.finally(() => onWait(performance.now() - startedAt))
  }

  return {
    endPatience() {
      patienceMs = maxWaitMs
    },
    get active() {
      return active
    },
    get queued() {
      return queued
    },
    async run(share, task) {
      // Every queued entry waits because its client or its tables have reached their limit, so starting this statement
      // overtakes none.
      if (clientHasSlot(share.client) && haveFreeSlots(share)) {
        changeCounts(share, 1)
        onWait?.(0)
      } else await enqueue(share)
      try {
        return await task()
      } finally {
        changeCounts(share, -1)
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
