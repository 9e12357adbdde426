/** Injects a fault repeatedly while many writers create records, then checks the history. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Mutation } from '../mutations/mutation.ts'
import type { Cluster } from '../support/postgres-cluster.ts'
import { randomNumbers } from '../support/random.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { stablePort } from '../support/stable-port.ts'
import { waitUntil } from '../support/wait.ts'
import type { Outcome } from './chaos-case.ts'
import { failedChecks } from './chaos-case.ts'
import type { Client } from './client.ts'
import { isReady, openClient } from './client.ts'
import type { CreateKind } from './creates.ts'
import type { Environment } from './environment.ts'
import { openHistory } from './history.ts'
import { checkHistory } from './history-checks.ts'
import { startWriters } from './writers.ts'

export interface FaultTarget {
  readonly cluster: Cluster
  readonly client: Client
  service: ServerProcess
  /** Starts the service again, on the same port. */
  startService(): Promise<ServerProcess>
}

export interface FaultOptions {
  readonly rounds: number
  /** Whether creates carry an Idempotency-Key. */
  readonly withKeys: boolean
  /** Statuses allowed besides 201. "none" stands for a connection that broke without a response. */
  readonly allowedStatuses: readonly string[]
  readonly createKinds?: readonly CreateKind[]
  readonly mutation?: Mutation
  /** Settings of the database server, such as "fsync=off". */
  readonly settings?: readonly string[]
  /** Injects the fault and resolves when the affected process is running again. */
  inject(target: FaultTarget): Promise<void>
}

const writerCount = 32

export const injectUnderLoad = async (environment: Environment, options: FaultOptions): Promise<Outcome> => {
  const { rounds, withKeys, allowedStatuses, createKinds, mutation, settings, inject } = options
  const cluster = await environment.cluster(settings)
  const port = await stablePort()
  const startService = () => environment.service({ databaseUrl: cluster.url, port, mutation })
  const service = await startService()
  const client = openClient(service.origin, writerCount)
  const target: FaultTarget = { cluster, client, service, startService }
  const history = openHistory()
  const writers = startWriters({
    client,
    history,
    count: writerCount,
    withKeys,
    ...(createKinds === undefined ? {} : { kinds: createKinds }),
  })
  environment.addCleanup(() => writers.stop())
  const random = randomNumbers(environment.seed)
  const recoveryTimes: number[] = []
  let faultCount = 0
  for (let round = 0; round < rounds && !target.service.hasEnded; round += 1) {
    const createsBefore = writers.createsStarted
    await pause(500 + random(700))
    // A fault injected while no writer is active would prove nothing.
    await waitUntil('writers are active', async () => writers.createsStarted > createsBefore)
    await inject(target)
    faultCount += 1
    recoveryTimes.push(
      await waitUntil('the service is ready again', async () => target.service.hasEnded || isReady(client)),
    )
  }
  await writers.stop()
  const { hasEnded } = target.service
  client.close()
  return checkHistory(history, cluster.url, {
    faultCount,
    allowedStatuses,
    violations: failedChecks([!hasEnded, 'stays up', 'the service exited']),
    notes: [`ready again ${formatRange(recoveryTimes)} after the process was restarted`],
  })
}

const formatRange = (ms: readonly number[]): string =>
  `${Math.round(Math.min(...ms))} to ${Math.round(Math.max(...ms))} ms`
