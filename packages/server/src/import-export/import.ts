/** Stages and checks every source, then stores all of them in one transaction, or nothing. */
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { OperatorError } from '../errors.ts'
import { withSession } from '../postgres/connection/session.ts'
import { requireSchema } from '../postgres/schema/migrate.ts'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import { checkStaged, countConflicts, readConflicts } from './checks.ts'
import { inReferenceOrder, insertStagedRows, lockTables } from './insert-staged.ts'
import type { RowError } from './row-error.ts'
import { maxReportedErrors } from './row-error.ts'
import type { Source, StagedSource } from './staging.ts'
import { stageSource, stagingTable } from './staging.ts'

export interface ImportOptions {
  readonly connectionString: string
  readonly sources: readonly Source[]
  /** Skips invalid lines instead of rejecting the import. */
  readonly skipBad: boolean
  readonly dryRun: boolean
  readonly onProgress?: (progress: ImportProgress) => void
}

export type ImportProgress =
  | { readonly phase: 'reading'; readonly source: Source; readonly lines: number }
  | { readonly phase: 'checking' | 'storing'; readonly lines: number }

export interface SourceResult {
  readonly source: Source
  readonly lines: number
  /** The first `maxReportedErrors` errors, in line order. */
  readonly errors: readonly RowError[]
  readonly errorCount: number
  readonly rejectedLines: number
}

export interface ImportResult {
  readonly sources: readonly SourceResult[]
  /** Whether the valid lines were stored, or would have been without `dryRun`. */
  readonly accepted: boolean
}

export const importSources = (options: ImportOptions): Promise<ImportResult> =>
  withSession(options.connectionString, 'import', async (client) => {
    await prepareSession(client)
    try {
      return await importAll(client, options)
    } catch (error) {
      throw explainConstraintError(error) ?? error
    }
  })

const prepareSession = async (client: Client): Promise<void> => {
  await client.query(
    `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set work_mem = '64MB';
     set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set client_encoding = 'UTF8'; set search_path = public`,
  )
  // Without this setting, the session of a killed import would keep storing rows and holding locks. Not every platform
  // supports this.
  await client.query('set client_connection_check_interval = 1000').catch(() => {})
  await requireSchema(client)
}

const importAll = async (client: Client, options: ImportOptions): Promise<ImportResult> => {
  const { sources, skipBad, dryRun, onProgress = () => {} } = options
  const stagedSources: StagedSource[] = []
  for (const source of sources) {
    stagedSources.push(await stageSource(client, source, (lines) => onProgress({ phase: 'reading', source, lines })))
  }
  const lines = stagedSources.reduce((sum, source) => sum + source.lines, 0)
  const resources = inReferenceOrder(sources.map(({ resource }) => resource))
  await client.query('begin')
  try {
    onProgress({ phase: 'checking', lines })
    await lockTables(client, resources)
    await checkStaged(client, resources, { skipBad })
    const results: SourceResult[] = []
    for (const stagedSource of stagedSources) results.push(await readResult(client, stagedSource))
    const accepted = skipBad || results.every(({ rejectedLines }) => rejectedLines === 0)
    if (accepted && !dryRun) {
      onProgress({ phase: 'storing', lines })
      await storeRows(client, resources)
    } else {
      await client.query('rollback')
    }
    return { sources: results, accepted }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const storeRows = async (client: Client, resources: readonly Resource[]): Promise<void> => {
  // Employees refer to candidates (`candidate_id`), and candidates to the employees who referred them.
  await client.query('set constraints all deferred')
  for (const resource of resources) await insertStagedRows(client, resource)
  await commit(client)
  // The planner statistics are updated now, because autovacuum would update them only minutes later.
  await client.query(`analyze ${resources.map(({ table }) => `public.${quoteIdentifier(table)}`).join(', ')}`)
}

const commit = async (client: Client): Promise<void> => {
  try {
    await client.query('commit')
  } catch (error) {
    if (sqlState(error) !== '') throw error
    throw new OperatorError(
      'The connection was lost during the commit: check whether the rows are stored before importing again.',
      { cause: error },
    )
  }
}

const readResult = async (client: Client, { source, lines, errors }: StagedSource): Promise<SourceResult> => {
  const { resource } = source
  const conflicts = await readConflicts(client, resource)
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${stagingTable(resource)} where bad`)
  return {
    source,
    lines,
    errors: inLineOrder(resource, [...errors.firstErrors, ...conflicts]).slice(0, maxReportedErrors),
    errorCount: errors.count + (await countConflicts(client, resource)),
    rejectedLines: Number(rows[0]?.count),
  }
}

const inLineOrder = ({ storedFields: stored }: Resource, errors: readonly RowError[]): RowError[] => {
  const fieldIndexes = new Map(stored.map(({ name }, index) => [name, index]))
  const fieldIndexOf = ({ field }: RowError): number => fieldIndexes.get(field ?? '') ?? stored.length
  return errors.toSorted((a, b) => a.line - b.line || fieldIndexOf(a) - fieldIndexOf(b))
}

const sqlState = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : ''
}

/**
 * All rows were checked before, so a constraint is violated only if another session has changed the database meanwhile.
 */
const explainConstraintError = (error: unknown): OperatorError | undefined => {
  if (!sqlState(error).startsWith('23')) return undefined
  const { constraint, message } = error as { constraint?: string; message: string }
  return new OperatorError(
    `The database rejected the rows (${constraint ?? message}), although they had passed the checks: nothing was stored; try again.`,
    { cause: error },
  )
}
