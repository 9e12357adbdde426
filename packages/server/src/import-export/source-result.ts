import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { addConflicts, countConflicts } from './checks.ts'
import type { RowErrorGroup } from './row-error.ts'
import { collectRowErrors, maxReportedErrors } from './row-error.ts'
import type { Source } from './source.ts'
import type { StagedSource } from './staging.ts'
import { stagingTable } from './staging.ts'

export interface SourceResult {
  readonly source: Source
  readonly lines: number
  /** The first `maxReportedErrors` errors or groups of errors, in line order. */
  readonly errors: readonly RowErrorGroup[]
  readonly errorCount: number
  readonly rejectedLines: number
  readonly notes: readonly string[]
}

export const readResult = async (
  client: Client,
  { source, lines, errors, notes, locate }: StagedSource,
): Promise<SourceResult> => {
  const { resource } = source
  const conflicts = collectRowErrors(errors)
  await addConflicts(client, resource, { errors: conflicts, locate })
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${stagingTable(resource)} where bad`)
  return {
    source,
    lines,
    errors: inLineOrder(resource, [...errors.groups, ...conflicts.groups]).slice(0, maxReportedErrors),
    errorCount: errors.count + (await countConflicts(client, resource)),
    rejectedLines: Number(rows[0]?.count),
    notes,
  }
}

const inLineOrder = ({ storedFields: stored }: Resource, errors: readonly RowErrorGroup[]): RowErrorGroup[] => {
  const fieldIndexes = new Map(stored.map(({ name }, index) => [name, index]))
  const fieldIndexOf = ({ field }: RowErrorGroup): number => fieldIndexes.get(field ?? '') ?? stored.length
  return errors.toSorted((a, b) => a.line - b.line || fieldIndexOf(a) - fieldIndexOf(b))
}
