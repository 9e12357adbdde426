/** Measures the baselines on the data of the service: a bare HTTP server, PostgreSQL itself, and the naive service. */
import { employeeCount, frequentWord, runSql, singleWord } from '../data.ts'
import type { Bench, Case, Figures } from '../measurement.ts'
import {
  apiPath,
  fetchBody,
  fewConnections,
  manyConnections,
  measureFastestStatement,
  measurePath,
  measurePostgres,
} from '../measurement.ts'
import { startNaiveServer, startService, withBareServer, withServer } from '../service-process.ts'
import {
  candidateColumns,
  keysetPageSql,
  leaveBody,
  leaveInsertSql,
  naivePageSql,
  pageRows,
  trigramSearchStatements,
} from '../statements.ts'
import { hotItemPath, hotListPath, hotRecordId, searchPath, uniqueItemPath, uniqueListPathBetween } from '../urls.ts'

/** Measures a bare node:http server that sends the same bytes as the service does for this path. */
const bareServerCase = (name: string, path: string): Case => ({
  name,
  async measure(bench) {
    const url = await bench.databases.candidates(bench.options.rows)
    const body = await withServer(startService(url), ({ origin }) => fetchBody(origin + apiPath + path))
    const figures = await withBareServer(body, ({ origin }) => measurePath(bench, name, origin, path))
    return { ...figures, [`${name}.bytes`]: body.length }
  },
})

const engineCase: Case = {
  name: 'engine',
  async measure(bench) {
    const { rows } = bench.options
    const url = await bench.databases.candidates(rows)
    return {
      ...(await measurePostgres(bench, 'engine-page', url, keysetPageSql(rows))),
      ...(await measurePostgres(bench, 'engine-naive-list', url, naivePageSql('candidates', candidateColumns, 0))),
    }
  },
}

const engineSearchCase: Case = {
  name: 'engine-search',
  async measure(bench) {
    const url = await bench.databases.candidates(bench.options.rows)
    const oneHitSearches = trigramSearchStatements('candidates', candidateColumns, singleWord)
    const manyHitsSearches = trigramSearchStatements('candidates', candidateColumns, frequentWord)
    return {
      ...(await measureFastestStatement(bench, 'engine-search-one', url, oneHitSearches)),
      ...(await measureFastestStatement(bench, 'engine-search-many', url, manyHitsSearches)),
    }
  },
}

const engineInsertCase: Case = {
  name: 'engine-insert',
  async measure(bench) {
    const measureInserts = async (name: string, withoutRowCounts: boolean): Promise<Figures> => {
      const url = await emptyCreateDatabase(bench, withoutRowCounts)
      return measurePostgres(bench, name, url, leaveInsertSql(employeeCount), manyConnections)
    }
    return {
      ...(await measureInserts('engine-insert', false)),
      ...(await measureInserts('engine-insert-plain', true)),
    }
  },
}

/** Empties the table of leave requests, so that every measurement of creates starts with an empty table. */
export const emptyCreateDatabase = async ({ databases }: Bench, withoutRowCounts: boolean): Promise<string> => {
  const url = await databases.leaveRequests(withoutRowCounts)
  await runSql(url, 'truncate leave_requests restart identity')
  await runSql(url, 'select muster_maintain()')
  await runSql(url, 'checkpoint')
  return url
}

const naiveServerCase: Case = {
  name: 'naive',
  async measure(bench) {
    const { rows } = bench.options
    const url = await bench.databases.candidates(rows)
    const post = { body: leaveBody(employeeCount), token: 'none' }
    return withServer(startNaiveServer(url), async ({ origin }) => {
      const figures = {
        ...(await measurePath(bench, 'naive-list', origin, hotListPath('candidates'))),
        ...(await measurePath(
          bench,
          'naive-deep',
          origin,
          uniqueListPathBetween('candidates', rows * 0.9, rows - pageRows),
        )),
        ...(await measurePath(bench, 'naive-get', origin, uniqueItemPath('candidates', rows))),
        ...(await measurePath(bench, 'naive-create', origin, '/v1/leave', { post })),
      }
      // Without this, the created rows would change the next measurement on this database.
      await runSql(url, 'truncate leave_requests restart identity')
      return {
        ...figures,
        ...(await measurePath(bench, 'naive-search-one', origin, searchPath('candidates', singleWord), searchLoad)),
        ...(await measurePath(bench, 'naive-search-many', origin, searchPath('candidates', frequentWord), searchLoad)),
      }
    })
  },
}
/**
 * Load for searches on the naive server, which keeps running a search whose client has disconnected. Searches are
 * therefore measured last, with few clients and without a warm-up.
 */
const searchLoad = { connections: fewConnections, warmUp: 0 }

export const baselineCases: readonly Case[] = [
  bareServerCase('bare-page', hotListPath('candidates')),
  bareServerCase('bare-record', hotItemPath('candidates', hotRecordId)),
  engineCase,
  engineSearchCase,
  engineInsertCase,
  naiveServerCase,
]
