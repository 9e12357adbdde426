/**
 * Runs the load generator wrk with one thread against an HTTP server, optionally with a different path in every
 * request.
 */
import { join } from 'node:path'
import { findTool, runProgram } from './tools.ts'

export interface LoadOptions {
  /** Path of the requests. In it, {n} is replaced by an unused number and {a..b} by a random number from a to b. */
  readonly path: string
  readonly connections: number
  readonly seconds: number
  readonly warmUp: number
  readonly post?: { readonly body: string; readonly token: string }
  readonly headers?: Readonly<Record<string, string>>
}

export interface LoadResult {
  /** Responses per second. */
  readonly rate: number
  /** Latencies in milliseconds: mean, median and 99th percentile. */
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly requests: number
  /** Number of responses with a status of 400 or more, and of broken connections. */
  readonly failed: number
}

const scriptFile = join(import.meta.dirname, 'requests.lua')
/**
 * The first number that the next run puts into its URLs. Each run reserves a range of numbers, so that no URL is
 * requested twice.
 */
let nextNumber = Date.now()

export const runWrk = async (origin: string, options: LoadOptions): Promise<LoadResult> => {
  if (options.warmUp > 0) await runOnce(origin, options, options.warmUp)
  return runOnce(origin, options, options.seconds)
}

const runOnce = async (
  origin: string,
  { path, connections, post, headers = {} }: LoadOptions,
  seconds: number,
): Promise<LoadResult> => {
  const firstNumber = nextNumber
  nextNumber += 100_000_000
  const request = [path, String(firstNumber), ...(post === undefined ? [] : ['POST', post.body, post.token])]
  const output = await runProgram(await findTool('wrk'), [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    '-s',
    scriptFile,
    origin,
    '--',
    ...request,
  ])
  const result = /^RESULT (.*)$/m.exec(output)?.[1]
  if (result === undefined) throw new Error(`wrk printed no result:\n${output}`)
  return JSON.parse(result) as LoadResult
}
