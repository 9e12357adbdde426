/**
 * Compares this checkout with another one, usually the commit before: both run at the same time, each with its own database,
 * and are measured alternately. A case is a regression only if the whole interval of its ratios is worse.
 *
 *   DATABASE_URL=… node bench/compare.ts --before DIRECTORY [--pairs 11] [--seconds 3] [--only 'hot list,create'] [--keep]
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { processTime } from '../deploy/capacity/processor-time.ts'
import { freshItem, freshList, freshListAt, hotId, hotItem, hotList, search } from './addresses.ts'
import type { ServerProcess } from './child-server.ts'
import { Databases, employeeCount, singleWord } from './data.ts'
import { api, manyConnections } from './measurement.ts'
import { UsageError } from './options.ts'
import { startService, writeToken } from './service-process.ts'
import { leaveBody, pageRows } from './statements.ts'
import type { Load } from './wrk.ts'
import { load } from './wrk.ts'

interface Case {
  readonly name: string
  readonly load: Pick<Load, 'path' | 'post' | 'headers'>
}

const rows = 100_000

const cases: readonly Case[] = [
  { name: 'hot list', load: { path: api + hotList('candidates') } },
  { name: 'hot list, br', load: { path: api + hotList('candidates'), headers: { 'Accept-Encoding': 'br' } } },
  { name: 'every page different', load: { path: api + freshList('candidates') } },
  { name: 'deep page', load: { path: api + freshListAt('candidates', 256, rows - pageRows) } },
  { name: 'search', load: { path: api + search('candidates', singleWord) } },
  { name: 'hot get', load: { path: api + hotItem('candidates', hotId) } },
  { name: 'get of different ids', load: { path: api + freshItem('candidates', rows) } },
  { name: 'create', load: { path: `${api}/v1/leave`, post: { body: leaveBody(employeeCount), token: writeToken } } },
]

interface Sample {
  readonly rate: number
  /** CPU time of the service process per request, in microseconds. */
  readonly cpu: number
}

const sampled = async ({ origin, pid }: ServerProcess, { load: what }: Case, seconds: number): Promise<Sample> => {
  const before = await processTime(pid)
  const { rate, requests, failed } = await load(origin, { ...what, connections: manyConnections, seconds, warmUp: 0 })
  if (failed > 0) throw new Error(`${failed} of ${requests} requests for ${what.path} failed`)
  return { rate, cpu: ((await processTime(pid)) - before) * (1_000_000 / requests) }
}

/** Median, and the interval from the second smallest to the second largest: 98.8 % confidence at 11 pairs. */
const summary = (ratios: readonly number[]) => {
  const sorted = ratios.toSorted((a, b) => a - b)
  const at = (index: number) => sorted.at(index) as number
  return { low: at(1), median: at(Math.floor(sorted.length / 2)), high: at(-2) }
}

const written = ({ low, median, high }: ReturnType<typeof summary>): string =>
  `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`

const compare = async (): Promise<boolean> => {
  const { values } = parseArgs({
    options: {
      before: { type: 'string' },
      pairs: { type: 'string', default: '11' },
      seconds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      keep: { type: 'boolean', default: false },
    },
  })
  const { DATABASE_URL: serverUrl } = process.env
  if (values.before === undefined || serverUrl === undefined)
    throw new UsageError('Give the other checkout by --before, and a PostgreSQL superuser in DATABASE_URL.')
  const checkout = resolve(values.before)
  const [pairs, seconds] = [Number(values.pairs), Number(values.seconds)]
  if (!(pairs >= 5 && seconds >= 1)) throw new UsageError('An interval needs at least 5 pairs of at least 1 second.')
  const only = values.only.split(',').filter((name) => name !== '')
  const before = await startService(await new Databases(serverUrl, checkout).people(rows), undefined, {}, checkout)
  const after = await startService(await new Databases(serverUrl).people(rows))
  console.log(`after / before, ${pairs} pairs of ${seconds} s each; CPU time of the service per request`)
  let isWorse = false
  try {
    for (const each of cases.filter(({ name }) => only.length === 0 || only.includes(name))) {
      for (const service of [before, after]) await sampled(service, each, 2)
      const found: { readonly old: Sample; readonly now: Sample }[] = []
      for (let pair = 0; pair < pairs; pair += 1) {
        const first = await sampled(pair % 2 === 0 ? before : after, each, seconds)
        const second = await sampled(pair % 2 === 0 ? after : before, each, seconds)
        found.push(pair % 2 === 0 ? { old: first, now: second } : { old: second, now: first })
      }
      const cpu = summary(found.map(({ old, now }) => now.cpu / old.cpu))
      const rate = summary(found.map(({ old, now }) => now.rate / old.rate))
      const verdict = cpu.low > 1 ? 'WORSE' : cpu.high < 1 ? 'better' : 'same'
      isWorse ||= cpu.low > 1
      console.log(`${each.name.padEnd(22)} CPU ${written(cpu)}  rate ${written(rate)}  ${verdict}`)
    }
  } finally {
    await Promise.all([before.stop(), after.stop()])
    if (!values.keep) await new Databases(serverUrl).dropAll()
  }
  return !isWorse
}

try {
  process.exitCode = (await compare()) ? 0 : 1
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error)
  process.exitCode = 2
}
