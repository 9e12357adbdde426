/**
 * Measures the ranked search over a database with demo data: 40 texts that people would type, each three times without a
 * cache. Fails if the 95th percentile exceeds its limit, or if too few of the sought records are first.
 *
 *   DATABASE_URL=… node tools/bench/search.ts
 *
 * Prepare the database with "muster migrate" and "muster seed --size large".
 */
import { Client } from 'pg'
import { runBench, UsageError } from './command.ts'
import { startService, withServer } from './service-process.ts'

const limitMs = 150
const minFirst = 36
const rounds = 3

/** The record that somebody who types the text looks for. */
interface Search {
  readonly kind: string
  readonly q: string
  readonly resource: string
  readonly id: number
}

interface KindOfSearch {
  readonly kind: string
  readonly resource: string
  readonly count: number
  /** Selects text and id of records spread over the table. */
  readonly sql: string
}

/** The texts whose beginnings find people who are here. */
const keys = `keys as (
  select id, unnest(array[muster_fold(first_name || ' ' || last_name), muster_fold(last_name || ' ' || first_name), muster_key(email)]) as key
  from employees where status <> 'terminated' and alumni = 0)`

/** Rows of a table in an order that is the same in every run, but not that of their ids. */
const shuffled = 'order by md5(id::text)'
const present = `status in ('active', 'on_leave')`
const sameLastName = `muster_key(o.last_name) collate "C" = muster_key(e.last_name)`
const uniqueName = `not exists (select from employees o where o.id <> e.id and ${sameLastName} and muster_fold(o.first_name) = muster_fold(e.first_name))`

const kinds: readonly KindOfSearch[] = [
  {
    kind: 'name with accents',
    resource: 'employees',
    count: 5,
    sql: `select first_name || ' ' || last_name as q, id from employees e where ${present} and last_name <> muster_fold(last_name) and last_name ~ '[À-ž]' and ${uniqueName}`,
  },
  {
    kind: 'name without its accents, last name first',
    resource: 'employees',
    count: 5,
    sql: `select muster_fold(last_name || ' ' || first_name) as q, id from employees e where ${present} and last_name ~ '[À-ž]' and ${uniqueName}`,
  },
  {
    kind: 'name of somebody who left',
    resource: 'employees',
    count: 2,
    sql: `select first_name || ' ' || last_name as q, id from employees e where status = 'terminated' and ${uniqueName}`,
  },
  {
    kind: 'beginnings of both names',
    resource: 'employees',
    count: 4,
    sql: `select first_name || ' ' || "left"(last_name, -1) as q, id from employees e where ${present} and length(last_name) > 5 and ${uniqueName} and not exists (select from employees o where o.id <> e.id and o.first_name = e.first_name and starts_with(o.last_name, "left"(e.last_name, -1)) and o.${present})`,
  },
  {
    kind: 'personnel number',
    resource: 'employees',
    count: 3,
    sql: `select lower(code) as q, id from employees e where code is not null`,
  },
  {
    kind: 'requisition number',
    resource: 'jobs',
    count: 2,
    sql: `select code as q, id from job_openings e where code is not null`,
  },
  { kind: 'e-mail of an employee', resource: 'employees', count: 2, sql: `select email as q, id from employees e` },
  { kind: 'e-mail of a candidate', resource: 'candidates', count: 3, sql: `select email as q, id from candidates e` },
  {
    kind: 'job title',
    resource: 'jobs',
    count: 4,
    sql: `select title as q, min(id) as id from job_openings e where status in ('open', 'draft', 'on_hold') group by title`,
  },
  {
    kind: 'namesake with title',
    resource: 'employees',
    count: 4,
    sql: `select first_name || ' ' || last_name || ' ' || designation as q, id from employees e where ${present} and not ${uniqueName} and (select count(*) from employees o where ${sameLastName} and o.first_name = e.first_name and position(muster_fold(e.designation) in muster_fold(o.designation)) > 0) = 1`,
  },
  {
    kind: 'name and place of a candidate',
    resource: 'candidates',
    count: 2,
    sql: `select first_name || ' ' || last_name || ' ' || location as q, id from candidates e where status = 'active' and location is not null`,
  },
  {
    kind: 'one or two letters',
    resource: 'employees',
    count: 4,
    sql: `select letters as q, (select id from keys where starts_with(key, letters) order by key collate "C", id limit 1) as id from unnest(array['q', 'z', 'ab', 'mo']) letters`,
  },
]

const searchesIn = async (client: Client): Promise<Search[]> => {
  const searches: Search[] = []
  for (const { kind, resource, count, sql } of kinds) {
    const { rows } = await client.query<{ q: string; id: string }>(
      `with ${keys} select q, id from (${sql}) found ${shuffled} limit ${count}`,
    )
    searches.push(...rows.map(({ q, id }) => ({ kind, q, resource, id: Number(id) })))
  }
  return searches
}

const run = async (databaseUrl: string): Promise<boolean> => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const searches = await searchesIn(client)
  const { rows } = await client.query<{ employees: string; candidates: string }>(
    'select (select count(*) from employees)::text as employees, (select count(*) from candidates)::text as candidates',
  )
  await client.end()
  if (searches.length < 40)
    throw new UsageError('The database has too few records: run "muster seed --size large" first.')
  console.log(`${rows[0]?.employees} employees, ${rows[0]?.candidates} candidates`)
  console.log('| Text | Kind | Position | ms |\n|---|---|---|---|')
  const durations: number[] = []
  const positions: number[] = []
  await withServer(startService(databaseUrl, 0), async ({ origin }) => {
    for (const { kind, q, resource, id } of searches) {
      const measured: number[] = []
      let position = 0
      for (let round = 0; round < rounds; round += 1) {
        const startedAt = performance.now()
        const response = await fetch(`${origin}/api/v1/search?${new URLSearchParams({ q })}`)
        const { data } = (await response.json()) as { data: { resource: string; id: number }[] }
        measured.push(performance.now() - startedAt)
        position = data.findIndex((result) => result.resource === resource && result.id === id) + 1
      }
      durations.push(...measured)
      positions.push(position)
      console.log(`| ${q} | ${kind} | ${position || '-'} | ${measured.map((ms) => ms.toFixed(0)).join(', ')} |`)
    }
  })
  const sorted = durations.toSorted((a, b) => a - b)
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Infinity
  const first = positions.filter((position) => position === 1).length
  const shown = positions.filter((position) => position > 0).length
  console.log(
    `\nmedian ${sorted[sorted.length >> 1]?.toFixed(0)} ms, 95th percentile ${p95.toFixed(0)} ms (limit ${limitMs}), slowest ${sorted.at(-1)?.toFixed(0)} ms; ${first} of ${positions.length} first, ${shown} among ten`,
  )
  return p95 <= limitMs && first >= minFirst && shown === positions.length
}

await runBench('a database with demo data', run)
