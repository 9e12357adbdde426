import type { Client } from 'pg'
import { formatDay, isCalendarDay, parseDay } from './calendar.ts'
import { makeCompany } from './company/company.ts'
import { historyBeginnings } from './company/past.ts'
import type { Table } from './company/table.ts'
import { DemoDataError } from './error.ts'
import { plantFaults } from './faults.ts'
import type { LoadProgress } from './load.ts'
import { loadTable } from './load.ts'
import type { Plan } from './plan.ts'
import { DEFAULT_AS_OF, DEFAULT_SEED, makePlan } from './plan.ts'
import type { Size } from './sizes.ts'

export interface SeedOptions {
  readonly size?: Size
  readonly employees?: number
  readonly seed?: string
  /** The day that counts as today in the demo data, in the form YYYY-MM-DD. */
  readonly asOf?: string
  /** Whether to plant one fault for each rule of data health. */
  readonly withFaults?: boolean
  readonly onProgress?: (progress: SeedProgress) => void
  /** Called when the rows are committed, before `vacuum analyze` begins. */
  readonly onWritten?: () => void
}

export interface SeedProgress extends LoadProgress {
  /** Rows written so far, in all tables. */
  readonly rowsWritten: number
  /** Rows expected in all tables together. */
  readonly rowsExpected: number
}

export type RowCounts = Readonly<Record<string, number>>

export interface SeedResult {
  /** False if nothing was written, because the database already contains the same company. */
  readonly written: boolean
  readonly counts: RowCounts
}

/** The options with which a company was generated, as stored in the table `muster_seed`. */
export interface SeedParameters {
  readonly seed: string
  /** The day that counts as today in the demo data, in the form YYYY-MM-DD. */
  readonly asOf: string
  /** The size, followed by the number of employees and "faults" if these options were used. */
  readonly size: string
}

/** Writes a demo company to the database in one transaction. The schema must exist and all tables must be empty. */
export async function seed(client: Client, options: SeedOptions = {}): Promise<SeedResult> {
  return seedOnce(client, planOf(options), options)
}

/** Computes the plan of the company from the options. Throws a DemoDataError if an option is invalid. */
export function planOf({ size = 'small', employees, seed = DEFAULT_SEED, asOf = DEFAULT_AS_OF }: SeedOptions): Plan {
  if (!isCalendarDay(asOf)) throw new DemoDataError(`${asOf} is not a calendar day: write --as-of as YYYY-MM-DD.`)
  return makePlan({ size, seed, asOf: parseDay(asOf), ...(employees === undefined ? {} : { employees }) })
}

function parametersOf(
  { seed = DEFAULT_SEED, asOf = DEFAULT_AS_OF, employees, withFaults = false }: SeedOptions,
  plan: Plan,
): SeedParameters {
  const additions = [...(employees === undefined ? [] : [`${employees} employees`]), ...(withFaults ? ['faults'] : [])]
  return { seed, asOf, size: additions.length === 0 ? plan.size : `${plan.size} with ${additions.join(' and ')}` }
}

/** Returns the options with which the company in the database was generated, or undefined if there is none. */
export async function readSeedParameters(client: Client): Promise<SeedParameters | undefined> {
  return (await readStoredSeed(client))?.parameters
}

/** Whether a company was generated with these options. An option that is not given matches any company. */
export function isGeneratedWith(
  { asOf, size }: SeedParameters,
  wanted: Pick<SeedOptions, 'size' | 'asOf' | 'withFaults'>,
): boolean {
  const words = size.split(' ')
  return (
    (wanted.size === undefined || words[0] === wanted.size) &&
    (wanted.asOf === undefined || asOf === wanted.asOf) &&
    (wanted.withFaults !== true || words.at(-1) === 'faults')
  )
}

/**
 * Session settings for loading the data. Timeouts are off, because loading can take long. A larger pending list lets
 * PostgreSQL insert into the GIN indexes in larger batches.
 */
const SESSION_SETTINGS = `
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set gin_pending_list_limit = '128MB';
  set work_mem = '128MB';
  set maintenance_work_mem = '256MB'`

async function seedOnce(client: Client, plan: Plan, options: SeedOptions): Promise<SeedResult> {
  const parameters = parametersOf(options, plan)
  await client.query(SESSION_SETTINGS)
  await client.query('begin')
  // If two processes seed the same database, the second one waits here and then finds the company that the first one
  // wrote.
  await client.query('lock table muster_seed in exclusive mode')
  const storedSeed = await readStoredSeed(client)
  if (storedSeed !== undefined) {
    await client.query('rollback')
    requireSameParameters(storedSeed.parameters, parameters)
    return { written: false, counts: storedSeed.counts }
  }
  const tables = makeCompany(plan)
  await requireEmpty(client, tables)
  const counts = await loadTables(client, tables, options.onProgress ?? (() => {}))
  for (const [resource, day] of Object.entries(historyBeginnings(plan)))
    await client.query('update muster_history_from set day = $2 where resource = $1', [resource, formatDay(day)])
  await client.query('insert into muster_seed (seed, as_of, size, counts) values ($1, $2, $3, $4)', [
    parameters.seed,
    parameters.asOf,
    parameters.size,
    counts,
  ])
  if (options.withFaults) await plantFaults(client)
  await client.query('commit')
  options.onWritten?.()
  // The query planner needs statistics and the visibility map, and autovacuum would create them only minutes later.
  await client.query(`vacuum (analyze) ${tables.map(({ name }) => name).join(', ')}`)
  return { written: true, counts }
}

async function readStoredSeed(client: Client): Promise<{ parameters: SeedParameters; counts: RowCounts } | undefined> {
  const { rows } = await client.query<{ seed: string; as_of: string; size: string; counts: RowCounts }>(
    `select seed, to_char(as_of, 'YYYY-MM-DD') as as_of, size, counts from muster_seed`,
  )
  const [row] = rows
  return row && { parameters: { seed: row.seed, asOf: row.as_of, size: row.size }, counts: row.counts }
}

function requireSameParameters(stored: SeedParameters, requested: SeedParameters): void {
  if (stored.seed === requested.seed && stored.asOf === requested.asOf && stored.size === requested.size) return
  throw new DemoDataError(
    `The database already has another invented company (${describeSeed(stored)}, not ${describeSeed(requested)}): seed an empty database instead.`,
  )
}

export function describeSeed({ size, seed, asOf }: SeedParameters): string {
  return `size ${size}, seed ${seed}, as of ${asOf}`
}

async function requireEmpty(client: Client, tables: readonly Table[]): Promise<void> {
  // The lock allows reads but blocks inserts by others until the commit, so that their rows get ids after those of the
  // seed.
  await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in share row exclusive mode`)
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select from ${name} limit 1`)
    if (rowCount !== 0)
      throw new DemoDataError(
        `The table ${name} has rows that the seed did not write, and demo data is never mixed with other data: seed an empty database instead.`,
      )
  }
}

async function loadTables(
  client: Client,
  tables: readonly Table[],
  onProgress: (progress: SeedProgress) => void,
): Promise<Record<string, number>> {
  // Employees refer to candidates and candidates to employees, so one of the two foreign keys must be deferred.
  await client.query('set constraints employees_candidate_id_fkey deferred')
  const expectedRows = tables.reduce((sum, table) => sum + table.rowCount, 0)
  const counts: Record<string, number> = {}
  let rowsBefore = 0
  for (const table of tables) {
    const rows = await loadTable(client, table, (progress) =>
      onProgress({ ...progress, rowsWritten: rowsBefore + progress.rows, rowsExpected: expectedRows }),
    )
    counts[table.name] = rows
    rowsBefore += rows
  }
  return counts
}
