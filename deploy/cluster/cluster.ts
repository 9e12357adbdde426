/** In charge of a whole deployment on loopback: two services behind nginx and haproxy, PostgreSQL with a standby, PgBouncer, Redis. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer as startProcess } from '../../bench/child-server.ts'
import { until } from '../../faults/wait.ts'
import { startHaproxy, startNginx, startRedis } from '../../fronts/front.ts'
import { startPgbouncer } from '../../pooler/pgbouncer.ts'
import { freePort } from '../../scripts/free-port.ts'
import { makeDatabase, muster } from './database.ts'
import { openDuties } from './duties.ts'
import { openHome, startPrimary, startStandby } from './postgres.ts'

export interface LocalCluster {
  /** Addresses by name, for whoever looks. */
  readonly addresses: {
    readonly nginx: string
    readonly haproxy: string
    /** The first speaks to the database itself, the second through PgBouncer. */
    readonly services: readonly [string, string]
    /** Of the same two, for Prometheus. */
    readonly metrics: readonly [string, string]
    readonly primary: string
    readonly standby: string
    readonly pgbouncer: string
    readonly redis: string
  }
  readonly token: string
  /** Where secrets and logs are. */
  readonly folder: string
  stop(): Promise<void>
}

/** Sessions that each PgBouncer may open. */
const pooledSessions = 10

export const startCluster = async (): Promise<LocalCluster> => {
  const duties = openDuties()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'muster-cluster-'))
    duties.add(() => rm(folder, { recursive: true, force: true }))
    return { ...(await start(folder, duties.add)), folder, stop: duties.clear }
  } catch (error) {
    await duties.clear()
    throw error
  }
}

const start = async (
  folder: string,
  afterwards: (end: () => Promise<unknown>) => void,
): Promise<Pick<LocalCluster, 'addresses' | 'token'>> => {
  /** Remembered as soon as it runs. */
  const kept = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting
    afterwards(() => started.stop())
    return started
  }
  const home = await openHome(await shortFolder(afterwards))
  const primary = await kept(startPrimary(home, ['wal_keep_size=256MB']))
  const files = await makeDatabase(primary, join(folder, 'secrets'))
  await muster(files, ['seed', '--size', 'small'])
  const standby = await kept(startStandby(home, await files.read('standby_url')))
  const following = "select count(*) from pg_stat_replication where state = 'streaming'"
  await until('the standby follows', async () => (await primary.execute('postgres', following)) === '1')

  const redis = await kept(startRedis())
  const [writer, reader] = [await files.read('writer_url'), await files.read('reader_url')]
  const writes = await kept(startPgbouncer(writer, pooledSessions))
  const reads = await kept(startPgbouncer(reader, pooledSessions))
  const replica = Object.assign(new URL(reader), { port: standby.port })
  const metrics = [await freePort(), await freePort()] as const
  const serve = (name: string, metricsPort: number, env: Readonly<Record<string, string>>) =>
    kept(
      startProcess({
        args: ['service/bin/muster.js', 'serve'],
        env: {
          MUSTER_API_TOKEN_FILE: files.env.MUSTER_API_TOKEN_FILE,
          MUSTER_TRUST_PROXY: '127.0.0.1',
          // So high that nobody meets it by hand: it is there so that Redis counts.
          MUSTER_RATE_LIMIT_READS: '10000000',
          DATABASE_REPLICA_URLS: replica.href,
          MUSTER_METRICS_PORT: String(metricsPort),
          REDIS_URL: `redis://127.0.0.1:${redis.port}`,
          ...env,
        },
        readyPath: '/readyz',
        logFile: join(folder, `${name}.log`),
      }),
    )
  const direct = await serve('direct', metrics[0], { DATABASE_URL: writer, DATABASE_READ_URL: reader })
  const pooled = await serve('pooled', metrics[1], {
    DATABASE_URL: writes.url,
    DATABASE_READ_URL: reads.url,
    DATABASE_POOLER: 'transaction',
  })
  const ports = [direct, pooled].map(({ origin }) => Number(new URL(origin).port))
  const nginx = await kept(startNginx(...ports))
  const haproxy = await kept(startHaproxy(...ports))
  const at = ({ port }: { port: number }) => `http://127.0.0.1:${port}`
  return {
    token: await files.read('api_token'),
    addresses: {
      nginx: at(nginx),
      haproxy: at(haproxy),
      services: [direct.origin, pooled.origin],
      metrics: [`http://127.0.0.1:${metrics[0]}/metrics`, `http://127.0.0.1:${metrics[1]}/metrics`],
      primary: `127.0.0.1:${primary.port}`,
      standby: `127.0.0.1:${standby.port}`,
      pgbouncer: new URL(writes.url).host,
      redis: `127.0.0.1:${redis.port}`,
    },
  }
}

/** The name of a socket may have a hundred letters and no more, and the account of the servers has to find it. */
const shortFolder = async (afterwards: (end: () => Promise<unknown>) => void): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-pg-'))
  afterwards(() => rm(folder, { recursive: true, force: true }))
  return folder
}
