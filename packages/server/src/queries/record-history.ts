/** Reads the first values and the recorded changes of one record. */
import type { Resource } from '@muster/model'
import { history, responseValue, trackedFields } from '@muster/model'
import type { Runner } from '../postgres/connection/database.ts'
import type { Statement } from '../postgres/sql/statement.ts'
import { quoteIdentifier, quoteLiteral, versionedSelect } from '../postgres/sql/statement.ts'

export interface RecordHistory {
  readonly version: string
  /** The entries as JSON objects, joined by commas. */
  readonly entries: string
  readonly total: number
  /** The day from which on the history of the resource is complete. */
  readonly completeFrom: string
}

/** The tables that the history of a record is read from. */
export const recordHistorySource = ({ table }: Resource) => ({ table, joinedTables: [history.table] })

/** Undefined if there is no such record. */
export const readRecordHistory = async (
  reader: Runner,
  resource: Resource,
  id: bigint,
): Promise<RecordHistory | undefined> => {
  const [row] = await reader.run(recordHistoryStatement(resource, id))
  if (row === undefined || row[1] === null) return undefined
  return {
    version: row[0] as string,
    completeFrom: row[2] as string,
    total: Number(row[3]),
    entries: row[4] as string,
  }
}

/** The outer join returns the version even if no record is found, as for a get. */
export const recordHistoryStatement = (resource: Resource, id: bigint): Statement => ({
  pool: 'read',
  name: `history of ${resource.path}`,
  ...versionedSelect(
    recordHistorySource(resource),
    `stored.id, (select to_char(day, 'YYYY-MM-DD') from muster_history_from where resource = ${quoteLiteral(resource.path)}), recorded.total, recorded.entries`,
    {
      join:
        ` left join ${quoteIdentifier(resource.table)} stored on stored.id = $1` +
        ` left join lateral (${entriesSelect(resource)}) recorded on true`,
    },
  ),
  values: [String(id)],
})

const entryFields = history.allFields.filter(({ name }) => !['resource', 'record_id'].includes(name))

/** A first value is the old value of the first change of its field, or the present value. */
const entriesSelect = (resource: Resource): string => {
  const { path, startDay } = resource
  const start = startDay === undefined ? 'null' : `to_char(stored.${quoteIdentifier(startDay)}, 'YYYY-MM-DD')`
  const present = trackedFields(resource).map(
    ({ name }, position) => `(${quoteLiteral(name)}, stored.${quoteIdentifier(name)}::text, ${position})`,
  )
  const changeColumns = entryFields.map(
    (field) => `${responseValue(field, `h.${quoteIdentifier(field.name)}`)} as ${quoteIdentifier(field.name)}`,
  )
  const changes = `history h where h.record_id = stored.id and h.resource = ${quoteLiteral(path)}`
  return (
    `select count(*) as total, string_agg(row_to_json(entry)::text, ',' order by place, day, position) as entries from (` +
    `select 0 as place, null::date as day, f.position::bigint as position,` +
    ` (select e from (select null::bigint as id, f.name as field, null::text as old, case when c.id is null then f.value else c.old end as new,` +
    ` ${start} as "on", null::text as since, null::text as at) e) as entry` +
    ` from (values ${present.join(', ')}) f (name, value, position)` +
    ` left join lateral (select h.id, h.old from ${changes} and h.field = f.name order by h."on", h.id limit 1) c on true` +
    ` where stored.id is not null` +
    ` union all` +
    ` select 1, h."on", h.id, (select e from (select ${changeColumns.join(', ')}) e) from ${changes}) entries`
  )
}
