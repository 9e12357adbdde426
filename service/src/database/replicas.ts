/** In charge of reads from replicas: which of them are fit to be asked, and that none tells what the primary would not. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Books } from './books.ts'
import type { Database, DatabaseObserver, DatabaseOptions, Reader, Row } from './database.ts'
import { openDatabase } from './database.ts'
import type { Statement } from './statement.ts'
import { eraOfBooks, sourceOf } from './statement.ts'

export interface ReplicasOptions {
  readonly urls: readonly string[]
  readonly primary: Database
  /** Of the primary, opened for replicas. */
  readonly books: Books
  readonly pooler: DatabaseOptions['pooler']
  readonly poolSize: number
  readonly observer?: DatabaseObserver | undefined
}

export interface Replicas extends Reader {
  readonly states: readonly ReplicaState[]
  /** Looks at all of them time and again, until the signal says stop. */
  watch(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** A replica as it is now. */
export interface ReplicaState {
  /** Host and port. */
  readonly name: string
  /** Whether it is asked. */
  readonly fit: boolean
  /** How far it was behind when it was last looked at; none while it cannot be known. */
  readonly lagSeconds: number | undefined
  /** Reads by what came of them: fresh were answered by it, all others by the primary after it. */
  readonly outcomes: Readonly<Record<ReplicaOutcome, number>>
}

export type ReplicaOutcome = 'fresh' | 'stale' | 'failed'

interface Replica extends ReplicaState {
  readonly database: Database
  lagSeconds: number | undefined
  readonly outcomes: Record<ReplicaOutcome, number>
}

/** Where the primary's log ended, and when. */
interface Mark {
  readonly place: bigint
  readonly at: number
}

/** Who has asked a replica in vain still has all the time that the primary may take. */
const patienceMs = 1_000
/** The server gives up first, and then the connection, which is closed. */
const answerMs = 1_500
/** Statements under way and in line for each connection of a pool. */
const maxLoad = 3
const pauseMs = 500
/** Behind by more, it would be asked in vain whenever something is written. */
const maxLagSeconds = 1
/** Some minutes of looks: a replica further behind is out in any case. */
const maxMarks = 600

export const openReplicas = ({ urls, primary, books, pooler, poolSize, observer }: ReplicasOptions): Replicas => {
  const replicas = urls.map((url) => openReplica(openDatabase({ url, pooler, poolSize, answerMs, observer }), url))
  let marks: readonly Mark[] = []
  let lastEra = ''

  /** Where the lines before all of them are long, the primary is asked: nobody waits for two turns in vain. */
  const fittest = (): Replica | undefined => {
    let best: Replica | undefined
    let least = maxLoad
    for (const replica of replicas) {
      const load = replica.fit ? loadOf(replica.database) : maxLoad
      if (load < least) {
        best = replica
        least = load
      }
    }
    return best
  }

  /** What a replica found, told as the primary would: nothing where it is not in the state the primary is in by now. */
  const freshFrom = async (
    { database, outcomes }: Replica,
    statement: Statement,
    { resource, column }: NonNullable<Statement['told']>,
  ): Promise<readonly Row[] | undefined> => {
    const started = performance.now()
    const present = books.versions().catch((error: unknown) => {
      // A primary that hangs is not asked for more, so that nobody waits for it twice.
      if (performance.now() - started > patienceMs) throw error
    })
    const [found, versions] = await Promise.all([inTime(database.run(statement)).catch(() => undefined), present])
    if (found === 'too late') database.setReady(false)
    if (versions === undefined) return undefined
    if (found === undefined || found === 'too late') {
      outcomes.failed += 1
      return undefined
    }
    const source = sourceOf(resource)
    const isFresh = found[0]?.[column] === versions.markedOf(source)
    outcomes[isFresh ? 'fresh' : 'stale'] += 1
    return isFresh ? found.map((row) => row.with(column, versions.of(source))) : undefined
  }

  const lookAtAll = async (): Promise<void> => {
    const [row] = await primary.look({
      name: 'place in the log',
      text: `select ${eraOfBooks}, pg_current_wal_lsn()::text`,
      values: [],
    })
    const [era, end] = row as readonly [string, string]
    // Another primary's log may end before the last one's.
    const former = era === lastEra ? marks.slice(1 - maxMarks) : []
    marks = [...former, { place: placeOf(end), at: performance.now() }]
    lastEra = era
    await Promise.all(replicas.map((replica) => lookAt(replica, era, marks)))
  }

  return {
    states: replicas,
    async run(statement) {
      const replica = statement.told === undefined ? undefined : fittest()
      if (replica === undefined || statement.told === undefined) return primary.run(statement)
      return (await freshFrom(replica, statement, statement.told)) ?? primary.run(statement)
    },
    async watch(signal) {
      while (!signal.aborted) {
        // While the primary does not answer, no replica could be held against it.
        await lookAtAll().catch(() => {})
        await pause(pauseMs, undefined, { signal }).catch(() => {})
      }
    },
    async close() {
      await Promise.all(replicas.map(({ database }) => database.close()))
    },
  }
}

const openReplica = (database: Database, url: string): Replica => ({
  name: new URL(url).host,
  database,
  get fit() {
    return database.ready
  },
  lagSeconds: undefined,
  outcomes: { fresh: 0, stale: 0, failed: 0 },
})

const loadOf = ({ pools }: Database): number =>
  pools.reduce((most, { busy, waiting, size }) => Math.max(most, (busy + waiting) / size), 0)

const lookAt = async (replica: Replica, era: string, marks: readonly Mark[]): Promise<void> => {
  const { database } = replica
  try {
    const { rows } = await database.lookout.query<{ era: string | null; reached: string | null }>(
      'select case when pg_is_in_recovery() then muster_noted_era() end as era, pg_last_wal_replay_lsn()::text as reached',
    )
    const { era: followed, reached } = rows[0] ?? {}
    const isKnown = followed === era && typeof reached === 'string'
    replica.lagSeconds = isKnown ? lagOf(placeOf(reached), marks) : undefined
  } catch {
    replica.lagSeconds = undefined
  }
  database.setReady(replica.lagSeconds !== undefined && replica.lagSeconds < maxLagSeconds)
}

/** How long ago the primary wrote what the replica lacks. */
const lagOf = (reached: bigint, marks: readonly Mark[]): number => {
  const lacking = marks.find(({ place }) => place > reached)
  return lacking === undefined ? 0 : (performance.now() - lacking.at) / 1_000
}

/** A place in the log as PostgreSQL writes it: two numbers in hexadecimal digits. */
const placeOf = (text: string): bigint => {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

const inTime = async <T>(work: Promise<T>): Promise<T | 'too late'> => {
  const { promise, resolve } = Promise.withResolvers<'too late'>()
  const timer = setTimeout(() => resolve('too late'), patienceMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
