/**
 * The standby is disconnected, the primary is killed, and the standby is promoted. With a synchronous standby no
 * acknowledged record is lost. A cursor of the change feed from before the writes stays valid. If records are lost (with
 * the asynchronous standby of the control), a client that has read them gets 410.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '../../support/postgres-cluster.ts'
import { cloneStandby, withClient } from '../../support/postgres-cluster.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { failedChecks, sumOutcomes } from '../chaos-case.ts'
import { isReady, openClient } from '../client.ts'
import { readCursor, statusOfCursor } from '../cursors.ts'
import type { Environment } from '../environment.ts'
import { openHistory } from '../history.ts'
import { checkHistory } from '../history-checks.ts'
import type { Relay } from '../relay.ts'
import { openRelay } from '../relay.ts'
import { startWriters } from '../writers.ts'

const writerCount = 16
/** How long the primary runs without its standby before it is killed. */
const disconnectedMs = 500

interface ReplicatedPair {
  readonly primary: Cluster
  readonly standby: Cluster
  /** TCP relay that carries the replication from the primary to the standby. */
  readonly replicationRelay: Relay
}

const openPair = async (environment: Environment, isSynchronous: boolean): Promise<ReplicatedPair> => {
  const primary = await environment.cluster(isSynchronous ? ['synchronous_standby_names=*'] : [])
  const replicationRelay = await openRelay({ to: primary.port })
  environment.addCleanup(() => replicationRelay.close())
  const standby = await cloneStandby(primary, replicationRelay.port)
  environment.addCleanup(() => standby.remove())
  await withClient(primary.url, (client) =>
    waitUntil('the standby is streaming', async () => {
      const { rows } = await client.query('select sync_state from pg_stat_replication where state = $1', ['streaming'])
      return rows[0]?.sync_state === (isSynchronous ? 'sync' : 'async')
    }),
  )
  return { primary, standby, replicationRelay }
}

const failOver = async (environment: Environment, isSynchronous: boolean): Promise<Outcome> => {
  const { primary, standby, replicationRelay } = await openPair(environment, isSynchronous)
  // This relay stands for the fixed host name or virtual IP through which clients reach the current primary.
  const primaryRelay = await openRelay({ to: primary.port })
  environment.addCleanup(() => primaryRelay.close())
  const databaseUrl = new URL(primary.url)
  databaseUrl.port = String(primaryRelay.port)
  const { origin } = await environment.service({ databaseUrl: databaseUrl.href })
  const client = openClient(origin, writerCount)
  const history = openHistory()
  const firstCursor = await readCursor(client)
  const writers = startWriters({ client, history, count: writerCount, withKeys: true })
  environment.addCleanup(() => writers.stop())
  await waitUntil('the writers have started', async () => writers.createsStarted > 8 * writerCount)
  replicationRelay.disconnect()
  await pause(disconnectedMs)
  const lastCursor = await readCursor(client)
  await primary.kill()
  await withClient(standby.url, (client) => client.query('select pg_promote()'))
  primaryRelay.redirect(standby.port)
  await waitUntil('the service is ready again', () => isReady(client))
  await writers.stop()
  const firstStatus = await statusOfCursor(client, firstCursor)
  const lastStatus = await statusOfCursor(client, lastCursor)
  client.close()
  const outcome = await checkHistory(history, standby.url, { faultCount: 1, allowedStatuses: ['503'] })
  return {
    ...outcome,
    violations: [
      ...outcome.violations,
      ...failedChecks(
        [firstStatus === 200, 'expected responses', `a cursor from before the writes got ${firstStatus}`],
        [
          outcome.lostCount === 0 || lastStatus === 410,
          'no stale reads',
          `the cursor of a client that read lost changes got ${lastStatus}`,
        ],
      ),
    ],
  }
}

const repeatFailOver = async (environment: Environment, rounds: number, isSynchronous: boolean): Promise<Outcome> => {
  const outcomes: Outcome[] = []
  for (let round = 0; round < rounds; round += 1) {
    outcomes.push(await failOver(environment, isSynchronous))
    await environment.cleanUp()
  }
  return sumOutcomes(outcomes)
}

export const failover: ChaosCase = {
  name: 'failover',
  run: (environment) => repeatFailOver(environment, environment.size(10, 1), true),
  control: {
    description: 'an asynchronous standby',
    brokenGuarantee: 'no lost records',
    run: (environment) => repeatFailOver(environment, 1, false),
  },
}
