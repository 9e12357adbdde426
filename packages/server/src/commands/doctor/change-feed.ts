import { schemaState } from '../../postgres/schema/migrate.ts'
import { databaseCheck, ok } from './finding.ts'

/** A transaction that has been writing for longer is reported. */
const maxMinutes = 5

/**
 * The oldest open transaction that writes, in any database of the server. The start of a transaction of another role is
 * hidden from most roles; the age of the oldest change that it holds back is known in any case.
 */
const oldestWriterSql = `
  select transaction, role, extract(epoch from clock_timestamp() - least(started, (
    select min(at) from public.muster_changes where xid >= pg_snapshot_xmin(pg_current_snapshot()))))::float8 / 60 as minutes
  from (
    select backend_xid as xid, usename as role, 'The transaction of session ' || pid as transaction, xact_start as started
    from pg_stat_activity where backend_xid is not null
    union all
    select transaction, owner, 'The prepared transaction "' || gid || '"', prepared from pg_prepared_xacts
  ) writer order by age(xid) desc limit 1`

export const changeFeedCheck = databaseCheck('changes', async (client) => {
  if ((await schemaState(client)).state !== 'current')
    return { verdict: 'unknown', sentence: 'Not checked: the schema is not that of this release.' }
  const { rows } = await client.query<{ transaction: string; role: string; minutes: number | null }>(oldestWriterSql)
  const { transaction = '', role = '', minutes = 0 } = rows[0] ?? {}
  if ((minutes ?? 0) < maxMinutes) return ok('No transaction holds the change feed back.')
  return {
    verdict: 'advice',
    sentence: `${transaction} of the role "${role}" has been open for ${Math.floor(minutes ?? 0)} minutes: until it ends, the change feed shows no later changes.`,
  }
})
