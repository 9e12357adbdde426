/** In charge of measuring single records: read again and again, read each once, and created durably. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freshItem, hotId, hotItem } from '../addresses.ts'
import { employeeCount } from '../data.ts'
import type { Bench, Case, Figures } from '../measurement.ts'
import { api, measurePath } from '../measurement.ts'
import { startService, using, writeToken } from '../service-process.ts'
import { leaveBody } from '../statements.ts'
import { emptied } from './yardsticks.ts'

const get: Case = {
  name: 'get',
  async measure(bench) {
    const { rows } = bench.options
    const url = await bench.databases.people(rows)
    return using(startService(url), async ({ origin }) => ({
      ...(await measurePath(bench, 'get-hot', origin, api + hotItem('candidates', hotId))),
      ...(await measurePath(bench, 'get-different', origin, api + freshItem('candidates', rows))),
    }))
  },
}

const create: Case = {
  name: 'create',
  async measure(bench) {
    const upkept = await createIn(bench, 'create', false)
    const plain = await createIn(bench, 'create-plain', true)
    return { ...upkept, ...plain }
  },
}

const createIn = async (bench: Bench, name: string, plain: boolean): Promise<Figures> => {
  const url = await emptied(bench, plain)
  const post = { body: leaveBody(employeeCount), token: writeToken }
  return using(startService(url), async ({ origin }) => {
    const locks = watchLocks(url)
    const figures = await measurePath(bench, name, origin, `${api}/v1/leave`, { post })
    return { ...figures, ...(await locks.stop(name)) }
  })
}

/** How many of the database's sessions wait for a lock, looked at twenty times a second. */
const watchLocks = (url: string) => {
  const waiting: number[] = []
  const extending: number[] = []
  const end = new AbortController()
  const looking = (async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!end.signal.aborted) {
      const { rows } = await client.query<{ queue: number; extend: number }>(
        `select count(*) filter (where locktype <> 'extend')::int as queue, count(*) filter (where locktype = 'extend')::int as extend
         from pg_locks where not granted and (database is null or database = (select oid from pg_database where datname = current_database()))`,
      )
      waiting.push(rows[0]?.queue ?? 0)
      extending.push(rows[0]?.extend ?? 0)
      await pause(50, undefined, { signal: end.signal }).catch(() => {})
    }
    await client.end()
  })()
  return {
    async stop(name: string): Promise<Figures> {
      end.abort()
      await looking
      return {
        [`${name}.lock-looks`]: waiting.length,
        [`${name}.locks-waited-for`]: waiting.reduce((sum, count) => sum + count, 0) / waiting.length,
        [`${name}.most-locks-waited-for`]: Math.max(...waiting),
        [`${name}.extensions-waited-for`]: extending.reduce((sum, count) => sum + count, 0) / extending.length,
      }
    },
  }
}

export const records: readonly Case[] = [get, create]
