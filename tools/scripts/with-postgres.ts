/**
 * Runs a command with DATABASE_URL set. If the caller has set DATABASE_URL, that PostgreSQL server is used; otherwise a
 * local server if one responds; otherwise an embedded server, which is stopped afterwards.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { Client } from 'pg'

const localServer = 'postgres://postgres@127.0.0.1:5432/postgres'

interface Server {
  readonly url: string
  stop(): Promise<void>
}

const findServer = async (): Promise<Server> => {
  const configuredUrl = process.env.DATABASE_URL?.trim()
  if (configuredUrl) return { url: configuredUrl, stop: async () => {} }
  if (await isRunning(localServer)) return { url: localServer, stop: async () => {} }
  // Test files that run at the same time together open more than the default of 100 connections.
  return startEmbeddedPostgres({ settings: ['max_connections=300'] })
}

const isRunning = async (connectionString: string): Promise<boolean> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
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
