/**
 * Two services behind nginx use a primary and a standby. The standby is killed, one service is upgraded and the primary
 * is restarted while 32 clients write and read: no record is lost, and no read is stale.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Mutation } from '../../mutations/mutation.ts'
import { unpackEarlierRelease } from '../../support/earlier-release.ts'
import { cloneStandby } from '../../support/postgres-cluster.ts'
import { startNginx } from '../../support/reverse-proxy.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { stablePort } from '../../support/stable-port.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { failedChecks } from '../chaos-case.ts'
import { isReady, openClient } from '../client.ts'
import type { Environment } from '../environment.ts'
import { openHistory } from '../history.ts'
import { checkHistory } from '../history-checks.ts'
import { mutations } from '../mutations.ts'
import { countReplicaReads, openReader } from '../read-back.ts'
import { startWriters } from '../writers.ts'

const clientCount = 32
/** How long a failing read is repeated. */
const maxReadSeconds = 10

interface RunOptions {
  readonly seconds: number
  /** Whether faults are injected. */
  readonly injectFaults: boolean
  readonly mutation?: Mutation
}

const runCluster = async (
  environment: Environment,
  { seconds, injectFaults, mutation }: RunOptions,
): Promise<Outcome> => {
  const primary = await environment.cluster()
  const standby = await cloneStandby(primary, primary.port)
  environment.addCleanup(() => standby.remove())
  const ports = [await stablePort(), await stablePort()] as const
  const metricsPorts = [await stablePort(), await stablePort()] as const
  const startService = (index: 0 | 1, releaseFolder?: string): Promise<ServerProcess> =>
    environment.service({
      databaseUrl: primary.url,
      port: ports[index],
      mutation,
      env: { DATABASE_REPLICA_URLS: standby.url, MUSTER_METRICS_PORT: String(metricsPorts[index]) },
      ...(releaseFolder === undefined ? {} : { release: releaseFolder }),
    })
  await startService(0)
  const earlierRelease = injectFaults ? await unpackEarlierRelease() : undefined
  if (earlierRelease !== undefined) environment.addCleanup(() => earlierRelease.remove())
  const secondService = await startService(1, earlierRelease?.folder)
  const proxy = await startNginx(...ports)
  environment.addCleanup(() => proxy.stop())
  const client = openClient(`http://127.0.0.1:${proxy.port}`, clientCount)
  const history = openHistory()
  const { readResults, readBack } = openReader(client, maxReadSeconds)
  const writers = startWriters({
    client,
    history,
    count: clientCount,
    withKeys: true,
    readBack,
  })
  environment.addCleanup(() => writers.stop())
  const intervalMs = (seconds * 1_000) / 6
  const injectedFaults: string[] = []
  const injectFault = async (name: string, fault: () => Promise<unknown>): Promise<void> => {
    await pause(intervalMs)
    if (!injectFaults) return
    await fault()
    injectedFaults.push(name)
  }
  await injectFault('the standby was killed', () => standby.kill())
  await injectFault('the standby came back', () => standby.start())
  await injectFault('a service was upgraded', async () => {
    await secondService.stop()
    await startService(1)
  })
  await injectFault('the primary was restarted', async () => {
    await primary.stop()
    await primary.start()
    await waitUntil('the services are ready again', () => isReady(client))
  })
  await injectFault('the standby was killed and came back', async () => {
    await standby.kill()
    await standby.start()
  })
  await pause(intervalMs)
  const counts = await countReplicaReads(metricsPorts)
  await writers.stop()
  client.close()
  const outcome = await checkHistory(history, primary.url, {
    faultCount: counts.fresh ?? 0,
    allowedStatuses: ['502', '503', '504', 'none'],
    violations: failedChecks(
      [
        readResults.failed.length === 0,
        'expected responses',
        `${readResults.failed.length} reads failed, such as ${readResults.failed[0]}`,
      ],
      [
        readResults.stale.length === 0,
        'no stale reads',
        `${readResults.stale.length} stale reads, such as ${readResults.stale[0]}`,
      ],
    ),
    notes: [
      `${readResults.freshCount + readResults.stale.length} reads right after a write by id, list and q; ${readResults.retryCount} tries failed with 5xx or without a response`,
      `replicas: ${Object.entries(counts)
        .map(([outcome, count]) => `${outcome} ${count}`)
        .join(', ')}`,
      ...injectedFaults,
    ],
  })
  return { ...outcome, staleCount: outcome.staleCount + readResults.stale.length }
}

export const cluster: ChaosCase = {
  name: 'cluster',
  onlyByName: true,
  run: (environment) => runCluster(environment, { seconds: environment.size(60, 18), injectFaults: true }),
  control: {
    description: 'replica results not checked',
    brokenGuarantee: 'no stale reads',
    run: (environment) =>
      runCluster(environment, { seconds: 12, injectFaults: false, mutation: mutations.uncheckedReplicas }),
  },
}
