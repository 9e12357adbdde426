/** In charge of an import from end to end: every source staged and checked, then all of it stored in one transaction or nothing. */
import type { Resource } from '@muster/model'
import type { Client } from 'pg'
import { requireSchema } from '../database/migrate.ts'
import { withSession } from '../database/session.ts'
import { quoted } from '../database/statement.ts'
import { OperatorError } from '../errors.ts'
import { checkStaged, countClashes, readClashes } from './checks.ts'
import { inReferenceOrder, lockTables, moveRows } from './move.ts'
import type { Refusal } from './refusal.ts'
import { mostTold } from './refusal.ts'
import type { Source, Staged } from './staging.ts'
import { stage, stagingTable } from './staging.ts'

export interface ImportOptions {
  readonly connectionString: string
  readonly sources: readonly Source[]
  /** Leaves bad lines out instead of refusing everything. */
  readonly skipBad: boolean
  /** Reads and checks, and stores nothing. */
  readonly dryRun: boolean
  readonly onProgress?: (progress: ImportProgress) => void
}

export type ImportProgress =
  | { readonly phase: 'reading'; readonly source: Source; readonly lines: number }
  | { readonly phase: 'checking' | 'storing'; readonly lines: number }

export interface SourceResult {
  readonly source: Source
  readonly lines: number
  /** The first ones in the order of the lines. */
  readonly refusals: readonly Refusal[]
  readonly faults: number
  readonly refusedLines: number
}

export interface ImportResult {
  readonly sources: readonly SourceResult[]
  /** Whether the good lines are, or on a dry run would be, in the tables. */
  readonly accepted: boolean
}

export const importSources = (options: ImportOptions): Promise<ImportResult> =>
  withSession(options.connectionString, 'import', async (client) => {
    await prepareSession(client)
    try {
      return await importAll(client, options)
    } catch (error) {
      throw changedMeanwhile(error) ?? error
    }
  })

const prepareSession = async (client: Client): Promise<void> => {
  await client.query(
    `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set work_mem = '64MB';
     set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set client_encoding = 'UTF8'; set search_path = public`,
  )
  // A session whose importer was killed would go on storing, and hold its locks, to the end. Not every system can tell.
  await client.query('set client_connection_check_interval = 1000').catch(() => {})
  await requireSchema(client)
}

const importAll = async (client: Client, options: ImportOptions): Promise<ImportResult> => {
  const { sources, skipBad, dryRun, onProgress = () => {} } = options
  const staged: Staged[] = []
  for (const source of sources) {
    staged.push(await stage(client, source, (lines) => onProgress({ phase: 'reading', source, lines })))
  }
  const lines = staged.reduce((sum, { lines: read }) => sum + read, 0)
  const resources = inReferenceOrder(sources.map(({ resource }) => resource))
  await client.query('begin')
  try {
    onProgress({ phase: 'checking', lines })
    await lockTables(client, resources)
    await checkStaged(client, resources, { skipBad })
    const results: SourceResult[] = []
    for (const one of staged) results.push(await readResult(client, one))
    const accepted = skipBad || results.every(({ refusedLines }) => refusedLines === 0)
    if (accepted && !dryRun) {
      onProgress({ phase: 'storing', lines })
      await store(client, resources)
    } else {
      await client.query('rollback')
    }
    return { sources: results, accepted }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const store = async (client: Client, resources: readonly Resource[]): Promise<void> => {
  // Employees name the candidates they were, candidates the employees who referred them.
  await client.query('set constraints all deferred')
  for (const resource of resources) await moveRows(client, resource)
  await commit(client)
  // Statistics for the planner; autovacuum would bring them, but minutes later.
  await client.query(`analyze ${resources.map(({ table }) => `public.${quoted(table)}`).join(', ')}`)
}

const commit = async (client: Client): Promise<void> => {
  try {
    await client.query('commit')
  } catch (error) {
    if (sqlState(error) !== '') throw error
    throw new OperatorError(
      'The connection was lost in the moment of the commit: look whether the rows are there before importing again.',
      { cause: error },
    )
  }
}

const readResult = async (client: Client, { source, lines, refusals }: Staged): Promise<SourceResult> => {
  const { resource } = source
  const clashes = await readClashes(client, resource)
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${stagingTable(resource)} where bad`)
  return {
    source,
    lines,
    refusals: inLineOrder(resource, [...refusals.first, ...clashes]).slice(0, mostTold),
    faults: refusals.count + (await countClashes(client, resource)),
    refusedLines: Number(rows[0]?.count),
  }
}

const inLineOrder = ({ stored }: Resource, refusals: readonly Refusal[]): Refusal[] => {
  const place = new Map(stored.map(({ name }, index) => [name, index]))
  const placeOf = ({ field }: Refusal): number => place.get(field ?? '') ?? stored.length
  return refusals.toSorted((a, b) => a.line - b.line || placeOf(a) - placeOf(b))
}

const sqlState = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : ''
}

/** Everything was checked, so a constraint that still speaks met what another session did. */
const changedMeanwhile = (error: unknown): OperatorError | undefined => {
  if (!sqlState(error).startsWith('23')) return undefined
  const { constraint, message } = error as { constraint?: string; message: string }
  return new OperatorError(
    `The database refused the rows (${constraint ?? message}), which the check had let pass: nothing was stored; try again.`,
    { cause: error },
  )
}
