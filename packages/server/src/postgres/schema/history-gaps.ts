/** Changes that were made while the triggers of the history were off: finds them, and records that they are missing. */
import type { Resource } from '@muster/model'
import { trackedFields } from '@muster/model'
import type { Queryable } from '../connection/session.ts'
import { quoteIdentifier, quoteLiteral } from '../sql/statement.ts'

/** Records whose present value of a field is not the one that their last change recorded. */
const gapsSelect = ({ path, table }: Resource, field: string): string =>
  `select t.id, ${quoteLiteral(field)} as field, h.new as old, t.${quoteIdentifier(field)}::text as new from (` +
  `select distinct on (record_id) record_id, new from public.history` +
  ` where resource = ${quoteLiteral(path)} and field = ${quoteLiteral(field)} order by record_id, "on" desc, id desc) h` +
  ` join public.${quoteIdentifier(table)} t on t.id = h.record_id where h.new is distinct from t.${quoteIdentifier(field)}::text`

const allGapsSelect = (resource: Resource): string =>
  trackedFields(resource)
    .map(({ name }) => gapsSelect(resource, name))
    .join(' union all ')

export const historyGaps = async (database: Queryable, resource: Resource): Promise<number> => {
  const { rows } = await database.query(`select count(*) as gaps from (${allGapsSelect(resource)}) gaps`)
  return Number(rows[0]?.gaps)
}

/** Records each missing change as one of today, and makes the history complete from today on. */
export const closeHistoryGaps = async (database: Queryable, resource: Resource): Promise<void> => {
  await database.query(
    `insert into public.history (resource, record_id, field, old, new, "on", at)
     select ${quoteLiteral(resource.path)}, id, field, old, new, (now() at time zone 'utc')::date, clock_timestamp()
     from (${allGapsSelect(resource)}) gaps order by id`,
  )
  await database.query(
    `update public.muster_history_from set day = (now() at time zone 'utc')::date where resource = ${quoteLiteral(resource.path)}`,
  )
}

/** Replaces the triggers of the history. */
export const trackHistory = async (database: Queryable, resource: Resource): Promise<void> => {
  const { path, table } = resource
  const fields = trackedFields(resource)
  const days = fields.map(({ history }) => (typeof history === 'object' ? quoteLiteral(history.day) : 'null'))
  const names = fields.map(({ name }) => quoteLiteral(name))
  const functions = ['update', 'delete', 'truncate'].map((event) => `public.muster_history_${table}_${event}()`)
  await database.query(`drop function if exists ${functions.join(', ')} cascade`)
  await database.query(
    `select public.muster_track_history(${quoteLiteral(table)}, ${quoteLiteral(path)}, array[${names.join(', ')}]::text[], array[${days.join(', ')}]::text[])`,
  )
}
