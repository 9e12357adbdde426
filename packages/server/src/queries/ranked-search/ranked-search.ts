/** Runs the ranked search over several resources. */
import type { Runner } from '../../postgres/connection/database.ts'
import type { RankedSearchQuery } from './query.ts'
import { rankedSearchStatement } from './statement.ts'

export interface SearchResults {
  readonly version: string
  /** The results as JSON objects, joined by commas. */
  readonly records: string
  readonly count: number
  /** Whether further records may match. */
  readonly hasMore: boolean
}

export const readSearchResults = async (reader: Runner, query: RankedSearchQuery): Promise<SearchResults> => {
  const [row] = await reader.run(rankedSearchStatement(query))
  const [version, records, count] = row as readonly [string, string, string]
  return {
    version,
    records,
    count: Math.min(Number(count), query.limit),
    hasMore: Number(count) > query.limit,
  }
}
