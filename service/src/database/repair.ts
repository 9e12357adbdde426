/** Recreates triggers that are missing or changed, counts every table again, and invalidates every cached response. */
import type { Resource } from '@muster/model'
import { resources } from '@muster/model'
import type { Client } from 'pg'
import { changedDefinitions } from './integrity.ts'
import { withSession } from './session.ts'

export interface Repair {
  readonly table: string
  /** How far the row counts of the table were off; 0 unless it was written to without its triggers. */
  readonly offBy: number
  /** Whether a trigger was missing, disabled or changed. */
  readonly triggersReplaced: boolean
}

/** Each table is locked against writes while it is counted; reads go on. */
export const repairBooks = (connectionString: string, onRepaired: (repair: Repair) => void): Promise<void> =>
  withSession(connectionString, 'repair', async (client) => {
    await client.query(
      "select set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false)",
    )
    const changed = await changedDefinitions(client)
    for (const resource of resources) onRepaired(await repairTable(client, resource, changed))
  })

const repairTable = async (client: Client, { table, all }: Resource, changed: readonly string[]): Promise<Repair> => {
  const states = all.filter((field) => field.state).map(({ name }) => name)
  const triggersReplaced = changed.some(
    (name) => name.startsWith(`trigger ${table}.`) || name.startsWith(`function muster_books_${table}_`),
  )
  await client.query('begin')
  const { rows } = await client.query<{ off_by: string }>('select public.muster_rebuild_books($1, $2) as off_by', [
    table,
    states,
  ])
  if (triggersReplaced) {
    const functions = ['insert', 'delete', 'update', 'truncate'].map(
      (event) => `public.muster_books_${table}_${event}()`,
    )
    await client.query(`drop function if exists ${functions.join(', ')} cascade`)
    await client.query('select public.muster_keep_books($1, $2)', [table, states])
  }
  await renewEpoch(client)
  await client.query('commit')
  return { table, offBy: Number(rows[0]?.off_by), triggersReplaced }
}

/**
 * Every version begins with the epoch, so that a new one invalidates all cached responses and ETags. Rows changed without
 * triggers may have left all counts right, so this is done in any case, in the transaction that
 * makes the triggers work again: a repair that is interrupted leaves nothing stale behind.
 */
const renewEpoch = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ populated: boolean }>(
    "select relispopulated as populated from pg_class where oid = 'public.muster_epoch'::regclass",
  )
  // Without "concurrently" it would wait for running exports, and all reads would wait behind it. An unpopulated view
  // cannot be refreshed concurrently, and has no readers.
  await client.query(`refresh materialized view ${rows[0]?.populated ? 'concurrently ' : ''}public.muster_epoch`)
}
