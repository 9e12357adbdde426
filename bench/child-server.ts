/** In charge of server processes: started on a free port, waited for until they answer, measured and stopped. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../scripts/free-port.ts'
import { run } from './tools.ts'

export const root = join(import.meta.dirname, '..')

export interface ServerCommand {
  /** Arguments of node. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly logFile?: string
  /** Answers 200 as soon as the server can serve. */
  readonly readyPath: string
  /** The checkout to run in; this one when left out. */
  readonly checkout?: string | undefined
  /** A free one when left out. */
  readonly port?: number
}

export interface ServerProcess {
  readonly origin: string
  /** Milliseconds from the start of the process to its first 200. */
  readonly readyMs: number
  readonly pid: number
  /** Resolves with the exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>
  readonly hasEnded: boolean
  signal(name: NodeJS.Signals): void
  /** Resident memory in megabytes. */
  memory(): Promise<number>
  stop(): Promise<void>
}

const patienceMs = 20_000

export const startServer = async ({
  args,
  env,
  logFile,
  readyPath,
  checkout = root,
  ...place
}: ServerCommand): Promise<ServerProcess> => {
  const port = place.port ?? (await freePort())
  const log = logFile === undefined ? 'ignore' : openSync(logFile, 'w')
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: checkout,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', log, log],
  })
  if (typeof log === 'number') closeSync(log)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const origin = `http://127.0.0.1:${port}`
  while (!(await answers(origin + readyPath))) {
    const waited = performance.now() - started
    if (child.exitCode !== null || waited > patienceMs) {
      child.kill()
      const fate =
        child.exitCode === null ? `did not begin to serve in ${patienceMs} ms` : `ended with ${child.exitCode}`
      throw new Error(`node ${args.join(' ')} ${fate}; its log is ${logFile ?? 'not kept'}`)
    }
    await pause(2)
  }
  return {
    origin,
    readyMs: performance.now() - started,
    pid: child.pid as number,
    ended,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null
    },
    signal: (name) => child.kill(name),
    memory: async () => Number(await run('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200))
    }).on('error', () => resolve(false))
  })
