import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { countConflicts, readConflicts } from './checks.ts'
import type { RowError } from './row-error.ts'
import { maxReportedErrors } from './row-error.ts'
import type { Source } from './source.ts'
import type { StagedSource } from './staging.ts'
import { stagingTable } from './staging.ts'

export interface SourceResult {
  readonly source: Source
  readonly lines: number
  /** The first `maxReportedErrors` errors, in line order. */
  readonly errors: readonly RowError[]
  readonly errorCount: number
  readonly rejectedLines: number
  readonly notes: readonly string[]
}

export const readResult = async (
  client: Client,
  { source, lines, errors, notes, locate }: StagedSource,
): Promise<SourceResult> => {
  const { resource } = source
  const conflicts = (await readConflicts(client, resource)).map((error) => locate(error))
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${stagingTable(resource)} where bad`)
  return {
    source,
    lines,
    errors: inLineOrder(resource, [...errors.firstErrors, ...conflicts]).slice(0, maxReportedErrors),
    errorCount: errors.count + (await countConflicts(client, resource)),
    rejectedLines: Number(rows[0]?.count),
    notes,
  }
}

const inLineOrder = ({ storedFields: stored }: Resource, errors: readonly RowError[]): RowError[] => {
  const fieldIndexes = new Map(stored.map(({ name }, index) => [name, index]))
  const fieldIndexOf = ({ field }: RowError): number => fieldIndexes.get(field ?? '') ?? stored.length
  return errors.toSorted((a, b) => a.line - b.line || fieldIndexOf(a) - fieldIndexOf(b))
}
