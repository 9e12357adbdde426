/** In charge of reads from replicas: which of them are fit to be asked, and that none tells what the primary would not. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Books } from './books.ts'
import type { Database, DatabaseObserver, DatabaseOptions, Row, RunnerFactory } from './database.ts'
import { openDatabase } from './database.ts'
import type { PoolName, Statement } from './statement.ts'
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

export interface Replicas extends RunnerFactory {
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

interface ReplicaQuery {
  readonly statement: Statement
  readonly told: NonNullable<Statement['told']>
  readonly client: string | undefined
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

  /** The replica whose pool is least loaded; undefined if all are busy, so that no statement waits in two queues. */
  const fittest = (pool: PoolName): Replica | undefined => {
    let best: Replica | undefined
    let least = maxLoad
    for (const replica of replicas) {
      const load = replica.fit ? loadOf(replica.database, pool) : maxLoad
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
    { statement, told: { resource, column }, client }: ReplicaQuery,
  ): Promise<readonly Row[] | undefined> => {
    const started = performance.now()
    const present = books.versions().catch((error: unknown) => {
      // A primary that hangs is not asked for more, so that nobody waits for it twice.
      if (performance.now() - started > patienceMs) throw error
    })
    const [found, versions] = await Promise.all([
      inTime(database.for(client).run(statement)).catch(() => undefined),
      present,
    ])
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
    const [row] = await primary.run({
      pool: 'control',
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

  const run = async (statement: Statement, client?: string): Promise<readonly Row[]> => {
    const { told, pool } = statement
    const replica = told === undefined ? undefined : fittest(pool)
    const found =
      replica === undefined || told === undefined ? undefined : await freshFrom(replica, { statement, told, client })
    return found ?? primary.for(client).run(statement)
  }

  return {
    states: replicas,
    run: (statement) => run(statement),
    for: (client) => ({ run: (statement) => run(statement, client) }),
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

const loadOf = ({ pools }: Database, pool: PoolName): number => {
  const use = pools.find(({ name }) => name === pool)
  return use === undefined ? 0 : (use.busy + use.waiting) / use.size
}

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
