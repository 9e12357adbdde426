/** A deployment on 127.0.0.1 that fails over by itself: two services, haproxy, three Patroni and three etcd members. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer as startProcess } from '../server-process.ts'
import { stablePort } from '../stable-port.ts'
import type { Cleanup } from './cleanup.ts'
import { openCleanup } from './cleanup.ts'
import type { DatabaseFiles } from './database.ts'
import { createDeploymentDatabase } from './database.ts'
import type { PatroniCluster, PatroniOptions } from './patroni.ts'
import { startPatroniCluster } from './patroni.ts'
import { runPgbackrest } from './pgbackrest.ts'
import { openInstallation } from './postgres.ts'

export interface HaCluster {
  readonly patroni: PatroniCluster
  /** URLs of the two services. */
  readonly services: readonly string[]
  /** Ports of the metrics of the two services, in the same order. */
  readonly metricsPorts: readonly number[]
  /** A migrated database without records, reached through haproxy. */
  readonly database: DatabaseFiles
  /** Folder with the configuration, data and logs of all programs. */
  readonly folder: string
  stop(): Promise<void>
}

const defaultOptions: PatroniOptions = { synchronous: true, exposePort: async (_, port) => port }

/** Everything that is started is added to `cleanup` at once, so that an interrupted start can be undone. */
export const startHaCluster = async (
  options: PatroniOptions = defaultOptions,
  cleanup: Cleanup = openCleanup(),
): Promise<HaCluster> => {
  try {
    // Unix socket paths are limited to about 100 characters, and the account of the servers must be able to open them.
    const folder = await mkdtemp(join(tmpdir(), 'muster-ha-'))
    cleanup.add(() => rm(folder, { recursive: true, force: true }))
    return { ...(await startAll(folder, options, cleanup.add)), folder, stop: cleanup.clear }
  } catch (error) {
    await cleanup.clear()
    throw error
  }
}

const startAll = async (
  folder: string,
  options: PatroniOptions,
  addCleanup: Cleanup['add'],
): Promise<Omit<HaCluster, 'folder' | 'stop'>> => {
  const installation = await openInstallation(folder)
  const patroni = await startPatroniCluster(installation, options, addCleanup)
  const { leader } = await patroni.waitUntilComplete()
  await runPgbackrest(installation, leader.pgbackrestConfig, ['stanza-create'])
  const database = await createDeploymentDatabase(
    { port: patroni.primaryPort, execute: leader.execute },
    join(folder, 'secrets'),
  )
  const readerUrl = await database.readSecret('reader_url')
  const metricsPorts = [await stablePort(), await stablePort()]
  const services = await Promise.all(
    metricsPorts.map(async (metricsPort, index) => {
      const service = await startProcess({
        args: ['packages/server/bin/muster.js', 'serve'],
        env: {
          ...database.env,
          // All members: the service itself finds out which of them are standbys.
          DATABASE_REPLICA_URLS: patroni.members
            .map(({ port }) => Object.assign(new URL(readerUrl), { port }).href)
            .join(','),
          MUSTER_METRICS_PORT: String(metricsPort),
          MUSTER_LOG_LEVEL: 'warn',
        },
        readyPath: '/readyz',
        logFile: join(folder, `service-${index}.log`),
        port: await stablePort(),
      })
      addCleanup(() => service.stop())
      return service.origin
    }),
  )
  return { patroni, services, metricsPorts, database }
}
