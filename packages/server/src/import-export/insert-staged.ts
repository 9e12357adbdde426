import type { Resource } from '@muster/model'
import { resourceAt } from '@muster/model'
import type { Client } from 'pg'
import { escapeLiteral } from 'pg'
import { quoteIdentifier, storedColumns } from '../postgres/sql/statement.ts'
import { stagingTable } from './staging.ts'

/** Sorts resources so that each follows those it refers to. The database checks circular references at commit. */
export const inReferenceOrder = (resources: readonly Resource[]): Resource[] => {
  const includedPaths = new Set(resources.map(({ path }) => path))
  const visitedPaths = new Set<string>()
  const ordered: Resource[] = []
  const visit = (resource: Resource): void => {
    if (visitedPaths.has(resource.path)) return
    visitedPaths.add(resource.path)
    for (const { references } of resource.storedFields)
      if (references !== undefined) visit(resourceAt(references.resource))
    if (includedPaths.has(resource.path)) ordered.push(resource)
  }
  for (const resource of resources) visit(resource)
  return ordered
}

/**
 * Locks the tables against writes, but not reads, until the end of the transaction, so that the results of the checks
 * stay valid.
 */
export const lockTables = async (client: Client, resources: readonly Resource[]): Promise<void> => {
  const tables = resources.map(({ table }) => `public.${quoteIdentifier(table)}`).toSorted()
  await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`)
}

/** Copies the valid rows of a staging table and returns their number. */
export const insertStagedRows = async (client: Client, resource: Resource): Promise<number> => {
  const sequence = await readSequence(client, resource)
  await startAfterLargest(client, resource, sequence)
  const otherColumns = resource.storedFields
    .filter(({ kind }) => kind !== 'id')
    .map(({ name }) => quoteIdentifier(name))
  const { rowCount } = await client.query(
    `insert into public.${quoteIdentifier(resource.table)} (${storedColumns(resource)})` +
      ` select coalesce(id, nextval(${escapeLiteral(sequence)})), ${otherColumns.join(', ')}` +
      // A sequential scan of the temporary table returns rows in file order, so generated ids follow the file.
      ` from ${stagingTable(resource)} where not bad`,
  )
  return rowCount ?? 0
}

export const readSequence = async (client: Client, { table }: Resource): Promise<string> => {
  const { rows } = await client.query<{ sequence: string }>(`select pg_get_serial_sequence($1, 'id') as sequence`, [
    `public.${quoteIdentifier(table)}`,
  ])
  return rows[0]?.sequence ?? ''
}

export const startAfterLargest = (client: Client, resource: Resource, sequence: string): Promise<void> =>
  startAfter(
    client,
    sequence,
    `greatest(
       (select max(id) from ${stagingTable(resource)} where not bad),
       (select max(id) from public.${quoteIdentifier(resource.table)})
     )`,
  )

/**
 * `id` is an SQL expression. Uses `alter sequence`, which a rollback undoes, unlike setval(). The sequence stays locked
 * until the commit.
 */
export const startAfter = async (client: Client, sequence: string, id: string): Promise<void> => {
  const { rows } = await client.query<{ largest: string; next: string }>(
    `select ${id} as largest, case when is_called then last_value + 1 else last_value end as next from ${sequence}`,
  )
  const largest = BigInt(rows[0]?.largest ?? 0)
  if (largest >= BigInt(rows[0]?.next ?? 1))
    await client.query(`alter sequence ${sequence} restart with ${largest + 1n}`)
}
