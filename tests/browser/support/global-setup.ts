import { openRun } from '../../support/database.ts'

/** Playwright passes the environment variables that this sets to its workers, and calls the returned function last. */
export default (): Promise<() => Promise<void>> =>
  openRun(process.env.DATABASE_URL?.trim() || 'postgres://postgres@127.0.0.1:5432/postgres')
