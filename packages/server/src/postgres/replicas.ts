/** Runs reads on replicas. A replica's result is used only if its version equals the primary's current version. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, DatabaseObserver, DatabaseOptions, Row, RunnerFactory } from './connection/database.ts'
import { openDatabase } from './connection/database.ts'
import { maxWaitMs } from './connection/wait-limit.ts'
import type { TableVersions } from './row-counts/table-versions.ts'
import type { PoolName, Statement, TableSource } from './sql/statement.ts'
import { epochExpression, tableKey } from './sql/statement.ts'

export interface ReplicasOptions {
  readonly urls: readonly string[]
  readonly primary: Database
  /** The primary's table versions, opened with `forReplicas`. */
  readonly versions: TableVersions
  readonly pooler: DatabaseOptions['pooler']
  readonly poolSize: number
  readonly observer?: DatabaseObserver | undefined
}

export interface Replicas extends RunnerFactory {
  readonly states: readonly ReplicaState[]
  /** Checks every replica periodically until the signal is aborted. */
  watch(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface ReplicaState {
  /** Host and port. */
  readonly name: string
  /** Whether reads are sent to this replica. */
  readonly usable: boolean
  /** The lag at the last check; undefined if unknown. */
  readonly lagSeconds: number | undefined
  /**
   * Number of reads by outcome. `fresh` counts the reads whose result from a replica was used; all other reads were
   * repeated on the primary.
   */
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
  readonly source: TableSource
  readonly client: string | undefined
}

/** A position in the primary's write-ahead log, and the time at which the log ended there. */
interface LogPosition {
  readonly lsn: bigint
  readonly at: number
}

/** A read that has taken this long on a replica is repeated on the primary, with the full time limit. */
const replicaTimeoutMs = 1_000
/**
 * Time limit of a replica's statements. A replica normally cancels a statement earlier; at this limit the connection is
 * closed.
 */
const statementTimeoutMs = 1_500
/** Maximum number of running and queued statements per connection of a replica's pool. */
const maxLoadPerConnection = 3
const pauseMs = 500
/** A replica with more lag is not used, because after every write its results would be stale for that long. */
const maxLagSeconds = 1
/** Maximum number of remembered log positions, which cover five minutes: a replica with more lag is not used anyway. */
const maxPositions = 600

export const openReplicas = ({
  urls,
  primary,
  versions: tableVersions,
  pooler,
  poolSize,
  observer,
}: ReplicasOptions): Replicas => {
  const replicas = urls.map((url) =>
    openReplica(
      openDatabase({ url, pooler, poolSize, timeoutMs: statementTimeoutMs, patienceMs: maxWaitMs, observer }),
      url,
    ),
  )
  let positions: readonly LogPosition[] = []
  let lastEpoch = ''

  /** The replica whose pool is least loaded; undefined if all are busy, so that no statement waits in two queues. */
  const leastLoaded = (pool: PoolName): Replica | undefined => {
    let leastLoadedReplica: Replica | undefined
    let leastLoad = maxLoadPerConnection
    for (const replica of replicas) {
      const load = replica.usable ? loadOf(replica.database, pool) : maxLoadPerConnection
      if (load < leastLoad) {
        leastLoadedReplica = replica
        leastLoad = load
      }
    }
    return leastLoadedReplica
  }

  /**
   * The rows of a replica, with the primary's version; undefined unless the replica is at the primary's current
   * version.
   */
  const readFresh = async (
    { database, outcomes }: Replica,
    { statement, source, client }: ReplicaQuery,
  ): Promise<readonly Row[] | undefined> => {
    const startedAt = performance.now()
    const currentVersions = tableVersions.read().catch((error: unknown) => {
      // If the primary does not respond, the read fails here instead of waiting for the primary a second time.
      if (performance.now() - startedAt > replicaTimeoutMs) throw error
    })
    const [found, versions] = await Promise.all([
      withTimeout(database.forClient(client).run(statement)).catch(() => undefined),
      currentVersions,
    ])
    if (found === 'timeout') database.setReady(false)
    if (versions === undefined) return undefined
    if (found === undefined || found === 'timeout') {
      outcomes.failed += 1
      return undefined
    }
    const tables = tableKey(source)
    const isFresh = found[0]?.[0] === versions.versionOnStandby(tables)
    outcomes[isFresh ? 'fresh' : 'stale'] += 1
    return isFresh ? found.map((row) => row.with(0, versions.of(tables))) : undefined
  }

  const checkAll = async (): Promise<void> => {
    const [row] = await primary.run({
      pool: 'control',
      name: 'log position',
      text: `select ${epochExpression}, pg_current_wal_lsn()::text`,
      values: [],
    })
    const [epoch, endLsn] = row as readonly [string, string]
    // After a failover the new primary's log may end at an earlier position.
    const earlierPositions = epoch === lastEpoch ? positions.slice(1 - maxPositions) : []
    positions = [...earlierPositions, { lsn: parseLsn(endLsn), at: performance.now() }]
    lastEpoch = epoch
    await Promise.all(replicas.map((replica) => checkReplica(replica, epoch, positions)))
  }

  const run = async (statement: Statement, client?: string): Promise<readonly Row[]> => {
    const { versionOf: source, pool } = statement
    // A report may take longer than a replica is waited for, which would count as a failure of the replica.
    const replica = source === undefined || pool === 'report' ? undefined : leastLoaded(pool)
    const rows =
      replica === undefined || source === undefined
        ? undefined
        : await readFresh(replica, { statement, source, client })
    return rows ?? primary.forClient(client).run(statement)
  }

  return {
    states: replicas,
    run: (statement) => run(statement),
    forClient: (client) => ({ run: (statement) => run(statement, client) }),
    async watch(signal) {
      while (!signal.aborted) {
        // While the primary is down, the lag of a replica is unknown.
        await checkAll().catch(() => {})
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
  get usable() {
    return database.ready
  },
  lagSeconds: undefined,
  outcomes: { fresh: 0, stale: 0, failed: 0 },
})

const loadOf = ({ pools }: Database, pool: PoolName): number => {
  const usage = pools.find(({ name }) => name === pool)
  return usage === undefined ? 0 : (usage.busy + usage.waiting) / usage.size
}

const checkReplica = async (replica: Replica, epoch: string, positions: readonly LogPosition[]): Promise<void> => {
  const { database } = replica
  try {
    const { rows } = await database.controlPool.query<{ epoch: string | null; reached: string | null }>(
      'select case when pg_is_in_recovery() then muster_recorded_epoch() end as epoch, pg_last_wal_replay_lsn()::text as reached',
    )
    const { epoch: replicaEpoch, reached: replayedLsn } = rows[0] ?? {}
    const isKnown = replicaEpoch === epoch && typeof replayedLsn === 'string'
    replica.lagSeconds = isKnown ? lagOf(parseLsn(replayedLsn), positions) : undefined
  } catch {
    replica.lagSeconds = undefined
  }
  database.setReady(replica.lagSeconds !== undefined && replica.lagSeconds < maxLagSeconds)
}

/** Seconds since the primary wrote the first position that the replica has not replayed. */
const lagOf = (replayedLsn: bigint, positions: readonly LogPosition[]): number => {
  const firstMissingPosition = positions.find(({ lsn }) => lsn > replayedLsn)
  return firstMissingPosition === undefined ? 0 : (performance.now() - firstMissingPosition.at) / 1_000
}

/** PostgreSQL writes a pg_lsn as two hexadecimal numbers: high and low 32 bits. */
const parseLsn = (text: string): bigint => {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

const withTimeout = async <T>(work: Promise<T>): Promise<T | 'timeout'> => {
  const { promise, resolve } = Promise.withResolvers<'timeout'>()
  const timer = setTimeout(() => resolve('timeout'), replicaTimeoutMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
