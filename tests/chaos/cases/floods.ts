/** One client floods the service: other clients are still served, health checks pass, and memory stays bounded. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Mutation } from '../../mutations/mutation.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Environment } from '../environment.ts'
import { token } from '../environment.ts'
import { mutations } from '../mutations.ts'

const floodNames = [
  'pipelining',
  'idle',
  'slow-parameter',
  'strict-names',
  'searches',
  'expanded',
  'bodies',
  'tool-calls',
  'slow-feeds',
  'sitemaps',
  'reports',
] as const
type FloodName = (typeof floodNames)[number]

const maxMemoryRatio = 1.5
/**
 * Idle connections take 7.5 kB each, which raises memory to 1.35 times the normal peak. The flood also reopens
 * thousands of connections per second, and V8 collects their garbage only when the heap has grown. Lower connection
 * limits used even more memory, because more connections were closed and reopened.
 */
const maxIdleMemoryRatio = 2.6
const maxProbeMs = 100
/** Rendering reports and feeds takes most of the event loop's time, in slices. */
const maxProbeMsOf = (name: FloodName): number => (costlyFloods.has(name) ? 250 : maxProbeMs)
const costlyFloods: ReadonlySet<FloodName> = new Set(['tool-calls', 'slow-feeds', 'sitemaps', 'reports'])
/** Beside other programs, the check of the database may take longer than a health check waits. */
const maxFailedProbeShareIfBusy = 0.1
const minNormalRateRatio = 0.5
/** PostgreSQL computes the reports of the flood on the cores of the service and the normal client: 30 to 49 % were observed. */
const minNormalRateRatioOf = (name: FloodName): number => (name === 'reports' ? 0.2 : minNormalRateRatio)
const normalConnections = 8
/** Pages of 200 employees, about 150 kB each: together more than the response cache holds. */
const cacheFillingPages = 600
const probeEveryMs = 25
const memoryEveryMs = 50

/** Measurements of the normal client, the health checks and the memory of the service process during one period. */
interface Measurements {
  readonly normalPerSecond: number
  readonly failedNormalCount: number
  readonly probeP99Ms: number
  readonly probeCount: number
  readonly failedProbeCount: number
  readonly peakMb: number
}

const respondsOk = (
  port: number,
  path: string,
  options: { agent: Agent | false; localAddress: string },
): Promise<boolean> =>
  new Promise((resolve) => {
    const clientRequest = get({ port, host: '127.0.0.1', path, timeout: 10_000, ...options }, (response) => {
      response.on('error', () => resolve(false)).on('end', () => resolve(response.statusCode === 200))
      response.resume()
    })
    clientRequest.on('timeout', () => clientRequest.destroy())
    clientRequest.on('error', () => resolve(false))
  })

const readMemoryMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/**
 * Fills the response cache and loads the postings of the career site, as clients do that read every page. Otherwise the
 * growth of the caches would be counted as memory that the flood takes. A response is stored when it is requested for the
 * second time.
 */
const fillCache = async (port: number): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: normalConnections })
  const readPages = async (connectionIndex: number): Promise<void> => {
    for (let page = connectionIndex; page < cacheFillingPages; page += normalConnections)
      for (let turn = 0; turn < 2; turn += 1)
        await respondsOk(port, `/api/v1/employees?limit=200&offset=${page * 10}`, { agent, localAddress: '127.0.0.1' })
  }
  await Promise.all(Array.from({ length: normalConnections }, (_, connectionIndex) => readPages(connectionIndex)))
  await respondsOk(port, '/careers/flooded/sitemap.xml', { agent, localAddress: '127.0.0.1' })
  agent.destroy()
}

/** Measures for this time, or until the service uses more than `maxMb` of memory. */
const measure = async (
  port: number,
  pid: number,
  seconds: number,
  maxMb = Number.POSITIVE_INFINITY,
): Promise<Measurements> => {
  const agent = new Agent({ keepAlive: true, maxSockets: normalConnections })
  const startedMeasuringAt = performance.now()
  const isMeasuring = () => peakMb <= maxMb && performance.now() - startedMeasuringAt < seconds * 1_000
  let servedCount = 0
  let failedCount = 0
  let failedProbeCount = 0
  let peakMb = 0
  const probeTimes: number[] = []
  const sendNormalRequests = async (connectionIndex: number): Promise<void> => {
    for (let turn = 0; isMeasuring(); turn += 1) {
      const path = turn % 2 === 0 ? 'employees?limit=20' : `employees/${connectionIndex + 1}`
      if (await respondsOk(port, `/api/v1/${path}`, { agent, localAddress: '127.0.0.1' })) servedCount += 1
      else failedCount += 1
    }
  }
  const probe = async (path: string): Promise<void> => {
    while (isMeasuring()) {
      const startedAt = performance.now()
      if (!(await respondsOk(port, path, { agent: false, localAddress: '127.0.0.3' }))) failedProbeCount += 1
      probeTimes.push(performance.now() - startedAt)
      await pause(probeEveryMs)
    }
  }
  // Memory is also read while a health check waits for its response.
  const watchMemory = async (): Promise<void> => {
    while (isMeasuring()) {
      peakMb = Math.max(peakMb, readMemoryMb(pid))
      await pause(memoryEveryMs)
    }
  }
  const clients = Array.from({ length: normalConnections }, (_, connectionIndex) => sendNormalRequests(connectionIndex))
  await Promise.all([...clients, probe('/livez'), probe('/readyz'), watchMemory()])
  agent.destroy()
  const sortedProbeTimes = probeTimes.toSorted((a, b) => a - b)
  const probeP99Ms = sortedProbeTimes[Math.floor(sortedProbeTimes.length * 0.99)] ?? 0
  return {
    normalPerSecond: (1_000 * servedCount) / (performance.now() - startedMeasuringAt),
    failedNormalCount: failedCount,
    probeP99Ms,
    probeCount: probeTimes.length,
    failedProbeCount,
    peakMb,
  }
}

/**
 * The service is pinned to core 0 and the flooding client to core 1. The flooding client also has a low priority, so
 * that it does not take CPU time from the normal client on core 1.
 */
const pinToCore = async (pid: number, core: number): Promise<void> => {
  const child = spawn('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
  await once(child, 'exit')
}

const startFlood = async (environment: Environment, name: FloodName, port: number) => {
  const args = [
    '-n',
    '10',
    'taskset',
    '-c',
    '1',
    process.execPath,
    'tests/chaos/flood-client.ts',
    name,
    String(port),
    token,
  ]
  const child = spawn('nice', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exitPromise = once(child, 'exit')
  const firstOutputPromise = once(child.stdout, 'data')
  const stopFlood = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exitPromise
  }
  environment.addCleanup(stopFlood)
  await Promise.race([firstOutputPromise, exitPromise])
  return stopFlood
}

const fillSql = (rows: number): string => `
  insert into departments (name) select 'Department ' || n from generate_series(1, 50) n;
  insert into candidates (status, first_name, notes)
    select 'active', md5(n::text), repeat(md5(n::text), 8) from generate_series(1, ${rows}) n;
  insert into employees (first_name, last_name, designation, status, alumni, dept_id, candidate_id, branch, date_of_joining)
    select md5(n::text), md5((n + 1)::text), repeat(md5(n::text), 4), 'active', 0,
           (select min(id) + n % 50 from departments), (select min(id) + n - 1 from candidates),
           'Branch ' || n % 30, date '1975-01-01' + n % 17000
    from generate_series(1, ${rows}) n;
  insert into career_sites (name, slug) values ('Flooded', 'flooded');
  insert into job_openings (title, headcount, filled, status, description)
    select 'Posting ' || n, 1, 0, 'open', repeat(md5(n::text), 40) from generate_series(1, ${rows}) n;
  insert into job_distributions (job_posting_id, career_site_id, locale, slug, status, published_at)
    select id, (select id from career_sites where slug = 'flooded'), 'en', 'posting-' || id, 'published', now() - interval '1 day'
    from job_openings where title like 'Posting %'`

const maxMemoryRatioOf = (name: FloodName): number => (name === 'idle' ? maxIdleMemoryRatio : maxMemoryRatio)

const runFloods = async (
  environment: Environment,
  selectedFloods: readonly FloodName[],
  seconds: number,
  mutation?: Mutation,
): Promise<Outcome> => {
  const { url } = await environment.cluster()
  await withClient(url, (client) => client.query(fillSql(environment.size(25_000, 10_000))))
  const results: {
    name: FloodName
    memoryRatio: number
    probeP99Ms: number
    rateRatio: number
    duringFlood: Measurements
  }[] = []
  for (const name of selectedFloods) {
    // Each flood gets a new service, so that memory left over from the previous flood is not counted.
    const service = await environment.service({
      databaseUrl: url,
      env: { MUSTER_CAREER_SITES: 'on', MUSTER_MCP: 'on' },
      mutation,
    })
    const port = Number(new URL(service.origin).port)
    await pinToCore(service.pid, 0)
    await fillCache(port)
    const beforeFlood = await measure(port, service.pid, Math.max(seconds / 3, 2))
    const stopFlood = await startFlood(environment, name, port)
    // In a control, memory grows slowly if the machine is busy, so the flood may take longer.
    const maxMb = beforeFlood.peakMb * maxMemoryRatioOf(name)
    const duringFlood = await (mutation === mutations.noAdmission
      ? measure(port, service.pid, 10 * seconds, maxMb)
      : measure(port, service.pid, seconds))
    await stopFlood()
    const [memoryRatio, rateRatio] = [
      duringFlood.peakMb / beforeFlood.peakMb,
      duringFlood.normalPerSecond / beforeFlood.normalPerSecond,
    ]
    results.push({ name, memoryRatio, probeP99Ms: duringFlood.probeP99Ms, rateRatio, duringFlood })
    service.signal('SIGKILL')
    await service.ended
  }
  const resultLines = results.map(
    ({ name, memoryRatio, probeP99Ms, rateRatio, duringFlood }) =>
      `${name.padEnd(15)} memory × ${memoryRatio.toFixed(2)} (peak ${Math.round(duringFlood.peakMb)} MB), probe p99 ${Math.round(probeP99Ms)} ms, normal client ${Math.round(100 * rateRatio)} % (${Math.round(duringFlood.normalPerSecond)}/s)`,
  )
  // A run with --short may share the machine with other programs, so it does not check rates and times.
  const shouldCheckTimes = !environment.isShort
  return {
    ...emptyOutcome,
    faultCount: results.length,
    slowestMs: Math.max(...results.map(({ probeP99Ms }) => probeP99Ms)),
    violations: results.flatMap(({ name, memoryRatio, probeP99Ms, rateRatio, duringFlood }) =>
      failedChecks(
        [memoryRatio <= maxMemoryRatioOf(name), 'bounded resources', `${name}: memory × ${memoryRatio.toFixed(2)}`],
        [
          !shouldCheckTimes || probeP99Ms <= maxProbeMsOf(name),
          'in time',
          `${name}: the 99th percentile of the health checks was ${Math.round(probeP99Ms)} ms`,
        ],
        [
          duringFlood.failedProbeCount <= (shouldCheckTimes ? 0 : maxFailedProbeShareIfBusy * duringFlood.probeCount),
          'in time',
          `${name}: ${duringFlood.failedProbeCount} of ${duringFlood.probeCount} health checks failed`,
        ],
        [
          !shouldCheckTimes || rateRatio >= minNormalRateRatioOf(name),
          'expected responses',
          `${name}: the normal client reached ${Math.round(100 * rateRatio)} % of its usual rate`,
        ],
        [
          !shouldCheckTimes || duringFlood.failedNormalCount === 0,
          'expected responses',
          `${name}: ${duringFlood.failedNormalCount} normal requests failed`,
        ],
      ),
    ),
    notes: resultLines,
  }
}

export const floods: ChaosCase = {
  name: 'floods',
  run: (environment) =>
    runFloods(environment, environment.isShort ? ['pipelining', 'expanded'] : floodNames, environment.size(30, 6)),
  control: {
    description: 'every request admitted at once',
    brokenGuarantee: 'in time',
    run: (environment) => runFloods(environment, ['pipelining'], environment.size(15, 6), mutations.noAdmission),
  },
}

export const idleFlood: ChaosCase = {
  name: 'idle-connections',
  onlyLong: true,
  run: (environment) => runFloods(environment, ['idle'], 15),
  control: {
    description: 'idle connections are never closed',
    brokenGuarantee: 'in time',
    run: (environment) => runFloods(environment, ['idle'], 15, mutations.noEviction),
  },
}
