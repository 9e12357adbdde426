/**
 * Compares this checkout with another one, usually the commit before: the services of both checkouts run at the same
 * time, each with its own database, and are measured alternately. A case is a regression only if the whole confidence
 * interval of the ratio after / before is above 1.
 *
 *   DATABASE_URL=… node tools/bench/compare.ts --before DIRECTORY [--pairs 11] [--seconds 3]
 *     [--only 'hot list,create'] [--keep]
 *
 * The case `sync`, which takes minutes, runs only if it is named.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ServerProcess } from '../../tests/support/server-process.ts'
import { runBench, superuser, UsageError } from './command.ts'
import { Databases, runSql } from './data.ts'
import { manyConnections } from './measurement.ts'
import { formatRatio, measureAlternately, summarizeRatios } from './ratios.ts'
import { measureSample, serviceRequests } from './samples.ts'
import { migrate, startService } from './service-process.ts'
import { changedEmployees, copyOut, fillSql, runSync } from './sync-run.ts'

const rows = 100_000

/** The CPU seconds of `muster sync` and its session: each sync changes 1 % of 50,000 employees. */
const compareSyncs = async (serverUrl: string, otherCheckout: string, pairs: number): Promise<number[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-compare-'))
  const names = { before: `bench_compare_${process.pid}_before`, after: `bench_compare_${process.pid}_after` }
  const urlOf = (name: string): string => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  try {
    for (const side of ['before', 'after'] as const) {
      await runSql(serverUrl, `create database ${names[side]} encoding 'UTF8' template template0`)
      await migrate(urlOf(names[side]), ...(side === 'before' ? [otherCheckout] : []))
      for (const statement of fillSql.split(';')) await runSql(urlOf(names[side]), statement)
    }
    let round = 0
    const measure = async (side: 'before' | 'after'): Promise<number> => {
      const [url, file] = [urlOf(names[side]), join(folder, `${side}.csv`)]
      round += 1
      await copyOut(url, changedEmployees(`'Branch of round ${round}'`), file, 'format csv, header')
      await runSql(url, 'checkpoint')
      const checkout = side === 'before' ? { checkout: otherCheckout } : {}
      return (await runSync(url, 'employees', file, checkout)).cpuSeconds
    }
    for (const side of ['before', 'after'] as const) await measure(side)
    const results = await measureAlternately(pairs, {
      before: () => measure('before'),
      after: () => measure('after'),
    })
    return results.map(({ before, after }) => after / before)
  } finally {
    for (const name of Object.values(names)) await runSql(serverUrl, `drop database if exists ${name} with (force)`)
    await rm(folder, { recursive: true })
  }
}

const compare = async (serverUrl: string): Promise<boolean> => {
  const { values } = parseArgs({
    options: {
      before: { type: 'string' },
      pairs: { type: 'string', default: '11' },
      seconds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      keep: { type: 'boolean', default: false },
    },
  })
  if (values.before === undefined) throw new UsageError('Set --before to the other checkout.')
  const otherCheckout = resolve(values.before)
  const [pairs, seconds] = [Number(values.pairs), Number(values.seconds)]
  if (!(pairs >= 5 && seconds >= 1)) throw new UsageError('An interval needs at least 5 pairs of at least 1 second.')
  const selectedNames = values.only.split(',').filter((name) => name !== '')
  if (selectedNames.includes('sync')) {
    const ratio = summarizeRatios(await compareSyncs(serverUrl, otherCheckout, pairs))
    console.log(`sync of 50,000 employees, 1 % changed: CPU ${formatRatio(ratio)}, ${pairs} pairs`)
    if (selectedNames.length === 1) return ratio.low <= 1
  }
  const databases = {
    before: await new Databases(serverUrl, otherCheckout).candidates(rows),
    after: await new Databases(serverUrl).candidates(rows),
  }
  const startBefore = () => startService(databases.before, undefined, {}, otherCheckout)
  const startAfter = () => startService(databases.after)
  console.log(`after / before, ${pairs} pairs of ${seconds} s each; CPU time of the service per request`)
  let isWorse = false
  const printRatio = (name: string, figure: string, ratios: readonly number[], remark = '') => {
    const ratio = summarizeRatios(ratios)
    const verdict = ratio.low > 1 ? 'WORSE' : ratio.high < 1 ? 'better' : 'same'
    isWorse ||= ratio.low > 1
    console.log(`${name.padEnd(22)} ${figure} ${formatRatio(ratio)}  ${remark}${verdict}`)
  }
  if (selectedNames.length === 0 || selectedNames.includes('start')) {
    const measureReadyMs = async (start: () => Promise<ServerProcess>): Promise<number> => {
      const service = await start()
      await service.stop()
      return service.readyMs
    }
    const readyTimes = await measureAlternately(pairs, {
      before: () => measureReadyMs(startBefore),
      after: () => measureReadyMs(startAfter),
    })
    printRatio(
      'start',
      'ms ',
      readyTimes.map(({ before, after }) => after / before),
    )
  }
  const serviceBefore = await startBefore()
  const serviceAfter = await startAfter()
  try {
    for (const [name, request] of Object.entries(serviceRequests(rows))) {
      if (selectedNames.length > 0 && !selectedNames.includes(name)) continue
      const measure = (service: ServerProcess, durationSeconds: number) =>
        measureSample(service, request, { seconds: durationSeconds, connections: manyConnections })
      for (const service of [serviceBefore, serviceAfter]) await measure(service, 2)
      const results = await measureAlternately(pairs, {
        before: () => measure(serviceBefore, seconds),
        after: () => measure(serviceAfter, seconds),
      })
      const rateRatio = summarizeRatios(results.map(({ before, after }) => after.rate / before.rate))
      printRatio(
        name,
        'CPU',
        results.map(({ before, after }) => after.cpu / before.cpu),
        `rate ${formatRatio(rateRatio)}  `,
      )
    }
    const [before, after] = [await serviceBefore.memory(), await serviceAfter.memory()]
    console.log(
      `memory after all cases ${(after / before).toFixed(3)} (${after.toFixed(0)} MB after, ${before.toFixed(0)} MB before)`,
    )
  } finally {
    await Promise.all([serviceBefore.stop(), serviceAfter.stop()])
    if (!values.keep) await new Databases(serverUrl).dropAll()
  }
  return !isWorse
}

await runBench(superuser, compare)
