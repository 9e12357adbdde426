/** A deployment on 127.0.0.1: two services behind nginx and haproxy, PostgreSQL with a standby, PgBouncer and Redis. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@muster/demo-data/embedded-postgres'
import { startPgbouncer } from '../pgbouncer.ts'
import { startHaproxy, startNginx, startRedis } from '../reverse-proxy.ts'
import { startServer as startProcess } from '../server-process.ts'
import { waitUntil } from '../wait.ts'
import { openCleanup } from './cleanup.ts'
import { createDeploymentDatabase, runMuster } from './database.ts'
import { openInstallation, startPrimary, startStandby } from './postgres.ts'

export interface LocalCluster {
  readonly urls: {
    readonly nginx: string
    readonly haproxy: string
    /** The first service connects to the database directly, the second through PgBouncer. */
    readonly services: readonly [string, string]
    /** Metrics URLs of the two services, in the same order. */
    readonly metrics: readonly [string, string]
    readonly primary: string
    readonly standby: string
    readonly pgbouncer: string
    readonly redis: string
  }
  readonly token: string
  /** Folder with the secrets and the logs of the services. */
  readonly folder: string
  stop(): Promise<void>
}

/** Number of database sessions that each PgBouncer may open. */
const maxPooledSessions = 10

export const startCluster = async (): Promise<LocalCluster> => {
  const cleanup = openCleanup()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'muster-cluster-'))
    cleanup.add(() => rm(folder, { recursive: true, force: true }))
    return { ...(await startAll(folder, cleanup.add)), folder, stop: cleanup.clear }
  } catch (error) {
    await cleanup.clear()
    throw error
  }
}

const startAll = async (
  folder: string,
  addCleanup: (cleanup: () => Promise<unknown>) => void,
): Promise<Pick<LocalCluster, 'urls' | 'token'>> => {
  /** Registers the cleanup as soon as the process runs, so that the process is stopped if a later step fails. */
  const withCleanup = async <T extends { stop(): Promise<void> }>(startPromise: Promise<T>): Promise<T> => {
    const runningProcess = await startPromise
    addCleanup(() => runningProcess.stop())
    return runningProcess
  }
  const installation = await openInstallation(await makeSocketFolder(addCleanup))
  const primary = await withCleanup(startPrimary(installation, ['wal_keep_size=256MB']))
  const databaseFiles = await createDeploymentDatabase(primary, join(folder, 'secrets'))
  await runMuster(databaseFiles, ['seed', '--size', 'small'])
  const standby = await withCleanup(startStandby(installation, await databaseFiles.readSecret('standby_url')))
  const streamingQuery = "select count(*) from pg_stat_replication where state = 'streaming'"
  await waitUntil('the standby is streaming', async () => (await primary.execute('postgres', streamingQuery)) === '1')

  const redis = await withCleanup(startRedis())
  const [writerUrl, readerUrl] = [
    await databaseFiles.readSecret('writer_url'),
    await databaseFiles.readSecret('reader_url'),
  ]
  const writerPgbouncer = await withCleanup(startPgbouncer(writerUrl, maxPooledSessions))
  const readerPgbouncer = await withCleanup(startPgbouncer(readerUrl, maxPooledSessions))
  const replicaUrl = Object.assign(new URL(readerUrl), { port: standby.port })
  const metricsPorts = [await freePort(), await freePort()] as const
  const serve = (name: string, metricsPort: number, env: Readonly<Record<string, string>>) =>
    withCleanup(
      startProcess({
        args: ['packages/server/bin/muster.js', 'serve'],
        env: {
          MUSTER_API_TOKEN_FILE: databaseFiles.env.MUSTER_API_TOKEN_FILE,
          MUSTER_TRUST_PROXY: '127.0.0.1',
          // This rate limit is too high to be reached. Setting it only makes the services count requests in Redis.
          MUSTER_RATE_LIMIT_READS: '10000000',
          DATABASE_REPLICA_URLS: replicaUrl.href,
          MUSTER_METRICS_PORT: String(metricsPort),
          REDIS_URL: `redis://127.0.0.1:${redis.port}`,
          ...env,
        },
        readyPath: '/readyz',
        logFile: join(folder, `${name}.log`),
      }),
    )
  const directService = await serve('direct', metricsPorts[0], {
    DATABASE_URL: writerUrl,
    DATABASE_READ_URL: readerUrl,
  })
  const pooledService = await serve('pooled', metricsPorts[1], {
    DATABASE_URL: writerPgbouncer.url,
    DATABASE_READ_URL: readerPgbouncer.url,
    DATABASE_POOLER: 'transaction',
  })
  const ports = [directService, pooledService].map(({ origin }) => Number(new URL(origin).port))
  const nginx = await withCleanup(startNginx(...ports))
  const haproxy = await withCleanup(startHaproxy(...ports))
  const originOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}`
  return {
    token: await databaseFiles.readSecret('api_token'),
    urls: {
      nginx: originOf(nginx),
      haproxy: originOf(haproxy),
      services: [directService.origin, pooledService.origin],
      metrics: [`http://127.0.0.1:${metricsPorts[0]}/metrics`, `http://127.0.0.1:${metricsPorts[1]}/metrics`],
      primary: `127.0.0.1:${primary.port}`,
      standby: `127.0.0.1:${standby.port}`,
      pgbouncer: new URL(writerPgbouncer.url).host,
      redis: `127.0.0.1:${redis.port}`,
    },
  }
}

/** Unix socket paths are limited to about 100 characters, and the account of the servers must be able to open them. */
const makeSocketFolder = async (addCleanup: (cleanup: () => Promise<unknown>) => void): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-pg-'))
  addCleanup(() => rm(folder, { recursive: true, force: true }))
  return folder
}
