/** In charge of loading an HTTP server by wrk: one thread, a path that may differ in every request. */
import { join } from 'node:path'
import { findTool, run } from './tools.ts'

export interface Load {
  /** {n} in it becomes a number never used before, {a..b} a random one from a to b. */
  readonly path: string
  readonly connections: number
  readonly seconds: number
  readonly warmUp: number
  readonly post?: { readonly body: string; readonly token: string }
  readonly headers?: Readonly<Record<string, string>>
}

export interface LoadResult {
  /** Answers per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly requests: number
  /** Answers of 400 and above, and broken connections. */
  readonly failed: number
}

const script = join(import.meta.dirname, 'requests.lua')
/** Each load begins its numbers here and leaves room for the next, so that no address is ever asked for twice. */
let nextNumber = Date.now()

export const load = async (origin: string, options: Load): Promise<LoadResult> => {
  if (options.warmUp > 0) await once(origin, options, options.warmUp)
  return once(origin, options, options.seconds)
}

const once = async (
  origin: string,
  { path, connections, post, headers = {} }: Load,
  seconds: number,
): Promise<LoadResult> => {
  const first = nextNumber
  nextNumber += 100_000_000
  const request = [path, String(first), ...(post === undefined ? [] : ['POST', post.body, post.token])]
  const output = await run(await findTool('wrk'), [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    '-s',
    script,
    origin,
    '--',
    ...request,
  ])
  const result = /^RESULT (.*)$/m.exec(output)?.[1]
  if (result === undefined) throw new Error(`wrk said nothing of use:\n${output}`)
  return JSON.parse(result) as LoadResult
}
