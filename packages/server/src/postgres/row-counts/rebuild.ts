/**
 * Recreates triggers that are missing or changed, counts every table again, records changes that the history missed, and
 * invalidates every cached response.
 */
import type { Resource } from '@muster/model'
import { listedResources, trackedFields } from '@muster/model'
import type { Client } from 'pg'
import { withSession } from '../connection/session.ts'
import { closeHistoryGaps, historyGaps, trackHistory } from '../schema/history-gaps.ts'
import { changedDefinitions } from '../schema/integrity.ts'

export interface RepairResult {
  readonly table: string
  /** By how many rows the table's stored counts were wrong; 0 unless the table was written to without its triggers. */
  readonly offBy: number
  /** Whether a trigger was missing, disabled or changed. */
  readonly triggersReplaced: boolean
  /** How many changes the history missed. */
  readonly historyGaps: number
}

/** Each table is locked against writes while it is counted; reads go on. */
export const repairDatabase = (connectionString: string, onRepaired: (repair: RepairResult) => void): Promise<void> =>
  withSession(connectionString, 'repair', async (client) => {
    await client.query(
      "select set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false)",
    )
    const changedNames = await changedDefinitions(client)
    for (const resource of listedResources) onRepaired(await repairTable(client, resource, changedNames))
  })

const repairTable = async (
  client: Client,
  resource: Resource,
  changedNames: readonly string[],
): Promise<RepairResult> => {
  const { table } = resource
  const statusFields = resource.allFields.filter((field) => field.state).map(({ name }) => name)
  const isChanged = (kind: 'counts' | 'history'): boolean =>
    changedNames.some(
      (name) =>
        name.startsWith(`trigger ${table}.muster_${kind}_`) || name.startsWith(`function muster_${kind}_${table}_`),
    )
  const [countsChanged, historyChanged] = [isChanged('counts'), isChanged('history')]
  await client.query('begin')
  const { rows } = await client.query<{ off_by: string }>('select public.muster_rebuild_counts($1, $2) as off_by', [
    table,
    statusFields,
  ])
  if (countsChanged) {
    const functions = ['insert', 'delete', 'update', 'truncate'].map(
      (event) => `public.muster_counts_${table}_${event}()`,
    )
    await client.query(`drop function if exists ${functions.join(', ')} cascade`)
    await client.query('select public.muster_track_table($1, $2)', [table, statusFields])
  }
  if (historyChanged) await trackHistory(client, resource)
  const gaps = trackedFields(resource).length === 0 ? 0 : await historyGaps(client, resource)
  if (gaps > 0) await closeHistoryGaps(client, resource)
  await renewEpoch(client)
  await client.query('commit')
  return {
    table,
    offBy: Number(rows[0]?.off_by),
    triggersReplaced: countsChanged || historyChanged,
    historyGaps: gaps,
  }
}

/**
 * Every version begins with the epoch, so a new epoch invalidates all cached responses and ETags. Writes without
 * triggers can leave all counts correct, so the epoch is renewed in any case. This is done in the transaction that
 * restores the triggers, so that an interrupted repair leaves no stale cache entries.
 */
const renewEpoch = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ populated: boolean }>(
    "select relispopulated as populated from pg_class where oid = 'public.muster_epoch'::regclass",
  )
  // Without "concurrently" the refresh would wait for running exports, and all reads would wait behind it. A view that
  // was never populated cannot be refreshed concurrently, but has no readers that would wait.
  await client.query(`refresh materialized view ${rows[0]?.populated ? 'concurrently ' : ''}public.muster_epoch`)
}
