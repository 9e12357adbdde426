/** Fills in the past of records from a job-history export, in one transaction. */
import type { Resource } from '@muster/model'
import { trackedFields } from '@muster/model'
import type { Client } from 'pg'
import { OperatorError } from '../../errors.ts'
import { commitRows, explainConcurrentChange, withBulkSession } from '../../import-export/bulk-session.ts'
import { createErrorsTable } from '../../import-export/checks.ts'
import type { SourceResult } from '../../import-export/source-result.ts'
import { readResult } from '../../import-export/source-result.ts'
import type { ReadProgress, StagedSource } from '../../import-export/staging.ts'
import { givenBit, stageSource, stagingTable } from '../../import-export/staging.ts'
import { resolveLookup } from '../lookups.ts'
import { chooseKey } from '../match.ts'
import type { SyncSource } from '../options.ts'
import { maskErrors, syncRules } from '../read-rules.ts'
import type { VersionFile } from './checks.ts'
import { checkVersions, recordTable, versionsTable } from './checks.ts'
import type { HistoryPlan } from './plan.ts'
import { planHistory, storeHistory } from './plan.ts'

export interface LoadHistoryOptions {
  readonly connectionString: string
  /** The resource of the records. */
  readonly record: Resource
  /** The file; its resource is `versionLines(record)`. */
  readonly source: SyncSource
  readonly dryRun: boolean
  readonly onProgress?: (progress: ReadProgress) => void
}

export interface LoadHistoryResult {
  readonly source: SourceResult
  /** Undefined if a line was rejected. */
  readonly plan: HistoryPlan | undefined
  readonly outcome: 'rejected' | 'unchanged' | 'changed'
}

export const loadHistory = (options: LoadHistoryOptions): Promise<LoadHistoryResult> =>
  withBulkSession(options.connectionString, 'history', async (client) => {
    try {
      return await loadVersions(client, options)
    } catch (error) {
      throw explainConcurrentChange(error) ?? error
    }
  })

const loadVersions = async (client: Client, options: LoadHistoryOptions): Promise<LoadHistoryResult> => {
  const { source, dryRun, onProgress = () => {} } = options
  const rules = syncRules(source, { emptyKeeps: false, skipBad: false, dryRun })
  const stagedSource = await stageSource(client, source, rules, (lines) =>
    onProgress({ phase: 'reading', source, lines }),
  )
  const { lines } = stagedSource
  if (lines === 0) throw new OperatorError(`${source.name} contains no ${source.resource.titles}: nothing to load.`)
  const file = await readVersionFile(client, options, stagedSource)
  onProgress({ phase: 'checking', lines })
  await client.query('begin isolation level repeatable read')
  try {
    // Excludes syncs, imports and other loads, but neither reads nor creates.
    if (!dryRun) await client.query(`lock table ${recordTable(file)} in share update exclusive mode`)
    await createErrorsTable(client)
    for (const lookup of file.lookups)
      await resolveLookup(client, file.lines, lookup, { staying: undefined, skipBad: false })
    await checkVersions(client, file)
    const result = maskErrors(await readResult(client, stagedSource), file.lookups)
    const plan = result.rejectedLines > 0 ? undefined : await planHistory(client, file)
    const outcome = plan === undefined ? 'rejected' : isChange(plan) ? 'changed' : 'unchanged'
    if (plan === undefined || outcome === 'unchanged' || dryRun) {
      await client.query('rollback')
      return { source: result, plan, outcome }
    }
    onProgress({ phase: 'storing', lines })
    await lockRecords(client, file)
    await storeHistory(client, file, plan)
    await commitRows(client)
    await client.query('analyze public.history')
    return { source: result, plan, outcome }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const isChange = ({ loaded, replaced, historyFrom }: HistoryPlan): boolean =>
  loaded + replaced > 0 || historyFrom.before !== historyFrom.after

/**
 * A change that another session makes meanwhile would be recorded before the loaded ones. PostgreSQL refuses the lock if
 * a record has changed since the snapshot, and later changes wait for the commit.
 */
const lockRecords = async (client: Client, file: VersionFile): Promise<void> => {
  await client.query(
    `select count(*) from (
       select id from ${recordTable(file)} where id in (select record_id from ${versionsTable}) order by id for share
     ) as locked`,
  )
}

/** Which columns the file has. If no line can be read, the lines are what is wrong, so no column is said to be missing. */
const readVersionFile = async (
  client: Client,
  { record, source }: LoadHistoryOptions,
  { headerFields }: StagedSource,
): Promise<VersionFile> => {
  const lines = source.resource
  const { rows } = await client.query<{ given: string }>(
    `select coalesce(bit_or(given), 0) as given from ${stagingTable(lines)}`,
  )
  const given = BigInt(rows[0]?.given ?? 0)
  const isPresent = (name: string): boolean =>
    headerFields?.includes(name) ?? (given === 0n || (given & BigInt(givenBit(lines, name))) !== 0n)
  const tracked = trackedFields(record)
  const fields = tracked.filter(({ name }) => isPresent(name))
  if (!isPresent('on'))
    throw new OperatorError('The file has no column on, with the day on which each version began: add it.')
  if (fields.length === 0)
    throw new OperatorError(
      `The file has no tracked field of ${record.titles} (${tracked.map(({ name }) => name).join(', ')}): nothing to load.`,
    )
  if (!isPresent('id') && !record.naturalKey.every(isPresent))
    throw new OperatorError(
      `The file has neither the column id nor the key of ${record.titles} (${record.naturalKey.join(', ')}): add it.`,
    )
  const key = await chooseKey(client, lines, { requestedKey: undefined, headerFields })
  return { record, lines, key, fields, lookups: source.map?.lookups ?? [] }
}
