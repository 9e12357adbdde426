import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import type { Databases } from './data.ts'
import type { Options } from './options.ts'
import type { PgbenchResult } from './pgbench.ts'
import { runPgbench } from './pgbench.ts'
import type { LoadOptions, LoadResult } from './wrk.ts'
import { runWrk } from './wrk.ts'

export type Figures = Readonly<Record<string, number>>

export interface Bench {
  readonly options: Options
  readonly databases: Databases
}

export interface Case {
  readonly name: string
  measure(bench: Bench): Promise<Figures>
}

export const apiPath = '/api'
/** Number of connections that the load generator wrk opens by default. */
export const manyConnections = 32
/**
 * Number of connections for searches and their baselines: with more connections, requests would only wait in the queue
 * of the service.
 */
export const fewConnections = 8

/** Measures the request rate and latencies of one path. The names of these figures begin with `name`. */
export const measurePath = async (
  { options }: Bench,
  name: string,
  origin: string,
  path: string,
  overrides: Partial<LoadOptions> = {},
): Promise<Figures> => {
  const { seconds, warmUp } = options
  return namedFigures(name, await runWrk(origin, { path, connections: manyConnections, seconds, warmUp, ...overrides }))
}

export const measurePostgres = async (
  { options }: Bench,
  name: string,
  url: string,
  script: string,
  clients = fewConnections,
): Promise<Figures> => {
  const { seconds, warmUp } = options
  return namedFigures(name, await runPgbench(url, { script, clients, seconds, warmUp }))
}

/** Measures several equivalent SQL statements in PostgreSQL itself, and returns the figures of the fastest one. */
export const measureFastestStatement = async (
  bench: Bench,
  name: string,
  url: string,
  scripts: readonly string[],
  clients = fewConnections,
): Promise<Figures> => {
  let fastestFigures: Figures = {}
  for (const script of scripts) {
    const figures = await measurePostgres(bench, name, url, script, clients)
    if ((figures[`${name}.rate`] ?? 0) > (fastestFigures[`${name}.rate`] ?? 0)) fastestFigures = figures
  }
  return fastestFigures
}

const namedFigures = (name: string, result: LoadResult | PgbenchResult): Figures =>
  Object.fromEntries(Object.entries(result).map(([key, value]) => [`${name}.${key}`, value]))

export interface BenchResponse {
  readonly status: number
  readonly body: Buffer
  readonly ms: number
}

/** Sends one request on a new connection, and measures the time until the response is complete. */
export const measureGet = async (url: string): Promise<BenchResponse> => {
  const started = performance.now()
  const outgoing = request(url, { agent: false }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await response.toArray())
  return { status: response.statusCode ?? 0, body, ms: performance.now() - started }
}

/** Returns the body of the response; throws unless the status is 200. */
export const fetchBody = async (url: string): Promise<Buffer> => {
  const { status, body } = await measureGet(url)
  if (status !== 200) throw new Error(`${url} responded ${status}: ${body.toString().slice(0, 300)}`)
  return body
}
