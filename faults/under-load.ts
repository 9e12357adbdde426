/** In charge of striking again and again while many write: the scene, the strikes, and the judgement of what was written. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerProcess } from '../bench/child-server.ts'
import type { Client } from './client.ts'
import { openClient } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { Create } from './creates.ts'
import type { Outcome } from './fault.ts'
import { unless } from './fault.ts'
import { openHistory } from './history.ts'
import type { House } from './house.ts'
import { judgeHistory } from './judgement.ts'
import type { Plant } from './plants.ts'
import { randomNumbers } from './random.ts'
import { steadyPort } from './steady-port.ts'
import { isReady, until } from './wait.ts'
import { startWriters } from './writers.ts'

export interface Scene {
  readonly cluster: Cluster
  readonly client: Client
  service: ServerProcess
  /** Starts the service again, on the same port. */
  startService(): Promise<ServerProcess>
}

export interface Strikes {
  readonly times: number
  /** Whether creates carry an Idempotency-Key. */
  readonly keys: boolean
  /** Answers that may be given beside 201; "none" where a connection may break. */
  readonly besides: readonly string[]
  readonly among?: readonly Create[]
  readonly plant?: Plant
  /** Of the database server. */
  readonly settings?: readonly string[]
  /** Resolves when what was struck is up again. */
  strike(scene: Scene): Promise<void>
}

const writerCount = 32

export const underLoad = async (house: House, strikes: Strikes): Promise<Outcome> => {
  const { times, keys, besides, among, plant, settings, strike } = strikes
  const cluster = await house.cluster(settings)
  const port = await steadyPort()
  const startService = () => house.service({ databaseUrl: cluster.url, port, plant })
  const service = await startService()
  const client = openClient(service.origin, writerCount)
  const scene: Scene = { cluster, client, service, startService }
  const history = openHistory()
  const writers = startWriters({ client, history, count: writerCount, keys, ...(among === undefined ? {} : { among }) })
  house.afterwards(() => writers.stop())
  const random = randomNumbers(house.seed)
  const recoveries: number[] = []
  let fired = 0
  for (let time = 0; time < times && !scene.service.hasEnded; time += 1) {
    const before = writers.begun
    await pause(500 + random(700))
    // A strike while nothing is written would say nothing.
    await until('writers are at work', async () => writers.begun > before)
    await strike(scene)
    fired += 1
    recoveries.push(await until('the service is ready again', async () => scene.service.hasEnded || isReady(client)))
  }
  await writers.stop()
  const { hasEnded } = scene.service
  client.close()
  return judgeHistory(history, cluster.url, {
    fired,
    besides,
    broken: unless([!hasEnded, 'stays up', 'the service ended']),
    notes: [`ready again ${range(recoveries)} after what was struck was up`],
  })
}

const range = (ms: readonly number[]): string => `${Math.round(Math.min(...ms))} to ${Math.round(Math.max(...ms))} ms`
