/** Starts the database servers and services of one chaos case and removes them at its end. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutation } from '../mutations/mutation.ts'
import { mutationEnv } from '../mutations/mutation.ts'
import type { Cluster, Template } from '../support/postgres-cluster.ts'
import { cloneCluster } from '../support/postgres-cluster.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from '../support/server-process.ts'
import type { Options } from './options.ts'

export const token = 'chaos-0123456789abcdef0123456789abcdef'

export interface ServiceOptions {
  readonly databaseUrl: string
  readonly port?: number
  /** Folder of an earlier release. If omitted, the service runs from the current sources. */
  readonly release?: string
  readonly env?: Readonly<Record<string, string>>
  /** Source code change that removes a protection, for controls. */
  readonly mutation?: Mutation | undefined
}

export interface Environment {
  readonly seed: number
  readonly minutes: number
  readonly isShort: boolean
  /** Returns `short` in a run with --short, and `long` otherwise. */
  size(long: number, short: number): number
  /** Starts a database server with a migrated database that has twenty records of each resource. */
  cluster(settings?: readonly string[]): Promise<Cluster>
  /** Starts a service and waits until it is ready. */
  service(options: ServiceOptions): Promise<ServerProcess>
  /** Registers a function to be called at the end of the case. The last function registered is called first. */
  addCleanup(cleanup: () => Promise<unknown>): void
  /** Removes all servers, services and files. */
  cleanUp(): Promise<void>
}

export const openEnvironment = (
  getTemplate: () => Promise<Template>,
  { seed, minutes, isShort }: Options,
): Environment => {
  const cleanups: (() => Promise<unknown>)[] = []
  const environment: Environment = {
    seed,
    minutes,
    isShort,
    size: (long, short) => (isShort ? short : long),
    async cluster(settings = []) {
      const cluster = await cloneCluster(await getTemplate(), settings)
      environment.addCleanup(() => cluster.remove())
      return cluster
    },
    async service({ databaseUrl, port, release = '', env = {}, mutation }) {
      const folder = await mkdtemp(join(tmpdir(), 'muster-chaos-log-'))
      environment.addCleanup(() => rm(folder, { recursive: true, force: true }))
      const logFile = join(folder, 'service.log')
      const service = await startServer({
        logFile,
        args: [join(release, 'packages/server/bin/muster.js'), 'serve'],
        env: {
          DATABASE_URL: databaseUrl,
          MUSTER_API_TOKEN: token,
          MUSTER_LOG_LEVEL: 'error',
          ...mutationEnv(mutation),
          ...env,
        },
        readyPath: '/readyz',
        ...(port === undefined ? {} : { port }),
      }).catch(async (cause: Error) => {
        throw new Error(`${cause.message}\n${(await readFile(logFile, 'utf8')).slice(-2_000)}`, { cause })
      })
      environment.addCleanup(async () => {
        service.signal('SIGKILL')
        await service.ended
      })
      return service
    },
    addCleanup(cleanup) {
      cleanups.push(cleanup)
    },
    async cleanUp() {
      for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup()
    },
  }
  return environment
}
