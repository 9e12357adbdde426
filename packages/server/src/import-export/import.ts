/** Stages and checks every source, then stores all of them in one transaction, or nothing. */
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import { commitRows, withBulkSession } from './bulk-session.ts'
import { checkStaged, createErrorsTable } from './checks.ts'
import { deleteRestoredKeys, rejectErased } from './erased-rows.ts'
import { inReferenceOrder, insertStagedRows, lockTables } from './insert-staged.ts'
import type { SourceResult } from './source-result.ts'
import { readResult } from './source-result.ts'
import type { ReadProgress, Source, StagedSource } from './staging.ts'
import { importRules, stageSource } from './staging.ts'

export interface ImportOptions {
  readonly connectionString: string
  readonly sources: readonly Source[]
  /** Skips invalid lines instead of rejecting the import. */
  readonly skipBad: boolean
  readonly restoreErased: boolean
  readonly dryRun: boolean
  readonly onProgress?: (progress: ReadProgress) => void
}

export interface ImportResult {
  readonly sources: readonly SourceResult[]
  /** Whether the valid lines were stored, or would have been without `dryRun`. */
  readonly accepted: boolean
}

export const importSources = (options: ImportOptions): Promise<ImportResult> =>
  withBulkSession(options.connectionString, 'import', (client) => importAll(client, options))

const importAll = async (client: Client, options: ImportOptions): Promise<ImportResult> => {
  const { sources, skipBad, restoreErased, dryRun, onProgress = () => {} } = options
  const stagedSources: StagedSource[] = []
  for (const source of sources) {
    stagedSources.push(
      await stageSource(client, source, importRules(source), (lines) =>
        onProgress({ phase: 'reading', source, lines }),
      ),
    )
  }
  const lines = stagedSources.reduce((sum, source) => sum + source.lines, 0)
  const resources = inReferenceOrder(sources.map(({ resource }) => resource))
  await client.query('begin')
  try {
    onProgress({ phase: 'checking', lines })
    await lockTables(client, resources)
    await createErrorsTable(client)
    if (!restoreErased) for (const resource of resources) await rejectErased(client, resource, { partial: false })
    await checkStaged(client, resources, { skipBad })
    const results: SourceResult[] = []
    for (const stagedSource of stagedSources) results.push(await readResult(client, stagedSource))
    const accepted = skipBad || results.every(({ rejectedLines }) => rejectedLines === 0)
    if (accepted && !dryRun) {
      onProgress({ phase: 'storing', lines })
      await storeRows(client, resources, { restoreErased })
    } else {
      await client.query('rollback')
    }
    return { sources: results, accepted }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const storeRows = async (
  client: Client,
  resources: readonly Resource[],
  { restoreErased }: Pick<ImportOptions, 'restoreErased'>,
): Promise<void> => {
  // Employees refer to candidates (`candidate_id`), and candidates to the employees who referred them.
  await client.query('set constraints all deferred')
  for (const resource of resources) await insertStagedRows(client, resource)
  if (restoreErased) for (const resource of resources) await deleteRestoredKeys(client, resource, { partial: false })
  await commitRows(client)
  // The planner statistics are updated now, because autovacuum would update them only minutes later.
  await client.query(`analyze ${resources.map(({ table }) => `public.${quoteIdentifier(table)}`).join(', ')}`)
}
