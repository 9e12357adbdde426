/**
 * Benchmark guard for CI: fails if a change makes the service much slower. Each check bounds the ratio of two figures
 * of the same run (guard-checks.ts). Takes about a minute; `npm run bench -- compare` finds smaller differences.
 *
 *   DATABASE_URL=… node tools/bench/guard.ts [--mutations]
 *
 * --mutations: runs each check against a service whose code was changed to be slower; the check must then fail. Takes
 * two minutes.
 */
import { parseArgs } from 'node:util'
import type { Mutation } from '../../tests/mutations/mutation.ts'
import { mutationEnv } from '../../tests/mutations/mutation.ts'
import type { ServerProcess } from '../../tests/support/server-process.ts'
import { runBench, superuser } from './command.ts'
import { Databases, employeeCount, runSql } from './data.ts'
import type { GuardCheck } from './guard-checks.ts'
import { guardChecks, verdictOf } from './guard-checks.ts'
import { apiPath, fetchBody, fewConnections } from './measurement.ts'
import { inAlternatingOrder } from './ratios.ts'
import type { SampledRequest } from './samples.ts'
import { FailedRequestsError, measureSample, serviceRequests } from './samples.ts'
import { startNaiveServer, startService, withBareServer, withServer } from './service-process.ts'
import { leaveBody } from './statements.ts'
import { hotListPath, uniqueItemPath } from './urls.ts'

const rows = 40_000
/**
 * Each figure is the best of three short rounds: the first round warms up the servers, and other work on the machine
 * may slow down another round.
 */
const rounds = 3
const seconds = 1
/** A check that fails is measured again: other work on the machine does not last, a slower service does. */
const attempts = 4

interface Servers {
  readonly bare: ServerProcess
  readonly naive: ServerProcess
  readonly service: ServerProcess
}

type Case = readonly [name: string, server: keyof Servers, request: SampledRequest]

const cases: readonly Case[] = [
  ['bare server', 'bare', { path: '/' }],
  ...Object.entries(serviceRequests(rows)).map(([name, request]): Case => [name, 'service', request]),
  ['naive get', 'naive', { path: uniqueItemPath('candidates', rows) }],
  ['naive create', 'naive', { path: '/v1/leave', post: { body: leaveBody(employeeCount), token: 'none' } }],
]

/** Measures the figures that these checks need. Each figure is the lowest of all rounds. */
const measure = async (servers: Servers, neededChecks: readonly GuardCheck[]): Promise<Record<string, number>> => {
  const figureNames = neededChecks.flatMap(({ figure, baseline }) => [figure, baseline])
  const neededCases = cases.filter(([name]) => figureNames.some((figure) => figure.startsWith(`${name}.`)))
  // If only the memory check is needed, no case matches its figures: it needs the load of all cases.
  const casesToRun = neededCases.length === 0 ? cases : neededCases
  const figures: Record<string, number> = { 'memory at the start': await servers.service.memory() }
  const keepLowest = (name: string, value: number): void => {
    figures[name] = Math.min(figures[name] ?? Infinity, value)
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, server, request] of inAlternatingOrder(casesToRun, round)) {
      const { cpu, rate } = await measureSample(servers[server], request, { seconds, connections: fewConnections })
      keepLowest(`${name}.cpu`, cpu)
      keepLowest(`${name}.time`, 1 / rate)
    }
  }
  return { ...figures, 'memory at the end': await servers.service.memory() }
}

const runChecks = async (
  url: string,
  baselines: Omit<Servers, 'service'>,
  neededChecks: readonly GuardCheck[],
  slowDown?: Mutation,
) => {
  return withServer(startService(url, undefined, mutationEnv(slowDown)), async (service) => {
    try {
      const figures = await measure({ ...baselines, service }, neededChecks)
      return neededChecks.map((check) => verdictOf(check, figures))
    } catch (error) {
      if (!(error instanceof FailedRequestsError)) throw error
      return neededChecks.map(({ figure }) => ({ passed: false, line: `FAILED ${figure}: ${error.message}` }))
    }
  })
}

type RunChecks = (checks: readonly GuardCheck[], slowDown?: Mutation) => Promise<readonly GuardCheck[]>

/** Returns the number of checks that failed in every attempt. */
const runRepeatedly = async (run: RunChecks): Promise<number> => {
  let remaining = guardChecks
  for (let attempt = 1; attempt <= attempts && remaining.length > 0; attempt += 1) {
    if (attempt > 1) console.log(`Measuring again what failed (attempt ${attempt} of ${attempts}):`)
    remaining = await run(remaining)
  }
  return remaining.length
}

/** Returns the number of checks that passed although the service was made slower. */
const runMutations = async (run: RunChecks): Promise<number> => {
  console.log('Each check runs against a service with a slow-down mutation and must report FAILED:')
  let passedChecks = 0
  for (const check of guardChecks) passedChecks += 1 - (await run([check], check.slowDown)).length
  return passedChecks
}

const runGuard = async (serverUrl: string, withMutations: boolean): Promise<boolean> => {
  const url = await new Databases(serverUrl).candidates(rows)
  try {
    const page = await withServer(startService(url), ({ origin }) =>
      fetchBody(origin + apiPath + hotListPath('candidates')),
    )
    return await withBareServer(page, (bare) =>
      withServer(startNaiveServer(url), async (naive) => {
        const run = async (checks: readonly GuardCheck[], slowDown?: Mutation) => {
          const verdicts = await runChecks(url, { bare, naive }, checks, slowDown)
          for (const { line } of verdicts) console.log(line)
          return checks.filter((_, index) => verdicts[index]?.passed !== true)
        }
        const failedChecks = withMutations ? await runMutations(run) : await runRepeatedly(run)
        console.log(`${guardChecks.length - failedChecks} passed, ${failedChecks} failed`)
        return failedChecks === 0
      }),
    )
  } finally {
    await runSql(serverUrl, `drop database "${new URL(url).pathname.slice(1)}" with (force)`)
  }
}

const { values } = parseArgs({ options: { mutations: { type: 'boolean', default: false } } })
await runBench(superuser, (serverUrl) => runGuard(serverUrl, values.mutations))
