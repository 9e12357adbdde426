/** Stages and checks every source, then stores all of them in one transaction, or nothing. */
import type { Resource } from '@muster/model'
import { history } from '@muster/model'
import type { Client } from 'pg'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import { erasableResources } from '../privacy/erase.ts'
import { commitRows, withBulkSession } from './bulk-session.ts'
import { checkStaged, createErrorsTable } from './checks.ts'
import { checkHistory, storeHistoryStarts, withoutHistoryLock } from './copied-history.ts'
import type { ErasedKeysSource, StagedErasedKeys } from './erased-keys-file.ts'
import {
  checkErasedKeys,
  erasedKeysFile,
  rejectErasedInCopy,
  stageErasedKeys,
  storeStagedErasedKeys,
} from './erased-keys-file.ts'
import { deleteRestoredKeys, rejectErased } from './erased-rows.ts'
import { inReferenceOrder, insertStagedRows, lockTables } from './insert-staged.ts'
import type { Manifest } from './manifest.ts'
import { requireFiles, requireRecords } from './manifest.ts'
import type { TextSource } from './source.ts'
import type { SourceResult } from './source-result.ts'
import { readResult } from './source-result.ts'
import type { ReadProgress, StagedSource } from './staging.ts'
import { importRules, stageSource } from './staging.ts'

export interface ImportOptions {
  readonly connectionString: string
  readonly sources: readonly TextSource[]
  /** The keys of erased persons, if the sources are a copy that contains them. */
  readonly erasedKeys?: ErasedKeysSource
  /** What the sources and keys must be, if they are a copy that says so. */
  readonly manifest?: Manifest
  /** Skips invalid lines instead of rejecting the import. */
  readonly skipBad: boolean
  readonly restoreErased: boolean
  readonly dryRun: boolean
  readonly onProgress?: (progress: ReadProgress) => void
}

export interface ImportResult {
  readonly sources: readonly SourceResult[]
  /** Number of keys of erased persons that were read. */
  readonly erasedKeys: number
  /** Whether the valid lines were stored, or would have been without `dryRun`. */
  readonly accepted: boolean
}

export const importSources = (options: ImportOptions): Promise<ImportResult> =>
  withBulkSession(options.connectionString, 'import', (client) => importAll(client, options))

const importAll = async (client: Client, options: ImportOptions): Promise<ImportResult> => {
  const { sources, erasedKeys, manifest, skipBad, restoreErased, dryRun, onProgress = () => {} } = options
  if (manifest !== undefined)
    requireFiles(manifest, [...sources.map(({ name }) => name), ...(erasedKeys === undefined ? [] : [erasedKeysFile])])
  const stagedSources: StagedSource[] = []
  for (const source of sources) {
    stagedSources.push(
      await stageSource(client, source, importRules(source), (lines) =>
        onProgress({ phase: 'reading', source, lines }),
      ),
    )
  }
  const stagedKeys =
    erasedKeys === undefined ? { secret: undefined, count: 0 } : await stageErasedKeys(client, erasedKeys)
  if (manifest !== undefined) {
    const counts = stagedSources.map(({ source, lines }) => [source.name, lines] as const)
    requireRecords(manifest, new Map([...counts, [erasedKeysFile, stagedKeys.count]]))
  }
  const lines = stagedSources.reduce((sum, source) => sum + source.lines, 0)
  const resources = inReferenceOrder(sources.map(({ resource }) => resource))
  await client.query('begin')
  try {
    onProgress({ phase: 'checking', lines })
    const locked = withoutHistoryLock(resources)
    if (stagedKeys.secret === undefined) {
      await lockTables(client, locked)
    } else {
      await lockTables(client, [...new Set([...locked, ...erasableResources])])
      await checkErasedKeys(client, stagedKeys.secret)
    }
    await createErrorsTable(client)
    if (!restoreErased)
      for (const resource of resources) {
        await rejectErased(client, resource, { partial: false, staged: resources })
        if (stagedKeys.secret !== undefined) await rejectErasedInCopy(client, resource)
      }
    await checkStaged(client, resources, { skipBad })
    await checkHistory(client, resources, { skipBad })
    const results: SourceResult[] = []
    for (const stagedSource of stagedSources) results.push(await readResult(client, stagedSource))
    const accepted = skipBad || results.every(({ rejectedLines }) => rejectedLines === 0)
    if (accepted && !dryRun) {
      onProgress({ phase: 'storing', lines })
      const isHistoryComplete = results.every(
        ({ source, rejectedLines }) => source.resource !== history || rejectedLines === 0,
      )
      if (manifest !== undefined && isHistoryComplete) await storeHistoryStarts(client, manifest.historyFrom)
      await storeRows(client, resources, { stagedKeys, restoreErased })
    } else {
      await client.query('rollback')
    }
    return { sources: results, erasedKeys: stagedKeys.count, accepted }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const storeRows = async (
  client: Client,
  resources: readonly Resource[],
  { stagedKeys, restoreErased }: { readonly stagedKeys: StagedErasedKeys; readonly restoreErased: boolean },
): Promise<void> => {
  // Employees refer to candidates (`candidate_id`), and candidates to the employees who referred them.
  await client.query('set constraints all deferred')
  for (const resource of resources) await insertStagedRows(client, resource)
  // After the checks of the rows: a person who was erased may have applied again, and several may share an address.
  if (stagedKeys.secret !== undefined) await storeStagedErasedKeys(client, stagedKeys.secret)
  if (restoreErased) for (const resource of resources) await deleteRestoredKeys(client, resource, { partial: false })
  await commitRows(client)
  // The planner statistics are updated now, because autovacuum would update them only minutes later.
  await client.query(`analyze ${resources.map(({ table }) => `public.${quoteIdentifier(table)}`).join(', ')}`)
}
