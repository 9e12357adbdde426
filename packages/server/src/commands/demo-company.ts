/**
 * Wraps @muster/demo-data for commands: takes database URLs and reports mistakes of the operator as `OperatorError`.
 */
import type { SeedOptions, SeedParameters, SeedResult } from '@muster/demo-data'
import { OperatorError } from '../errors.ts'
import { withSession } from '../postgres/connection/session.ts'
import { requireSchema } from '../postgres/schema/migrate.ts'

/** The package is imported on first use, so that other commands do not load the word lists of the demo data. */
const loadDemoData = () => import('@muster/demo-data')
type DemoData = Awaited<ReturnType<typeof loadDemoData>>
type CheckOptions = NonNullable<Parameters<DemoData['checkCompany']>[1]>
type RuleResults = ReturnType<DemoData['checkCompany']>

export const seedDatabase = async (databaseUrl: string, options: SeedOptions = {}): Promise<SeedResult> => {
  const { planOf, seed } = await loadDemoData()
  // Validates the options before a connection is opened.
  await asOperatorError(async () => planOf(options))
  return withSession(databaseUrl, 'seed', async (client) => {
    await requireSchema(client)
    return asOperatorError(() => seed(client, options))
  })
}

/** Returns the options of the company in the database, or undefined if there is none. */
export const readCompany = async (databaseUrl: string): Promise<SeedParameters | undefined> => {
  const { readSeedParameters } = await loadDemoData()
  return withSession(databaseUrl, 'demo', readSeedParameters)
}

/** Throws an error with the given advice if the company was generated with other options. */
export const requireOptions = async (
  company: SeedParameters,
  options: Pick<SeedOptions, 'size' | 'asOf' | 'withFaults'>,
  advice: string,
): Promise<void> => {
  const { describeSeed, isGeneratedWith } = await loadDemoData()
  if (!isGeneratedWith(company, options))
    throw new OperatorError(`There is another invented company already (${describeSeed(company)}): ${advice}.`)
}

export const checkDatabase = async (databaseUrl: string, options: CheckOptions = {}): RuleResults => {
  const { checkCompany } = await loadDemoData()
  return withSession(databaseUrl, 'check', (client) => asOperatorError(() => checkCompany(client, options)))
}

export const progressPrinter = async (
  ...parameters: Parameters<DemoData['progressPrinter']>
): Promise<ReturnType<DemoData['progressPrinter']>> => (await loadDemoData()).progressPrinter(...parameters)

const asOperatorError = async <T>(work: () => Promise<T>): Promise<T> => {
  const { DemoDataError } = await loadDemoData()
  try {
    return await work()
  } catch (error) {
    throw error instanceof DemoDataError ? new OperatorError(error.message, { cause: error }) : error
  }
}
