/**
 * Reads records by id. Requests that arrive while a statement runs share the next one, which counts toward no client.
 */
import type { Resource } from '@muster/model'
import { overloaded } from '../errors.ts'
import type { Runner } from '../postgres/connection/database.ts'
import { limitWait, patienceMs } from '../postgres/connection/wait-limit.ts'
import type { Statement } from '../postgres/sql/statement.ts'
import { quoteIdentifier, recordText, statementLabels, versionedSelect } from '../postgres/sql/statement.ts'

export interface FoundRecord {
  /** The version of the resource in the record's snapshot. */
  readonly version: string
  /** The JSON text of the record. */
  readonly record: string
}

export type Getter = (id: bigint) => Promise<FoundRecord | undefined>

interface WaitingId extends PromiseWithResolvers<FoundRecord | undefined> {
  readonly endWait: () => void
}

/** Concurrent statements per resource; further ids wait, and share the next one. */
const maxStatements = 2
/**
 * This limit bounds memory. It is not reached in practice, because each of at most 8,192 connections waits for one id.
 */
const maxWaitingIds = 10_000

export const openGetter = (reader: Runner, resource: Resource): Getter => {
  let runningCount = 0
  let waitingIds = new Map<bigint, WaitingId>()

  const runWaiting = async (): Promise<void> => {
    const batch = waitingIds
    waitingIds = new Map()
    runningCount += 1
    for (const { endWait } of batch.values()) endWait()
    try {
      const records = await readRecords(reader, resource, [...batch.keys()])
      for (const [id, { resolve }] of batch) resolve(records.get(id))
    } catch (error) {
      for (const { reject } of batch.values()) reject(error)
    } finally {
      runningCount -= 1
      if (waitingIds.size > 0 && runningCount < maxStatements) void runWaiting()
    }
  }

  return (id) => {
    const existing = waitingIds.get(id)
    if (existing !== undefined) return existing.promise
    if (waitingIds.size >= maxWaitingIds) return Promise.reject(overloaded())
    const result = Promise.withResolvers<FoundRecord | undefined>()
    const endWait = limitWait({
      waitingCount: () => waitingIds.size,
      patienceMs: () => patienceMs,
      onExpired: () => {
        waitingIds.delete(id)
        result.reject(overloaded())
      },
    })
    waitingIds.set(id, { ...result, endWait })
    if (runningCount < maxStatements) void runWaiting()
    return result.promise
  }
}

/** Runs its own statement, because concurrent requests for the same projection are rare. */
export const getOne = async (reader: Runner, resource: Resource, id: bigint): Promise<FoundRecord | undefined> =>
  (await readRecords(reader, resource, [id])).get(id)

const readRecords = async (
  reader: Runner,
  resource: Resource,
  ids: readonly bigint[],
): Promise<Map<bigint, FoundRecord>> => {
  const rows = await reader.run(getStatement(resource, ids))
  return new Map(
    rows
      .filter(([, id]) => id !== null)
      .map(([version, id, record]) => [BigInt(id as number), { version: version as string, record: record as string }]),
  )
}

/**
 * The outer join returns the version even if no record is found, so that a "not found" from an up-to-date replica can
 * be used.
 */
export const getStatement = (resource: Resource, ids: readonly bigint[]): Statement => ({
  pool: 'read',
  ...statementLabels('get', resource),
  ...versionedSelect(resource, `id, ${recordText(resource)}`, {
    join: ` left join ${quoteIdentifier(resource.table)} on id = any ($1)`,
  }),
  values: [`{${ids.join(',')}}`],
})
