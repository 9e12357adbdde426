/** Reads the current version of every table. Concurrent callers share one query. */
import { overloaded } from '../../errors.ts'
import type { Runner } from '../connection/database.ts'
import type { Statement } from '../sql/statement.ts'
import { epochExpression, joinVersion, tableSeparator, versionWithFingerprints } from '../sql/statement.ts'

export interface Versions {
  /**
   * The version of one or several tables (see `tableKey`): changes with every write to any of them, and never repeats.
   */
  of(tables: string): string
  /** The same version as a standby reports it. Available only if opened with `forReplicas`. */
  versionOnStandby(tables: string): string
}

export interface TableVersions {
  /** Returns the current versions, from a shared query that starts after this call. */
  read(): Promise<Versions>
}

/**
 * A query that returns one row, because parsing several would cost the service more than reading them costs the
 * database.
 */
const versionsSql = (line: string, columns: string): string =>
  `select ${epochExpression}, (select string_agg(${line}, ',') from (select table_name, ${columns} from muster_table_versions group by table_name) lines)`
const plainStatement: Statement = {
  pool: 'control',
  name: 'versions',
  text: versionsSql("table_name || ' ' || changes", 'sum(changes) as changes'),
  values: [],
}
const fingerprintStatement: Statement = {
  pool: 'control',
  name: 'versions and fingerprints',
  text: versionsSql(
    "table_name || ' ' || changes || ' ' || mark",
    'sum(changes) as changes, bit_xor(hashint8extended(changes, session)) as mark',
  ),
  values: [],
}

/** Bounds memory. Only pipelined requests can come near this limit, while the database does not respond. */
const maxWaiting = 10_000
/**
 * Longest delay of a query, in event loop ticks. A tick takes less than a millisecond, and almost no time if the
 * process is idle.
 */
const maxDelayTicks = 6

export const openTableVersions = (database: Runner, forReplicas = false): TableVersions => {
  const statement = forReplicas ? fingerprintStatement : plainStatement
  let isReading = false
  let nextResult: PromiseWithResolvers<Versions> | undefined
  let waitingCount = 0
  let lastVersions = parseVersions('', '')

  const queryVersions = async (): Promise<Versions> => {
    const [row] = await database.run(statement)
    const [epoch, lines] = row as readonly [string, string | null]
    if (lastVersions.epoch !== epoch || lastVersions.lines !== lines) lastVersions = parseVersions(epoch, lines)
    return lastVersions
  }
  const serveWaiting = async (result: PromiseWithResolvers<Versions>): Promise<void> => {
    nextResult = undefined
    waitingCount = 0
    await queryVersions().then(result.resolve, result.reject)
    isReading = false
    if (nextResult !== undefined) gatherCallers(nextResult)
  }
  /** Delays the next query while each tick of the event loop brings more callers, so that one query serves them all. */
  const gatherCallers = (result: PromiseWithResolvers<Versions>, previousCount = 0, tick = 0): void => {
    isReading = true
    if (previousCount === waitingCount || tick === maxDelayTicks) {
      void serveWaiting(result)
      return
    }
    const currentCount = waitingCount
    setImmediate(() => gatherCallers(result, currentCount, tick + 1))
  }
  return {
    read() {
      if (waitingCount >= maxWaiting) return Promise.reject(overloaded())
      waitingCount += 1
      // A running query may have taken its snapshot before a write the caller has seen: the caller joins the next one.
      const result = nextResult ?? Promise.withResolvers<Versions>()
      nextResult = result
      if (!isReading) gatherCallers(result)
      return result.promise
    },
  }
}

/** If the next query returns the same `epoch` and `lines`, this object is reused. */
const parseVersions = (epoch: string, lines: string | null): Versions & { epoch: string; lines: string | null } => {
  const lineByTable = new Map(lines?.split(',').map((line) => [line.slice(0, line.indexOf(' ')), line.split(' ')]))
  const versions = new Map<string, string>()
  const columnOf = (tables: string, index: number) =>
    tables.split(tableSeparator).map((table) => lineByTable.get(table)?.[index])
  return {
    epoch,
    lines,
    of(tables) {
      const cachedVersion = versions.get(tables)
      if (cachedVersion !== undefined) return cachedVersion
      const version = joinVersion(epoch, columnOf(tables, 1))
      versions.set(tables, version)
      return version
    },
    versionOnStandby(tables) {
      return versionWithFingerprints(this.of(tables), columnOf(tables, 2))
    },
  }
}
