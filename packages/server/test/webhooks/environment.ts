/** Runs the delivery of webhooks inside the test process, with real sockets and a real database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { openLog } from '../../src/observability/log.ts'
import { prometheusText } from '../../src/observability/prometheus-text.ts'
import type { DeliveryOptions } from '../../src/webhooks/delivery.ts'
import { readEndpoints } from '../../src/webhooks/endpoints.ts'
import { openWebhookMetrics } from '../../src/webhooks/metrics.ts'
import { runWebhooks } from '../../src/webhooks/webhooks.ts'

export interface EndpointEntry {
  readonly name: string
  readonly url: string
  /** The lines of the secret file. */
  readonly secret: string
  readonly resources?: readonly string[]
  readonly kinds?: readonly string[]
}

export interface EndpointsFile {
  readonly path: string
  write(entries: readonly EndpointEntry[]): Promise<void>
  remove(): Promise<void>
}

export const makeEndpointsFile = async (): Promise<EndpointsFile> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-webhooks-'))
  const path = join(folder, 'webhooks.json')
  return {
    path,
    async write(entries) {
      for (const { name, secret } of entries) await writeFile(join(folder, `${name}.secret`), `${secret}\n`)
      const endpoints = entries.map(({ secret, ...entry }) => ({ ...entry, secret_file: `${entry.name}.secret` }))
      await writeFile(path, JSON.stringify({ endpoints }))
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

export interface Run {
  readonly isActive: boolean
  /** The metrics in the text format of Prometheus. */
  readonly metrics: string
  stop(): Promise<void>
}

export type RunOptions = Partial<Pick<DeliveryOptions, 'now' | 'timeoutMs'>>

export const startRun = ({ env }: TestDatabase, file: EndpointsFile, options: RunOptions = {}): Run => {
  const endpoints = readEndpoints(file.path)
  const metrics = openWebhookMetrics(endpoints.map(({ name }) => name))
  const stopping = new AbortController()
  const run = {
    get metrics() {
      return prometheusText(metrics.snapshot())
    },
    get isActive() {
      return run.metrics.includes('\nmuster_webhooks_active 1\n')
    },
    async stop() {
      stopping.abort()
      await ended
    },
  }
  const ended = runWebhooks({
    databaseUrl: env.DATABASE_URL,
    endpoints,
    logger: openLog('silent').logger,
    metrics,
    now: () => new Date(),
    pollMs: 10,
    signal: stopping.signal,
    ...options,
  })
  return run
}

/** Waits until the endpoint has a row, that is until it gets the changes from now on. */
export const waitForEndpoint = (database: TestDatabase, name: string): Promise<number> =>
  waitUntil(
    `the endpoint ${name} is active`,
    async () =>
      (await database.query(`select from muster_webhooks where name = $1 and status = 'active'`, [name])).length > 0,
  )

export const statusOf = async (database: TestDatabase, name: string): Promise<string | undefined> =>
  (await database.query<{ status: string }>('select status from muster_webhooks where name = $1', [name]))[0]?.status

/**
 * Waits until the feed shows everything that was committed. A transaction of another test that ends while the feed is read
 * may hold changes back for this one read.
 */
export const waitUntilVisible = async (database: TestDatabase): Promise<void> => {
  const [{ xid = '' } = {}] = await database.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  await waitUntil('older transactions have ended', async () => {
    const [row] = await database.query<{ ended: boolean }>(
      'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as ended',
      [xid],
    )
    return row?.ended === true
  })
}
