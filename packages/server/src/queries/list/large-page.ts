/** Streams a page whose records exceed `maxPageBytes`. */
import type { Resource } from '@muster/model'
import type { Copy, CopyStatements } from '../../postgres/connection/copy-stream.ts'
import type { CopyClient, Database } from '../../postgres/connection/database.ts'
import { copyStatement } from '../../postgres/sql/copy-statement.ts'
import { tablesOf } from '../../postgres/sql/statement.ts'
import { pageByIds } from '../sort.ts'
import type { ListPlan } from './list.ts'
import { executeList } from './list.ts'
import type { ListQuery } from './query.ts'
import type { SearchCache } from './search.ts'

export interface LargePageHead {
  /** The version of the tables in the page's snapshot. */
  readonly version: string
  readonly total: number
  readonly ids: readonly number[]
}

/**
 * Reads the ids of the page, its total and its version in the snapshot in which it is streamed. At any offset and for
 * any search, finding the ids costs as much as the page did. The records are separated by line ends.
 */
export const openLargePage = (
  database: Database,
  { plan, searches }: { readonly plan: ListPlan; readonly searches: SearchCache },
  resource: Resource,
  query: ListQuery,
  client: CopyClient,
): Promise<Copy<LargePageHead>> => {
  const statements: CopyStatements<LargePageHead> = {
    labels: { summary: `large page ${resource.path}` },
    readHead: async (reader) => {
      const { version, total, records } = await executeList(plan, { reader, searches }, idsOnly(resource), query)
      const rows: { readonly id: number }[] = JSON.parse(`[${records}]`)
      return { version, total, ids: rows.map(({ id }) => id) }
    },
    rowsText: ({ ids }) => copyStatement(pageByIds(resource, query.sort, `'{${ids.join(',')}}'::bigint[]`), 'ndjson'),
  }
  return database.copy(statements, client)
}

/** The same list with only the ids of its records, and with the version of the same tables. */
const idsOnly = (resource: Resource): Resource => ({
  ...resource,
  projection: { fields: resource.allFields.filter(({ kind }) => kind === 'id'), expansions: [] },
  joinedTables: tablesOf(resource).slice(1),
})
