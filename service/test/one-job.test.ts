/** One job of every integrator: a thousand applications with their candidates, jobs and departments, in how many requests and queries. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import { startService } from './support/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
type Json = any

const applications = 1_000
const pageSize = 200

describe('a thousand applications with candidate, job and department', () => {
  let database: TestDatabase
  let counter: Client
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into departments (name) select 'Department ' || n from generate_series(1, 20) n;
      insert into job_openings (title, dept_id, headcount, filled, status) select 'Job ' || n, n % 20 + 1, 1, 0, 'open' from generate_series(1, 150) n;
      insert into candidates (first_name, status) select 'Candidate ' || n, 'active' from generate_series(1, 900) n;
      insert into applications (candidate_id, job_id) select n * 7 % 900 + 1, n * 3 % 150 + 1 from generate_series(1, ${applications}) n;
    `)
    const elsewhere = Object.assign(new URL(database.url), { pathname: '/postgres' })
    counter = new Client({ connectionString: elsewhere.href })
    await counter.connect()
  })
  after(async () => {
    await counter.end()
    await database.drop()
  })

  it('takes at most 10 requests and 40 queries here, and finds what a client of lists and gets finds', async (t) => {
    const here = await counted(database, counter, related)
    const plain = await counted(database, counter, byListsAndGets)
    assert.deepEqual(here.found, plain.found)
    assert.equal(here.found.length, applications)
    t.diagnostic(`with expand: ${here.requests} requests, ${here.queries} queries`)
    t.diagnostic(`by lists and gets: ${plain.requests} requests, ${plain.queries} queries`)
    assert.ok(here.requests <= 10 && here.queries <= 40, `${here.requests} requests, ${here.queries} queries`)
  })
})

type Read = (path: string) => Promise<Json>

const related = async (read: Read): Promise<Json[]> => {
  const departments = new Map((await read(`departments?limit=${pageSize}`)).data.map((each: Json) => [each.id, each]))
  const found: Json[] = []
  for (let offset = 0; offset < applications; offset += pageSize)
    found.push(...(await read(`applications?expand=candidate,job&limit=${pageSize}&offset=${offset}`)).data)
  return found.map((each) => ({ ...each, department: departments.get(each.job.dept_id) }))
}

/** Careful enough to get no record twice. */
const byListsAndGets = async (read: Read): Promise<Json[]> => {
  const known = new Map<string, Json>()
  const get = async (path: string): Promise<Json> => {
    if (!known.has(path)) known.set(path, await read(path))
    return known.get(path)
  }
  const found: Json[] = []
  for (let offset = 0; offset < applications; offset += pageSize)
    found.push(...(await read(`applications?limit=${pageSize}&offset=${offset}`)).data)
  const whole: Json[] = []
  for (const each of found) {
    const candidate = await get(`candidates/${each.candidate_id}`)
    const job = await get(`jobs/${each.job_id}`)
    whole.push({ ...each, candidate, job, department: await get(`departments/${job.dept_id}`) })
  }
  return whole
}

/** Through a service that has answered nothing before, from its start to its end: what it asks for itself counts too. */
const counted = async (database: TestDatabase, counter: Client, work: (read: Read) => Promise<Json[]>) => {
  const name = new URL(database.url).pathname.slice(1)
  const before = await transactions(counter, name)
  const service = await startService(database.url)
  let requests = 0
  const found = await work(async (path) => {
    requests += 1
    const { status, json } = await ask(`${service.base}/v1/${path}`)
    assert.equal(status, 200, path)
    return json
  })
  await service.stop()
  return { found, requests, queries: (await transactions(counter, name)) - before }
}

/** Each query is a transaction of its own, and all are counted once their sessions have ended. */
const transactions = async (counter: Client, database: string): Promise<number> => {
  const asked = `select xact_commit + xact_rollback as count, (select count(*)::int from pg_stat_activity where datname = $1) as sessions from pg_stat_database where datname = $1`
  for (;;) {
    const { rows } = await counter.query(asked, [database])
    if (rows[0].sessions === 0) return Number(rows[0].count)
  }
}
