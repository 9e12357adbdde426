/** Conditions of a real service and its database, with the alerts that each condition must raise. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { sendRequest, sendUntilServed } from '../../support/http.ts'
import type { Cluster } from '../../support/postgres-cluster.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import type { Command } from '../../support/process.ts'
import { scrape, sumOfSeries } from '../../support/scrape.ts'
import { waitForStatus } from '../../support/served.ts'
import { waitUntil } from '../../support/wait.ts'

export interface TestSetup {
  readonly service: Command
  /** The process that delivers webhooks, and its receiver, which responds 410. */
  readonly webhooks?: Command
  readonly cluster: Cluster
  readonly origin: string
  readonly metricsUrl: string
}

export interface Condition {
  /** Names of the alerts that must fire. */
  readonly raisedAlerts: readonly string[]
  readonly settings?: Record<string, string>
  readonly args?: readonly string[]
  /** Whether the metrics are those of a process that delivers webhooks. */
  readonly ofWebhooks?: true
  /** Runs once, before the first scrape under this condition. */
  prepare?(setup: TestSetup): Promise<void>
  /** Runs before each scrape. */
  act(setup: TestSetup, step: number): Promise<void>
  /** Returns the shared database to normal after the test. */
  restore?(setup: TestSetup): Promise<void>
}

const requestStatus = async ({ origin }: TestSetup, path: string): Promise<number> =>
  (await sendRequest(`${origin}/api/v1/${path}`)).status

export const sendNormalLoad = async (setup: TestSetup, step: number): Promise<void> => {
  const paths = [
    'departments',
    'departments/1',
    'employees?limit=5',
    'jobs?q=a',
    `leave?offset=${step}`,
    'departments/none',
  ]
  for (const path of [...paths, ...paths])
    assert.ok((await sendUntilServed(`${setup.origin}/api/v1/${path}`)).status < 500)
}

const lockDurationMs = 1_200

/** During each scrape one statement waits for the table lock, and other requests wait for the only pool connection. */
const lockedTable = (): Condition => {
  let pendingRequests: Promise<unknown> = Promise.resolve()
  return {
    raisedAlerts: ['MusterShedding', 'MusterPoolExhausted', 'MusterSlow', 'MusterSlowStatement'],
    settings: { MUSTER_POOL_SIZE: '1' },
    async act(setup, step) {
      await pendingRequests
      const lockHolder = new pg.Client({ connectionString: setup.cluster.url })
      await lockHolder.connect()
      await lockHolder.query('begin; lock table candidates in access exclusive mode')
      // Statements are rejected after half a second only while more than 16 wait.
      const requests = Array.from({ length: 20 }, (_, requestIndex) =>
        requestStatus(setup, `candidates?offset=${step * 20 + requestIndex}`),
      )
      pendingRequests = Promise.all([...requests, pause(lockDurationMs).then(() => lockHolder.end())])
      const countWaiting = async () => sumOfSeries(await scrape(setup.metricsUrl), 'muster_pool_waiting', 'pool="read"')
      // The requests wait for at most half a second, so a busy machine may miss this.
      for (const endTime = performance.now() + lockDurationMs; performance.now() < endTime; )
        if ((await countWaiting()) > 0) break
    },
    async restore() {
      await pendingRequests
    },
  }
}

/** Creates a department whose change has this age. */
const insertOldChange = (cluster: Cluster, age: string): Promise<void> =>
  execute(
    cluster,
    `begin; insert into departments (name) values ('old');
     update muster_changes set at = at - interval '${age}' where xid = pg_current_xact_id(); commit`,
  )

/** The first change that waits for the transaction is made ten minutes old. */
const heldFeed = (): Condition => {
  let writer: pg.Client | undefined
  return {
    raisedAlerts: ['MusterChangesBehind'],
    async prepare({ cluster, metricsUrl }) {
      writer = new pg.Client({ connectionString: cluster.url })
      await writer.connect()
      await writer.query(`begin; insert into departments (name) values ('open')`)
      await insertOldChange(cluster, '10 minutes')
      await waitUntil(
        'the metric shows the delay',
        async () => sumOfSeries(await scrape(metricsUrl), 'muster_changes_behind_seconds') > 300,
      )
    },
    async act() {},
    async restore() {
      await writer?.end()
    },
  }
}

export const conditions: Readonly<Record<string, Condition>> = {
  'the service is killed': {
    raisedAlerts: ['MusterDown'],
    async prepare({ service }) {
      service.signal('SIGKILL')
      await service.exitPromise
    },
    async act() {},
  },
  'the database is stopped': {
    raisedAlerts: ['MusterNotReady', 'MusterServerErrors'],
    async prepare({ cluster, origin }) {
      await cluster.stop()
      await waitForStatus(`${origin}/readyz`, 503)
    },
    async act(setup) {
      for (let count = 0; count < 5; count += 1) assert.equal(await requestStatus(setup, 'departments'), 503)
    },
    restore: ({ cluster }) => cluster.start(),
  },
  'a table is missing': {
    raisedAlerts: ['MusterStatementsFail', 'MusterServerErrors'],
    prepare: ({ cluster }) => execute(cluster, 'alter table career_sites rename to sites_of_old'),
    async act(setup) {
      for (let count = 0; count < 9; count += 1) await requestStatus(setup, `career-sites?offset=${count}`)
    },
    restore: ({ cluster }) => execute(cluster, 'alter table sites_of_old rename to career_sites'),
  },
  'a table is locked': lockedTable(),
  'the event loop is blocked': {
    raisedAlerts: ['MusterEventLoopBlocked'],
    async act({ service, origin }) {
      service.signal('SIGSTOP')
      await pause(600)
      service.signal('SIGCONT')
      await sendRequest(`${origin}/livez`)
    },
  },
  'the response cache is too small': {
    raisedAlerts: ['MusterCacheThrash'],
    settings: { MUSTER_CACHE_MB: '1' },
    prepare: ({ cluster }) =>
      execute(cluster, `insert into departments (name) select repeat('x', 900) || n from generate_series(1, 300) n`),
    async act(setup) {
      for (let offset = 0; offset < 30; offset += 1)
        await requestStatus(setup, `departments?limit=100&offset=${offset}`)
    },
    restore: ({ cluster }) => execute(cluster, `delete from departments where name like 'xxx%'`),
  },
  'an open transaction holds the change feed back': heldFeed(),
  'a receiver of webhooks responds 410, and has got nothing for two hours': {
    raisedAlerts: ['MusterWebhookStopped', 'MusterWebhooksLate'],
    ofWebhooks: true,
    async prepare({ cluster, metricsUrl }) {
      await insertOldChange(cluster, '2 hours')
      await waitUntil(
        'the endpoint is stopped',
        async () => sumOfSeries(await scrape(metricsUrl), 'muster_webhook_stopped') === 1,
      )
    },
    async act() {},
  },
  'workers are killed': {
    raisedAlerts: ['MusterWorkersDie'],
    args: ['--workers', '2'],
    async act({ service }, step) {
      if (step >= 3) return
      const pids = [...service.output.matchAll(/"pid":(\d+),[^\n]*Server listening/g)].map((match) => match[1])
      process.kill(Number(pids.at(-1)), 'SIGKILL')
      await service.waitForOutput(new RegExp(`(Server listening.*){${pids.length + 1}}`, 's'))
    },
  },
}

const execute = (cluster: Cluster, sql: string): Promise<void> =>
  withClient(cluster.url, async (client) => {
    await client.query(sql)
  })
