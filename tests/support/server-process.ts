/** Starts an HTTP server as a Node.js process and waits until it is ready. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@muster/demo-data/embedded-postgres'
import { runProgram } from '../../tools/bench/tools.ts'
import { killAtExit } from './kill-at-exit.ts'

export const root = join(import.meta.dirname, '..', '..')

export interface ServerCommand {
  /** Arguments of Node.js. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly logFile?: string
  /** Path that returns 200 when the server is ready. */
  readonly readyPath: string
  /** Root folder of the checkout to run. Default: the current one. */
  readonly checkout?: string | undefined
  /** Default: a free port. */
  readonly port?: number
}

export interface ServerProcess {
  readonly origin: string
  /** Milliseconds from the start of the process to its first response with status 200. */
  readonly readyMs: number
  readonly pid: number
  /** Resolves with the exit code, or with null if a signal ended the process. */
  readonly ended: Promise<number | null>
  readonly hasEnded: boolean
  signal(name: NodeJS.Signals): void
  /** Resident memory in megabytes. */
  memory(): Promise<number>
  stop(): Promise<void>
}

const timeoutMs = 60_000

export const startServer = async ({
  args,
  env,
  logFile,
  readyPath,
  checkout = root,
  ...options
}: ServerCommand): Promise<ServerProcess> => {
  const port = options.port ?? (await freePort())
  const log = logFile === undefined ? 'ignore' : openSync(logFile, 'w')
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: checkout,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', log, log],
  })
  killAtExit(child)
  if (typeof log === 'number') closeSync(log)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const origin = `http://127.0.0.1:${port}`
  while (!(await isReady(origin + readyPath))) {
    const waitedMs = performance.now() - startedAt
    if (child.exitCode !== null || waitedMs > timeoutMs) {
      child.kill()
      const reason = child.exitCode === null ? `was not ready within ${timeoutMs} ms` : `exited with ${child.exitCode}`
      throw new Error(`node ${args.join(' ')} ${reason}; log: ${logFile ?? 'none'}`)
    }
    await pause(2)
  }
  return {
    origin,
    readyMs: performance.now() - startedAt,
    pid: child.pid as number,
    ended,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null
    },
    signal: (name) => child.kill(name),
    memory: async () => Number(await runProgram('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const isReady = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200))
    }).on('error', () => resolve(false))
  })
