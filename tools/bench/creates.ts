/**
 * Compares creates with bare inserts: 32 clients send creates to the service, or inserts to PostgreSQL, each with and
 * without the trigger that keeps row counts and the change feed. A bare insert is one without it. Prints rates and CPU time (service and database) per
 * record, measured alternately. CPU time does not depend on the disk and little on what else the machine does.
 *
 *   DATABASE_URL=… node tools/bench/creates.ts [--rounds 11] [--seconds 3]
 *
 * DATABASE_URL is that of a PostgreSQL superuser on this machine. Exits with 1 if a ratio is below its limit.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ServerProcess } from '../../tests/support/server-process.ts'
import { runBench, superuser, UsageError } from './command.ts'
import { readCpuSecondsWithChildren, readProcessCpuSeconds } from './cpu-time.ts'
import { Databases, employeeCount, runSql } from './data.ts'
import { manyConnections } from './measurement.ts'
import { runPgbench } from './pgbench.ts'
import { formatRatio, inAlternatingOrder, summarizeRatios } from './ratios.ts'
import { serviceRequests } from './samples.ts'
import { startService, withServer } from './service-process.ts'
import { leaveInsertSql } from './statements.ts'
import { runWrk } from './wrk.ts'

interface Sample {
  readonly rate: number
  /** CPU time of service and database per record, in microseconds. */
  readonly cpuMicros: number
}

/** Creates a record per request or transaction. Returns their rate and number. */
type Load = () => Promise<{ readonly rate: number; readonly records: number }>

const limits: readonly [name: string, measured: string, baseline: string, limit: number][] = [
  ['create / bare insert', 'create', 'bare insert', 0.35],
  ['create / create without row counts', 'create', 'create without row counts', 0.85],
]

const postmasterPid = async (url: string): Promise<number> => {
  const [row] = await runSql<{ folder: string }>(url, `select current_setting('data_directory') as folder`)
  return Number((await readFile(join(row?.folder ?? '', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

const measureLoads = async (
  loads: Readonly<Record<string, Load>>,
  readCpuSeconds: () => Promise<number>,
  rounds: number,
): Promise<Record<string, Sample[]>> => {
  const samples: Record<string, Sample[]> = Object.fromEntries(Object.keys(loads).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, load] of inAlternatingOrder(Object.entries(loads), round)) {
      const before = await readCpuSeconds()
      const { rate, records } = await load()
      const cpuMicros = ((await readCpuSeconds()) - before) * (1_000_000 / records)
      // The first round only warms up.
      if (round > 0) samples[name]?.push({ rate, cpuMicros })
    }
  }
  return samples
}

const printSamples = (samples: Readonly<Record<string, readonly Sample[]>>): boolean => {
  console.log('| 32 clients | per second | CPU time per record |\n|---|---|---|')
  for (const [name, all] of Object.entries(samples))
    console.log(
      `| ${name} | ${summarizeRatios(all.map(({ rate }) => rate)).median.toFixed(0)} | ${summarizeRatios(all.map(({ cpuMicros }) => cpuMicros)).median.toFixed(0)} µs |`,
    )
  let isWithinLimits = true
  for (const [name, measured, baseline, limit] of limits) {
    const ratiosOf = (ratio: (a: Sample, b: Sample) => number) =>
      summarizeRatios(
        (samples[measured] ?? []).map((sample, index) => ratio(sample, samples[baseline]?.[index] as Sample)),
      )
    const rate = ratiosOf((a, b) => a.rate / b.rate)
    const cpu = ratiosOf((a, b) => b.cpuMicros / a.cpuMicros)
    isWithinLimits &&= rate.median >= limit
    console.log(`${name}: rate ${formatRatio(rate)}, CPU time ${formatRatio(cpu)}, limit ${limit}`)
  }
  return isWithinLimits
}

const run = async (serverUrl: string): Promise<boolean> => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '11' }, seconds: { type: 'string', default: '3' } },
  })
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  if (!(rounds >= 5 && seconds >= 1)) throw new UsageError('--rounds is at least 5, --seconds at least 1.')
  const databases = new Databases(serverUrl)
  const [url, plainUrl] = [await databases.leaveRequests(false), await databases.leaveRequests(true)]
  const databasePid = await postmasterPid(serverUrl)
  const insert =
    (databaseUrl: string): Load =>
    async () => {
      const { rate } = await runPgbench(databaseUrl, {
        script: leaveInsertSql(employeeCount),
        clients: manyConnections,
        seconds,
      })
      // runPgbench runs one second longer than it is asked to.
      return { rate, records: rate * (seconds + 1) }
    }
  const create =
    ({ origin }: ServerProcess): Load =>
    async () => {
      const { rate, requests, failed } = await runWrk(origin, {
        ...serviceRequests(0).create,
        connections: manyConnections,
        seconds,
        warmUp: 0,
      })
      if (failed > 0) throw new Error(`${failed} of ${requests} creates failed`)
      return { rate, records: requests }
    }
  try {
    return await withServer(startService(url), (service) =>
      withServer(startService(plainUrl), async (plainService) => {
        const readCpuSeconds = async () =>
          (await readCpuSecondsWithChildren(databasePid)) +
          (await readProcessCpuSeconds(service.pid)) +
          (await readProcessCpuSeconds(plainService.pid))
        const loads = {
          'bare insert': insert(plainUrl),
          insert: insert(url),
          'create without row counts': create(plainService),
          create: create(service),
        }
        return printSamples(await measureLoads(loads, readCpuSeconds, rounds))
      }),
    )
  } finally {
    await databases.dropAll()
  }
}

await runBench(superuser, run)
