/** In charge of what a case is: a name, and figures by name that one round of measuring it gives. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import type { Databases } from './data.ts'
import type { Options } from './options.ts'
import type { EngineResult } from './pgbench.ts'
import { loadEngine } from './pgbench.ts'
import type { Load, LoadResult } from './wrk.ts'
import { load } from './wrk.ts'

export type Figures = Readonly<Record<string, number>>

export interface Bench {
  readonly options: Options
  readonly databases: Databases
}

export interface Case {
  readonly name: string
  measure(bench: Bench): Promise<Figures>
}

export const api = '/api'
/** Connections of wrk, and of whatever is compared with a search, of which more would only make a queue. */
export const manyConnections = 32
export const fewConnections = 8

/** Rate and latencies of one path, each under a name that begins with the given one. */
export const measurePath = async (
  { options }: Bench,
  name: string,
  origin: string,
  path: string,
  more: Partial<Load> = {},
): Promise<Figures> => {
  const { seconds, warmUp } = options
  return named(name, await load(origin, { path, connections: manyConnections, seconds, warmUp, ...more }))
}

export const measureEngine = async (
  { options }: Bench,
  name: string,
  url: string,
  script: string,
  clients = fewConnections,
): Promise<Figures> => {
  const { seconds, warmUp } = options
  return named(name, await loadEngine(url, { script, clients, seconds, warmUp }))
}

/** The best of several statements that do the same. */
export const measureBestEngine = async (
  bench: Bench,
  name: string,
  url: string,
  scripts: readonly string[],
  clients = fewConnections,
): Promise<Figures> => {
  let best: Figures = {}
  for (const script of scripts) {
    const figures = await measureEngine(bench, name, url, script, clients)
    if ((figures[`${name}.rate`] ?? 0) > (best[`${name}.rate`] ?? 0)) best = figures
  }
  return best
}

const named = (name: string, result: LoadResult | EngineResult): Figures =>
  Object.fromEntries(Object.entries(result).map(([key, value]) => [`${name}.${key}`, value]))

export interface Answer {
  readonly status: number
  readonly body: Buffer
  readonly ms: number
}

/** One request on a connection of its own, and how long its answer took. */
export const ask = async (url: string): Promise<Answer> => {
  const started = performance.now()
  const asked = request(url, { agent: false }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await response.toArray())
  return { status: response.statusCode ?? 0, body, ms: performance.now() - started }
}

/** The answer's bytes; anything but a 200 means that what is measured is not what is meant. */
export const capture = async (url: string): Promise<Buffer> => {
  const { status, body } = await ask(url)
  if (status !== 200) throw new Error(`${url} answered ${status}: ${body.toString().slice(0, 300)}`)
  return body
}
