/**
 * The history in a copy of all records. Its entries are lines of a file like those of records; the days from which on it is
 * complete are in the manifest.
 */
import type { Resource } from '@muster/model'
import { history, trackedFields, trackedResources } from '@muster/model'
import type { Client } from 'pg'
import { quoteIdentifier, quoteLiteral } from '../postgres/sql/statement.ts'
import { markBadSql, rowErrorsTable } from './checks.ts'
import { stagingTable } from './staging.ts'

/** The first day of a complete history, by the path of the resource. */
export type HistoryStarts = ReadonlyMap<string, string>

export const readHistoryStarts = async (client: Client): Promise<HistoryStarts> => {
  const { rows } = await client.query<{ resource: string; day: string }>(
    `select resource, to_char(day, 'YYYY-MM-DD') as day from public.muster_history_from order by resource`,
  )
  return new Map(rows.map(({ resource, day }) => [resource, day]))
}

/**
 * The resources to lock. The history needs no lock of its own, because only writers of tracked fields write it. They
 * lock the table of the record before the history, so locks in the order of the names could end in a deadlock.
 */
export const withoutHistoryLock = (resources: readonly Resource[]): Resource[] =>
  resources.includes(history)
    ? [...new Set([...resources.filter((resource) => resource !== history), ...trackedResources])]
    : [...resources]

/**
 * Rejects entries that are not of a tracked field of a record in the same copy, or that do not end with its value: the
 * history would say that the record was something else until today. Call this after `checkStaged`.
 */
export const checkHistory = async (
  client: Client,
  resources: readonly Resource[],
  { skipBad }: { readonly skipBad: boolean },
): Promise<void> => {
  if (!resources.includes(history)) return
  await reject(client, 'field', 'This field of this resource has no history', {
    condition: `(staged.resource, staged.field) not in (values ${trackedPairs.join(', ')})`,
  })
  for (const resource of trackedResources) {
    const isOfResource = `staged.resource = ${quoteLiteral(resource.path)}`
    const records = resources.includes(resource)
      ? `select from ${stagingTable(resource)} as found where found.id = staged.record_id${skipBad ? ' and not found.bad' : ''}`
      : 'select where false'
    await reject(client, 'record_id', `The copy contains no such ${resource.title}`, {
      condition: `${isOfResource} and not exists (${records})`,
    })
    if (!resources.includes(resource)) continue
    for (const { name } of trackedFields(resource))
      await reject(client, 'new', `This is the last change, but the ${resource.title} has another ${name}`, {
        join: ` join ${stagingTable(resource)} as found on found.id = staged.record_id`,
        condition:
          `${isOfResource} and staged.field = ${quoteLiteral(name)} and staged.new is distinct from found.${quoteIdentifier(name)}::text` +
          ` and not exists (select from ${entries} as later where not later.bad and ${isSameField('later')}` +
          ` and (later."on", later.id) > (staged."on", staged.id))`,
      })
  }
  if (skipBad)
    await reject(client, 'record_id', 'Another change of this field of the record was rejected', {
      condition: `exists (select from ${entries} as other where other.bad and ${isSameField('other')})`,
    })
}

const entries = stagingTable(history)
const trackedPairs = trackedResources.flatMap((resource) =>
  trackedFields(resource).map(({ name }) => `(${quoteLiteral(resource.path)}, ${quoteLiteral(name)})`),
)
const isSameField = (alias: string): string =>
  `(${alias}.resource, ${alias}.record_id, ${alias}.field) = (staged.resource, staged.record_id, staged.field)`

const reject = async (
  client: Client,
  field: string,
  reason: string,
  { join = '', condition }: { readonly join?: string; readonly condition: string },
): Promise<void> => {
  await client.query(
    `insert into ${rowErrorsTable}
     select ${quoteLiteral(history.path)}, staged.line, ${quoteLiteral(field)}, null, null, ${quoteLiteral(reason)}
     from ${entries} as staged${join} where not staged.bad and ${condition}`,
  )
  await client.query(markBadSql(history))
}

/**
 * Stores the days of a copy. In a table with other records, the history is complete from the later one of both days. Call
 * this before the records of the copy are stored.
 */
export const storeHistoryStarts = async (client: Client, starts: HistoryStarts): Promise<void> => {
  for (const { path, table } of trackedResources) {
    const day = starts.get(path)
    if (day === undefined) continue
    await client.query(
      `update public.muster_history_from
       set day = case when exists (select from public.${quoteIdentifier(table)}) then greatest(day, $2::date) else $2::date end
       where resource = $1`,
      [path, day],
    )
  }
  // Cached responses say from which day on the history is complete.
  await client.query(`select public.muster_update_table_version(${quoteLiteral(history.table)}, 0)`)
}
