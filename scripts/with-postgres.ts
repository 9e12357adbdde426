/** In charge of running a command with a PostgreSQL at hand: the one that is there, or else one of our own for that long. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Client } from 'pg'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const localServer = 'postgres://postgres@127.0.0.1:5432/postgres'

interface Server {
  readonly url: string
  stop(): Promise<void>
}

const findServer = async (): Promise<Server> => {
  const given = process.env.DATABASE_URL?.trim()
  if (given) return { url: given, stop: async () => {} }
  if (await answers(localServer)) return { url: localServer, stop: async () => {} }
  return startEmbeddedPostgres()
}

const answers = async (connectionString: string): Promise<boolean> => {
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
  asked = (signal) => pass(signal, child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}

/** A terminal sends Ctrl+C to the command itself, which should not hear it twice. */
const pass = (signal: NodeJS.Signals, child: ChildProcess): void => {
  if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
}

let interrupted: NodeJS.Signals | undefined
let asked = (signal: NodeJS.Signals): void => {
  interrupted = signal
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked(signal))

const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('Say which command to run: node scripts/with-postgres.ts <command> [arguments]')
  process.exitCode = 2
} else {
  try {
    const server = await findServer()
    try {
      // Asked to stop while the server was still starting.
      process.exitCode =
        interrupted === undefined ? await runCommand(command, args, server.url) : 128 + constants.signals[interrupted]
    } finally {
      await server.stop()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
