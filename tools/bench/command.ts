/** Wrong use of a benchmark. Its message is printed without a stack. */
export class UsageError extends Error {}

export const superuser = 'a PostgreSQL superuser'

/**
 * Runs a benchmark that uses the database server at DATABASE_URL. The exit code is 1 if it returns false because a bound is
 * missed, and 2 if it cannot run.
 */
export const runBench = async (needed: string, run: (databaseUrl: string) => Promise<unknown>): Promise<void> => {
  try {
    const { DATABASE_URL: databaseUrl = '' } = process.env
    if (databaseUrl === '') throw new UsageError(`Set DATABASE_URL to ${needed}.`)
    process.exitCode = (await run(databaseUrl)) === false ? 1 : 0
  } catch (error) {
    console.error(error instanceof UsageError ? error.message : error)
    process.exitCode = 2
  }
}
