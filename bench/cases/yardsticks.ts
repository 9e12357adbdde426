/** In charge of what the service is compared with: bare HTTP, the engine, and the naive service, on the same data. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshItem, freshListAt, hotId, hotItem, hotList, search } from '../addresses.ts'
import { employeeCount, frequentWord, singleWord, sql } from '../data.ts'
import type { Bench, Case, Figures } from '../measurement.ts'
import {
  api,
  capture,
  fewConnections,
  manyConnections,
  measureBestEngine,
  measureEngine,
  measurePath,
} from '../measurement.ts'
import { startBare, startNaive, startService, using } from '../service-process.ts'
import {
  candidateColumns,
  keysetPage,
  leaveBody,
  leaveInsert,
  naivePage,
  pageRows,
  trigramSearches,
} from '../statements.ts'

/** Bare node:http with the bytes that the service answers at the same path. */
const bare = (name: string, path: string): Case => ({
  name,
  async measure(bench) {
    const url = await bench.databases.people(bench.options.rows)
    const body = await using(startService(url), ({ origin }) => capture(origin + api + path))
    const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
    const file = join(folder, 'body.json')
    try {
      await writeFile(file, body)
      const figures = await using(startBare(file), ({ origin }) => measurePath(bench, name, origin, path))
      return { ...figures, [`${name}.bytes`]: body.length }
    } finally {
      await rm(folder, { recursive: true })
    }
  },
})

const engine: Case = {
  name: 'engine',
  async measure(bench) {
    const { rows } = bench.options
    const url = await bench.databases.people(rows)
    return {
      ...(await measureEngine(bench, 'engine-page', url, keysetPage(rows))),
      ...(await measureEngine(bench, 'engine-naive-list', url, naivePage('candidates', candidateColumns, 0))),
    }
  },
}

const engineSearch: Case = {
  name: 'engine-search',
  async measure(bench) {
    const url = await bench.databases.people(bench.options.rows)
    const one = trigramSearches('candidates', candidateColumns, singleWord)
    const many = trigramSearches('candidates', candidateColumns, frequentWord)
    return {
      ...(await measureBestEngine(bench, 'engine-search-one', url, one)),
      ...(await measureBestEngine(bench, 'engine-search-many', url, many)),
    }
  },
}

const engineInsert: Case = {
  name: 'engine-insert',
  async measure(bench) {
    const insert = async (name: string, plain: boolean): Promise<Figures> => {
      const url = await emptied(bench, plain)
      return measureEngine(bench, name, url, leaveInsert(employeeCount), manyConnections)
    }
    return {
      ...(await insert('engine-insert', false)),
      ...(await insert('engine-insert-plain', true)),
    }
  },
}

/** The database to create in, brought back to its beginning so that every measurement inserts into an empty table. */
export const emptied = async ({ databases }: Bench, plain: boolean): Promise<string> => {
  const url = await databases.creation(plain)
  await sql(url, 'truncate leave_requests restart identity')
  await sql(url, 'select muster_upkeep()')
  await sql(url, 'checkpoint')
  return url
}

const naive: Case = {
  name: 'naive',
  async measure(bench) {
    const { rows } = bench.options
    const people = await bench.databases.people(rows)
    const post = { body: leaveBody(employeeCount), token: 'none' }
    return using(startNaive(people), async ({ origin }) => {
      const figures = {
        ...(await measurePath(bench, 'naive-list', origin, hotList('candidates'))),
        ...(await measurePath(bench, 'naive-deep', origin, freshListAt('candidates', rows * 0.9, rows - pageRows))),
        ...(await measurePath(bench, 'naive-get', origin, freshItem('candidates', rows))),
        ...(await measurePath(bench, 'naive-create', origin, '/v1/leave', { post })),
      }
      // What was created would make the next measurement on this database another one.
      await sql(people, 'truncate leave_requests restart identity')
      return {
        ...figures,
        ...(await measurePath(bench, 'naive-search-one', origin, search('candidates', singleWord), few)),
        ...(await measurePath(bench, 'naive-search-many', origin, search('candidates', frequentWord), few)),
      }
    })
  },
}
/** A naive search goes on after its client has gone, so it comes last, with few clients and no warm-up. */
const few = { connections: fewConnections, warmUp: 0 }

export const yardsticks: readonly Case[] = [
  bare('bare-page', hotList('candidates')),
  bare('bare-record', hotItem('candidates', hotId)),
  engine,
  engineSearch,
  engineInsert,
  naive,
]
