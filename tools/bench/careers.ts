/**
 * Measures career sites: rates of their pages next to that of the hot list, pages of a site with 18,000 jobs, jobs.xml of
 * 5,000 jobs, and whether the JSON API is slower with career sites on.
 *
 *   DATABASE_URL=… node tools/bench/careers.ts [--rounds 5] [--seconds 3]
 *
 * DATABASE_URL is that of a PostgreSQL superuser. Exits with 1 if a budget is missed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { ServerProcess } from '../../tests/support/server-process.ts'
import { runBench, superuser, UsageError } from './command.ts'
import { careerSites, Databases } from './data.ts'
import { apiPath, fetchBody, manyConnections, measureGet } from './measurement.ts'
import { formatRatio, inAlternatingOrder, measureAlternately, summarizeRatios } from './ratios.ts'
import type { Sample } from './samples.ts'
import { measureSample } from './samples.ts'
import { startService, withServer } from './service-process.ts'
import { hotItemPath, hotListPath, uniqueListPath } from './urls.ts'

const sitePath = (site: keyof typeof careerSites): string => `/careers/${site}/en/`
const listPath = (site: keyof typeof careerSites): string =>
  `${sitePath(site)}?page={1..${careerSites[site] / 50}}&_={n}`
const jobPath = (site: keyof typeof careerSites): string => `${sitePath(site)}job-{1..${careerSites[site]}}?_={n}`

interface Rate {
  readonly path: string
  /** The least rate per second. */
  readonly minRate?: number
  /** The least rate as a share of that of the hot list. */
  readonly minShare?: number
  /** Whether a job is changed ten times per second meanwhile. */
  readonly withWrites?: boolean
}

const hotList = `${apiPath}${hotListPath('employees')}`

const rates: Readonly<Record<string, Rate>> = {
  'hot list of the API': { path: hotList },
  'list page, cached': { path: sitePath('ordinary'), minShare: 0.5 },
  'job page, cached': { path: `${sitePath('ordinary')}job-17`, minShare: 0.5 },
  'list page, uncached': { path: listPath('ordinary'), minRate: 800 },
  'job page, uncached': { path: jobPath('ordinary'), minRate: 800 },
  'list page of 18,000 jobs, uncached': { path: listPath('huge'), minRate: 800 },
  'job page of 18,000 jobs, uncached': { path: jobPath('huge'), minRate: 800 },
  'list page, ten writes per second': { path: listPath('ordinary'), withWrites: true },
  'list page of 18,000 jobs, ten writes per second': { path: listPath('huge'), withWrites: true },
}

/** Requests whose time is measured one by one. */
interface Duration {
  readonly paths: readonly string[]
  readonly maxMs?: number
  /** Whether a job is changed before each request. */
  readonly afterWrite?: boolean
}

const hugePath = sitePath('huge')
const durations: Readonly<Record<string, Duration>> = {
  'list page of 18,000 jobs': { paths: [1, 2, 100, 200, 360].map((page) => `${hugePath}?page=${page}`), maxMs: 50 },
  'the same with a filter': {
    paths: ['department=Department%203', 'contract=intern', 'remote=remote&place=Riga%2C%20Japan'].map(
      (filter) => `${hugePath}?${filter}`,
    ),
    maxMs: 50,
  },
  'the same with a rare word': { paths: [`${hugePath}?q=17071`, `${hugePath}?q=J9999`], maxMs: 50 },
  'the same with a word of two sevenths of the jobs': { paths: [`${hugePath}?q=engineer`] },
  'job page of 18,000 jobs': { paths: [1, 5_000, 18_000].map((job) => `${hugePath}job-${job}`), maxMs: 50 },
  'list page of 18,000 jobs after a write': { paths: [hugePath], maxMs: 50, afterWrite: true },
  'job page of 18,000 jobs after a write': { paths: [`${hugePath}job-18000`], maxMs: 50, afterWrite: true },
  'sitemap of 18,000 jobs': { paths: ['/careers/huge/sitemap.xml'] },
  'RSS of 18,000 jobs': { paths: [`${hugePath}rss.xml`] },
  'career visibility, all sites': { paths: [`${apiPath}/v1/career-visibility`] },
  'career visibility, 18,000 jobs': { paths: [`${apiPath}/v1/career-visibility/3`] },
  'the same after a write': { paths: [`${apiPath}/v1/career-visibility/3`], afterWrite: true },
  'jobs.xml of 5,000 jobs': { paths: ['/careers/large/jobs.xml'], maxMs: 1_000 },
}

let missedBudgets = 0
const verdictOf = (isMet: boolean): string => {
  if (!isMet) missedBudgets += 1
  return isMet ? 'met' : '**missed**'
}

const medianOf = (figures: readonly number[]): number => summarizeRatios(figures).median

/** Every page depends on the jobs, so it is not current after this. */
const writeJob = (client: pg.Client): Promise<unknown> =>
  client.query('update job_openings set filled = filled + 1 where id = 1')

const withRepeatedWrites = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  const stop = new AbortController()
  const writing = (async () => {
    while (!stop.signal.aborted) {
      await writeJob(client)
      await pause(100)
    }
  })()
  try {
    return await work()
  } finally {
    stop.abort()
    await writing
  }
}

interface RunOptions {
  readonly rounds: number
  readonly seconds: number
}

const measureRates = async (
  service: ServerProcess,
  client: pg.Client,
  { rounds, seconds }: RunOptions,
): Promise<void> => {
  const samples: Record<string, Sample[]> = Object.fromEntries(Object.keys(rates).map((name) => [name, []]))
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { path, withWrites = false }] of inAlternatingOrder(Object.entries(rates), round)) {
      const measure = () => measureSample(service, { path }, { seconds, connections: manyConnections })
      const sample = withWrites ? await withRepeatedWrites(client, measure) : await measure()
      if (round > 0) samples[name]?.push(sample)
    }
  }
  console.log(
    '| 32 connections | per second | × hot list | CPU time of the service | budget | |\n|---|---:|---:|---:|---|---|',
  )
  const [hot = []] = Object.values(samples)
  for (const [name, { minRate, minShare }] of Object.entries(rates)) {
    const all = samples[name] ?? []
    const rate = medianOf(all.map((sample) => sample.rate))
    const share = medianOf(all.map((sample, index) => sample.rate / (hot[index]?.rate ?? Number.NaN)))
    const cpu = medianOf(all.map((sample) => sample.cpu))
    const budget = minRate !== undefined ? `≥ ${minRate}/s` : minShare !== undefined ? `≥ ${minShare}` : ''
    const verdict = budget === '' ? '' : verdictOf(minRate !== undefined ? rate >= minRate : share >= (minShare ?? 0))
    console.log(
      `| ${name} | ${rate.toFixed(0)} | ${share.toFixed(2)} | ${cpu.toFixed(0)} µs | ${budget} | ${verdict} |`,
    )
  }
}

const timeOf = async (url: string): Promise<number> => {
  const { status, ms } = await measureGet(url)
  if (status !== 200) throw new Error(`${url} responded ${status}`)
  return ms
}

const measureDurations = async ({ origin }: ServerProcess, client: pg.Client): Promise<void> => {
  console.log('\n| one request at a time, uncached | median ms | slowest ms | budget | |\n|---|---:|---:|---|---|')
  for (const [name, { paths, maxMs, afterWrite = false }] of Object.entries(durations)) {
    const times: number[] = []
    for (let round = 0; round < 21; round += 1) {
      if (afterWrite) await writeJob(client)
      // The parameter that is not known makes every URL another one.
      const path = paths[round % paths.length] ?? ''
      times.push(await timeOf(`${origin}${path}${path.includes('?') ? '&' : '?'}_=${performance.now()}`))
    }
    const median = medianOf(times)
    const verdict = maxMs === undefined ? '' : verdictOf(median <= maxMs)
    console.log(
      `| ${name} | ${median.toFixed(1)} | ${Math.max(...times).toFixed(1)} | ${maxMs === undefined ? '' : `≤ ${maxMs} ms`} | ${verdict} |`,
    )
  }
}

/** The first request of a new process reads all postings of the site. */
const measureFirstPage = async (url: string): Promise<void> => {
  const times: number[] = []
  let [before, after] = [0, 0]
  for (let round = 0; round < 5; round += 1)
    await withServer(startService(url, undefined, careersOn), async (service) => {
      // Compiles what every page needs.
      await fetchBody(service.origin + sitePath('ordinary'))
      before = await service.memory()
      times.push(await timeOf(service.origin + hugePath))
      after = await service.memory()
    })
  console.log(
    `\nfirst page of 18,000 jobs in a new process: ${medianOf(times).toFixed(0)} ms; memory ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`,
  )
}

const careersOn = { MUSTER_CAREER_SITES: 'on' }

/** The API must not be slower with career sites on: rates and CPU times of two services, measured alternately. */
const compareApi = async (url: string, { rounds, seconds }: RunOptions): Promise<void> => {
  console.log('\nJSON API with career sites on / off')
  const paths = {
    'hot list': hotList,
    'different pages': `${apiPath}${uniqueListPath('employees')}`,
    'hot get': `${apiPath}${hotItemPath('employees', 17)}`,
  }
  await withServer(startService(url), (off) =>
    withServer(startService(url, undefined, careersOn), async (on) => {
      for (const [name, path] of Object.entries(paths)) {
        const measure = (service: ServerProcess) =>
          measureSample(service, { path }, { seconds, connections: manyConnections })
        // The first pair only warms up.
        const [, ...samples] = await measureAlternately(rounds + 1, {
          before: () => measure(off),
          after: () => measure(on),
        })
        const rate = summarizeRatios(samples.map(({ before, after }) => after.rate / before.rate))
        const cpu = summarizeRatios(samples.map(({ before, after }) => after.cpu / before.cpu))
        console.log(`${name.padEnd(16)} rate ${formatRatio(rate)}, CPU time ${formatRatio(cpu)}`)
      }
    }),
  )
}

const run = async (serverUrl: string): Promise<boolean> => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
  })
  const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) }
  if (!(options.rounds >= 1 && options.seconds >= 1)) throw new UsageError('--rounds and --seconds are at least 1.')
  const databases = new Databases(serverUrl)
  const url = await databases.postings()
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await withServer(startService(url, undefined, careersOn), async (service) => {
      await measureRates(service, client, options)
      await measureDurations(service, client)
    })
    await measureFirstPage(url)
    await compareApi(url, options)
  } finally {
    await client.end()
    await databases.dropAll()
  }
  console.log(`\n${missedBudgets} budgets missed`)
  return missedBudgets === 0
}

await runBench(superuser, run)
