/** Measures requests for one record, requests for different records, and durable creates. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { employeeCount } from '../data.ts'
import type { Bench, Case, Figures } from '../measurement.ts'
import { apiPath, measurePath } from '../measurement.ts'
import { startService, withServer, writeToken } from '../service-process.ts'
import { leaveBody } from '../statements.ts'
import { hotItemPath, hotRecordId, uniqueItemPath } from '../urls.ts'
import { emptyCreateDatabase } from './baselines.ts'

const getCase: Case = {
  name: 'get',
  async measure(bench) {
    const { rows } = bench.options
    const url = await bench.databases.candidates(rows)
    return withServer(startService(url), async ({ origin }) => ({
      ...(await measurePath(bench, 'get-hot', origin, apiPath + hotItemPath('candidates', hotRecordId))),
      ...(await measurePath(bench, 'get-different', origin, apiPath + uniqueItemPath('candidates', rows))),
    }))
  },
}

const createCase: Case = {
  name: 'create',
  async measure(bench) {
    const figuresWithCounts = await measureCreates(bench, 'create', false)
    const figuresWithoutCounts = await measureCreates(bench, 'create-plain', true)
    return { ...figuresWithCounts, ...figuresWithoutCounts }
  },
}

const measureCreates = async (bench: Bench, name: string, withoutRowCounts: boolean): Promise<Figures> => {
  const url = await emptyCreateDatabase(bench, withoutRowCounts)
  const post = { body: leaveBody(employeeCount), token: writeToken }
  return withServer(startService(url), async ({ origin }) => {
    const lockSampler = sampleLockWaits(url)
    const figures = await measurePath(bench, name, origin, `${apiPath}/v1/leave`, { post })
    return { ...figures, ...(await lockSampler.stop(name)) }
  })
}

/**
 * Counts, 20 times a second, the database sessions that wait for a lock. Sessions that wait to extend a table file are
 * counted separately.
 */
const sampleLockWaits = (url: string) => {
  const lockWaits: number[] = []
  const extendWaits: number[] = []
  const stopSampling = new AbortController()
  const sampling = (async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!stopSampling.signal.aborted) {
      const { rows } = await client.query<{ queue: number; extend: number }>(
        `select count(*) filter (where locktype <> 'extend')::int as queue, count(*) filter (where locktype = 'extend')::int as extend
         from pg_locks where not granted and (database is null or database = (select oid from pg_database where datname = current_database()))`,
      )
      lockWaits.push(rows[0]?.queue ?? 0)
      extendWaits.push(rows[0]?.extend ?? 0)
      await pause(50, undefined, { signal: stopSampling.signal }).catch(() => {})
    }
    await client.end()
  })()
  return {
    async stop(name: string): Promise<Figures> {
      stopSampling.abort()
      await sampling
      return {
        [`${name}.lock-looks`]: lockWaits.length,
        [`${name}.locks-waited-for`]: lockWaits.reduce((sum, count) => sum + count, 0) / lockWaits.length,
        [`${name}.most-locks-waited-for`]: Math.max(...lockWaits),
        [`${name}.extensions-waited-for`]: extendWaits.reduce((sum, count) => sum + count, 0) / extendWaits.length,
      }
    },
  }
}

export const recordCases: readonly Case[] = [getCase, createCase]
