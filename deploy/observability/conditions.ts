/** In charge of bringing about what each alert warns of, on a real service over a real database. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Cluster } from '../../faults/cluster.ts'
import { withClient } from '../../faults/cluster.ts'
import { ask } from '../../service/test/support/http.ts'
import type { Command } from '../../service/test/support/process.ts'
import { scrape, sumOf } from '../../service/test/support/scrape.ts'
import { until } from '../../service/test/support/served.ts'

/** A service that is to come to harm. */
export interface Subject {
  readonly service: Command
  readonly cluster: Cluster
  readonly host: string
  readonly metrics: string
}

export interface Condition {
  /** The alerts that it must raise. */
  readonly raises: readonly string[]
  readonly settings?: Record<string, string>
  readonly args?: readonly string[]
  /** Once, before the first scrape in trouble. */
  begin?(subject: Subject): Promise<void>
  /** Before each scrape. */
  act(subject: Subject, step: number): Promise<void>
  /** Makes the database whole again. */
  mend?(subject: Subject): Promise<void>
}

const read = async ({ host }: Subject, path: string): Promise<number> => (await ask(`${host}/api/v1/${path}`)).status

/** What clients do all day. */
export const calm = async (subject: Subject, step: number): Promise<void> => {
  const paths = [
    'departments',
    'departments/1',
    'employees?limit=5',
    'jobs?q=a',
    `leave?offset=${step}`,
    'departments/none',
  ]
  for (const path of [...paths, ...paths]) assert.ok((await read(subject, path)) < 500)
}

const lockedMs = 1_200

/** Each scrape is taken while one statement waits for the lock and others wait for their turn. */
const lockedTable = (): Condition => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    raises: ['MusterShedding', 'MusterPoolExhausted', 'MusterSlow', 'MusterSlowStatement'],
    settings: { MUSTER_POOL_SIZE: '1' },
    async act(subject, step) {
      await last
      const holder = new pg.Client({ connectionString: subject.cluster.url })
      await holder.connect()
      await holder.query('begin; lock table candidates in access exclusive mode')
      const asked = [1, 2, 3].map((number) => read(subject, `candidates?offset=${step * 10 + number}`))
      last = Promise.all([...asked, pause(lockedMs).then(() => holder.end())])
      while (sumOf(await scrape(subject.metrics), 'muster_pool_waiting', 'pool="read"') === 0);
    },
    async mend() {
      await last
    },
  }
}

export const conditions: Readonly<Record<string, Condition>> = {
  'the service is killed': {
    raises: ['MusterDown'],
    async begin({ service }) {
      service.signal('SIGKILL')
      await service.ended
    },
    async act() {},
  },
  'the database is stopped': {
    raises: ['MusterNotReady', 'MusterServerErrors'],
    async begin({ cluster, host }) {
      await cluster.stop()
      await until(`${host}/readyz`, 503)
    },
    async act(subject) {
      for (let count = 0; count < 5; count += 1) assert.equal(await read(subject, 'departments'), 503)
    },
    mend: ({ cluster }) => cluster.start(),
  },
  'a table is gone from under it': {
    raises: ['MusterStatementsFail', 'MusterServerErrors'],
    begin: ({ cluster }) => execute(cluster, 'alter table career_sites rename to sites_of_old'),
    async act(subject) {
      for (let count = 0; count < 9; count += 1) await read(subject, `career-sites?offset=${count}`)
    },
    mend: ({ cluster }) => execute(cluster, 'alter table sites_of_old rename to career_sites'),
  },
  'a table is locked': lockedTable(),
  'the process is held up': {
    raises: ['MusterEventLoopBlocked'],
    async act({ service, host }) {
      service.signal('SIGSTOP')
      await pause(600)
      service.signal('SIGCONT')
      await ask(`${host}/livez`)
    },
  },
  'memory is too small for what is asked': {
    raises: ['MusterCacheThrash'],
    settings: { MUSTER_CACHE_MB: '1' },
    begin: ({ cluster }) =>
      execute(cluster, `insert into departments (name) select repeat('x', 900) || n from generate_series(1, 300) n`),
    async act(subject) {
      for (let offset = 0; offset < 30; offset += 1) await read(subject, `departments?limit=100&offset=${offset}`)
    },
    mend: ({ cluster }) => execute(cluster, `delete from departments where name like 'xxx%'`),
  },
  'workers are killed': {
    raises: ['MusterWorkersDie'],
    args: ['--workers', '2'],
    async act({ service }, step) {
      if (step >= 3) return
      const pids = [...service.said.matchAll(/"pid":(\d+),[^\n]*Server listening/g)].map((match) => match[1])
      process.kill(Number(pids.at(-1)), 'SIGKILL')
      await service.says(new RegExp(`(Server listening.*){${pids.length + 1}}`, 's'))
    },
  },
}

const execute = (cluster: Cluster, sql: string): Promise<void> =>
  withClient(cluster.url, async (client) => {
    await client.query(sql)
  })
