/** In charge of seeding: writes the invented company into an empty database in one transaction, or finds that it is there already. */
import type { Client } from 'pg'
import { requireSchema } from '../database/migrate.ts'
import { withSession } from '../database/session.ts'
import { OperatorError } from '../errors.ts'
import { dayOf, isCalendarDay } from './calendar.ts'
import type { Table } from './company.ts'
import { makeCompany } from './company.ts'
import type { Progress } from './load.ts'
import { loadTable } from './load.ts'
import type { Plan, Size } from './plan.ts'
import { DEFAULT_AS_OF, DEFAULT_SEED, makePlan } from './plan.ts'

export interface SeedOptions {
  readonly connectionString: string
  readonly size?: Size
  readonly employees?: number
  readonly seed?: string
  /** The company's today, as YYYY-MM-DD. */
  readonly asOf?: string
  readonly onProgress?: (progress: SeedProgress) => void
  /** Called once everything is committed and only statistics are still gathered. */
  readonly onWritten?: () => void
}

export interface SeedProgress extends Progress {
  /** Rows of all tables so far, and of all tables together as far as known. */
  readonly written: number
  readonly expected: number
}

export type Counts = Readonly<Record<string, number>>

export interface SeedResult {
  /** False when the same company was there already. */
  readonly written: boolean
  readonly counts: Counts
}

/** What the marker in the database remembers of a run. */
interface Parameters {
  readonly seed: string
  readonly asOf: string
  readonly size: string
}

export async function seed(options: SeedOptions): Promise<SeedResult> {
  const { connectionString } = options
  const plan = planOf(options)
  return withSession(connectionString, 'seed', async (client) => {
    await requireSchema(client)
    return seedOnce(client, plan, options)
  })
}

function planOf({ size = 'small', employees, seed = DEFAULT_SEED, asOf = DEFAULT_AS_OF }: SeedOptions): Plan {
  if (!isCalendarDay(asOf))
    throw new OperatorError(`${asOf} is not a day of the calendar: write --as-of as YYYY-MM-DD.`)
  return makePlan({ size, seed, asOf: dayOf(asOf), ...(employees === undefined ? {} : { employees }) })
}

function parametersOf({ seed = DEFAULT_SEED, asOf = DEFAULT_AS_OF, employees }: SeedOptions, plan: Plan): Parameters {
  return { seed, asOf, size: employees === undefined ? plan.size : `${plan.size} with ${employees} employees` }
}

/** A load may take long; and the text indexes take in far larger portions at once than they would row by row. */
const SESSION = `
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set gin_pending_list_limit = '128MB';
  set work_mem = '128MB';
  set maintenance_work_mem = '256MB'`

async function seedOnce(client: Client, plan: Plan, options: SeedOptions): Promise<SeedResult> {
  const parameters = parametersOf(options, plan)
  await client.query(SESSION)
  await client.query('begin')
  // A second seed waits here, and then finds the company of the first.
  await client.query('lock table muster_seed in exclusive mode')
  const marker = await readMarker(client)
  if (marker !== undefined) {
    await client.query('rollback')
    requireSame(marker.parameters, parameters)
    return { written: false, counts: marker.counts }
  }
  const tables = makeCompany(plan)
  await requireEmpty(client, tables)
  const counts = await loadAll(client, tables, options.onProgress ?? (() => {}))
  await client.query('insert into muster_seed (seed, as_of, size, counts) values ($1, $2, $3, $4)', [
    parameters.seed,
    parameters.asOf,
    parameters.size,
    counts,
  ])
  await client.query('commit')
  options.onWritten?.()
  // Statistics and visibility for the planner; autovacuum would bring them, but minutes later.
  await client.query(`vacuum (analyze) ${tables.map(({ name }) => name).join(', ')}`)
  return { written: true, counts }
}

async function readMarker(client: Client): Promise<{ parameters: Parameters; counts: Counts } | undefined> {
  const { rows } = await client.query<{ seed: string; as_of: string; size: string; counts: Counts }>(
    `select seed, to_char(as_of, 'YYYY-MM-DD') as as_of, size, counts from muster_seed`,
  )
  const [row] = rows
  return row && { parameters: { seed: row.seed, asOf: row.as_of, size: row.size }, counts: row.counts }
}

function requireSame(found: Parameters, wanted: Parameters): void {
  if (found.seed === wanted.seed && found.asOf === wanted.asOf && found.size === wanted.size) return
  throw new OperatorError(
    `The database already holds another invented company (${describe(found)}, not ${describe(wanted)}): seed an empty database instead.`,
  )
}

function describe({ size, seed, asOf }: Parameters): string {
  return `size ${size}, seed ${seed}, as of ${asOf}`
}

async function requireEmpty(client: Client, tables: readonly Table[]): Promise<void> {
  // Whoever reads may go on reading; whoever writes waits, and then writes after the last id.
  await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in share row exclusive mode`)
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select from ${name} limit 1`)
    if (rowCount !== 0)
      throw new OperatorError(
        `The table ${name} holds rows that the seed did not write, and it never mixes with other data: seed an empty database instead.`,
      )
  }
}

async function loadAll(
  client: Client,
  tables: readonly Table[],
  onProgress: (progress: SeedProgress) => void,
): Promise<Record<string, number>> {
  // Employees name the candidates they were, candidates the employees who referred them: one side has to wait for the other.
  await client.query('set constraints employees_candidate_id_fkey deferred')
  const expected = tables.reduce((sum, table) => sum + table.expected, 0)
  const counts: Record<string, number> = {}
  let before = 0
  for (const table of tables) {
    const rows = await loadTable(client, table, (progress) =>
      onProgress({ ...progress, written: before + progress.rows, expected }),
    )
    counts[table.name] = rows
    before += rows
  }
  return counts
}
