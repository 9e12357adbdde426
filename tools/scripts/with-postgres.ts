/**
 * Runs a command with DATABASE_URL set. If the caller has set DATABASE_URL, that PostgreSQL server is used; otherwise a
 * temporary one, which is stopped and removed afterwards.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { TemporaryPostgres } from '../../tests/support/temporary-postgres.ts'
import { startTemporaryPostgres } from '../../tests/support/temporary-postgres.ts'

const findServer = async (): Promise<TemporaryPostgres> => {
  const configuredUrl = process.env.DATABASE_URL?.trim()
  return configuredUrl ? { url: configuredUrl, stop: async () => {} } : startTemporaryPostgres()
}

const runCommand = async (command: string, args: string[], url: string): Promise<number> => {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } })
  onSignal = (signal) => forwardSignal(signal, child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}

/**
 * Forwards a signal to the command. On Ctrl+C a terminal signals the command itself, so SIGINT is forwarded only
 * without a terminal.
 */
const forwardSignal = (signal: NodeJS.Signals, child: ChildProcess): void => {
  if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
}

let earlySignal: NodeJS.Signals | undefined
let onSignal = (signal: NodeJS.Signals): void => {
  earlySignal = signal
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => onSignal(signal))

const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('Usage: node tools/scripts/with-postgres.ts <command> [arguments]')
  process.exitCode = 2
} else {
  try {
    const server = await findServer()
    try {
      // A signal may have arrived while the server was starting.
      process.exitCode =
        earlySignal === undefined ? await runCommand(command, args, server.url) : 128 + constants.signals[earlySignal]
    } finally {
      await server.stop()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
