/** In charge of bringing staged rows into the tables: in an order that references allow, with every sequence after the largest id. */
import type { Resource } from '@muster/model'
import { resourceAt } from '@muster/model'
import type { Client } from 'pg'
import { escapeLiteral } from 'pg'
import { quoted, storedColumns } from '../database/statement.ts'
import { stagingTable } from './staging.ts'

/** Resources after those they refer to. Where two refer to each other, the database checks at the end. */
export const inReferenceOrder = (resources: readonly Resource[]): Resource[] => {
  const wanted = new Set(resources.map(({ path }) => path))
  const visited = new Set<string>()
  const ordered: Resource[] = []
  const visit = (resource: Resource): void => {
    if (visited.has(resource.path)) return
    visited.add(resource.path)
    for (const { references } of resource.stored) if (references !== undefined) visit(resourceAt(references.resource))
    if (wanted.has(resource.path)) ordered.push(resource)
  }
  for (const resource of resources) visit(resource)
  return ordered
}

/** Writers wait from here to the end of the transaction, readers do not: what was checked stays true until it is stored. */
export const lockTables = async (client: Client, resources: readonly Resource[]): Promise<void> => {
  const tables = inReferenceOrder(resources).map(({ table }) => `public.${quoted(table)}`)
  await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`)
}

/** Moves the good rows of one staging table and returns how many they were. */
export const moveRows = async (client: Client, resource: Resource): Promise<number> => {
  const sequence = await readSequence(client, resource)
  await startAfterLargest(client, resource, sequence)
  const others = resource.stored.filter(({ kind }) => kind !== 'id').map(({ name }) => quoted(name))
  const { rowCount } = await client.query(
    `insert into public.${quoted(resource.table)} (${storedColumns(resource)})` +
      ` select coalesce(id, nextval(${escapeLiteral(sequence)})), ${others.join(', ')}` +
      // A plain scan of a temporary table follows the lines of the file, and so do the ids that are given here.
      ` from ${stagingTable(resource)} where not bad`,
  )
  return rowCount ?? 0
}

const readSequence = async (client: Client, { table }: Resource): Promise<string> => {
  const { rows } = await client.query<{ sequence: string }>(`select pg_get_serial_sequence($1, 'id') as sequence`, [
    `public.${quoted(table)}`,
  ])
  return rows[0]?.sequence ?? ''
}

/** `alter sequence` is undone with the transaction, which setval() is not. */
const startAfterLargest = async (client: Client, resource: Resource, sequence: string): Promise<void> => {
  const { rows } = await client.query<{ largest: string; next: string }>(
    `select greatest(
       (select max(id) from ${stagingTable(resource)} where not bad),
       (select max(id) from public.${quoted(resource.table)})
     ) as largest, case when is_called then last_value + 1 else last_value end as next from ${sequence}`,
  )
  const largest = BigInt(rows[0]?.largest ?? 0)
  if (largest >= BigInt(rows[0]?.next ?? 1))
    await client.query(`alter sequence ${sequence} restart with ${largest + 1n}`)
}
