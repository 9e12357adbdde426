/** In charge of what a fault happens in: database servers and services of its own, gone again when the fault is over. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerProcess } from '../bench/child-server.ts'
import { startServer } from '../bench/child-server.ts'
import type { Cluster, Template } from './cluster.ts'
import { cloneCluster } from './cluster.ts'
import type { Options } from './options.ts'
import type { Plant } from './plants.ts'

export const token = 'faults-0123456789abcdef0123456789abcdef'

export interface ServiceOptions {
  readonly databaseUrl: string
  readonly port?: number
  /** Folder of another release; this one unless said. */
  readonly release?: string
  readonly env?: Readonly<Record<string, string>>
  /** A change to the sources, for a control. */
  readonly plant?: Plant | undefined
}

export interface House {
  readonly seed: number
  readonly minutes: number
  readonly isShort: boolean
  /** One of two sizes, as the run is long or short. */
  size(long: number, short: number): number
  /** A running server with a migrated database and twenty records of each resource. */
  cluster(settings?: readonly string[]): Promise<Cluster>
  /** A service that is ready to serve. */
  service(options: ServiceOptions): Promise<ServerProcess>
  /** Done when the fault is over, the last one first. */
  afterwards(work: () => Promise<unknown>): void
  /** Takes away all there is. */
  clear(): Promise<void>
}

export const openHouse = (template: Template, { seed, minutes, short }: Options): House => {
  const duties: (() => Promise<unknown>)[] = []
  const house: House = {
    seed,
    minutes,
    isShort: short,
    size: (long, shorter) => (short ? shorter : long),
    async cluster(settings = []) {
      const cluster = await cloneCluster(template, settings)
      house.afterwards(() => cluster.remove())
      return cluster
    },
    async service({ databaseUrl, port, release = '', env = {}, plant }) {
      const folder = await mkdtemp(join(tmpdir(), 'muster-faults-log-'))
      house.afterwards(() => rm(folder, { recursive: true, force: true }))
      const logFile = join(folder, 'service.log')
      const service = await startServer({
        logFile,
        args: [...planting(plant), join(release, 'service/bin/muster.js'), 'serve'],
        env: {
          DATABASE_URL: databaseUrl,
          MUSTER_API_TOKEN: token,
          MUSTER_LOG_LEVEL: 'error',
          ...(plant === undefined ? {} : { PLANTED: JSON.stringify(plant) }),
          ...env,
        },
        readyPath: '/readyz',
        ...(port === undefined ? {} : { port }),
      }).catch(async (cause: Error) => {
        throw new Error(`${cause.message}\n${(await readFile(logFile, 'utf8')).slice(-2_000)}`, { cause })
      })
      house.afterwards(async () => {
        service.signal('SIGKILL')
        await service.ended
      })
      return service
    },
    afterwards(work) {
      duties.push(work)
    },
    async clear() {
      for (let work = duties.pop(); work !== undefined; work = duties.pop()) await work()
    },
  }
  return house
}

export const planting = (plant: Plant | undefined): string[] =>
  plant === undefined ? [] : ['--import', './faults/plant.ts']
