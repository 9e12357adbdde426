/**
 * Runs a command with DATABASE_URL set. If the caller has set DATABASE_URL, that PostgreSQL server is used; otherwise a
 * temporary one, which is stopped and removed afterwards.
 */
import type { TemporaryPostgres } from '../../tests/support/temporary-postgres.ts'
import { startTemporaryPostgres } from '../../tests/support/temporary-postgres.ts'
import { forwardSignals, runProgram } from './run-program.ts'

const findServer = async (): Promise<TemporaryPostgres> => {
  const configuredUrl = process.env.DATABASE_URL?.trim()
  return configuredUrl ? { url: configuredUrl, stop: async () => {} } : startTemporaryPostgres()
}

const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('Usage: node tools/scripts/with-postgres.ts <command> [arguments]')
  process.exitCode = 2
} else {
  // Before the server starts, so that it is also stopped if a signal arrives meanwhile.
  forwardSignals()
  try {
    const server = await findServer()
    try {
      process.exitCode = await runProgram([command, ...args], { env: { ...process.env, DATABASE_URL: server.url } })
    } finally {
      await server.stop()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
