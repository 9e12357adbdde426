/**
 * Two services use a cluster of three Patroni members. The leader is killed, paused, cut off from etcd or replaced, while
 * clients write, read each record back and follow the change feed. The services follow the new leader by themselves.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { insertBaseRows } from '../../support/base-rows.ts'
import { openCleanup } from '../../support/cluster/cleanup.ts'
import type { HaCluster } from '../../support/cluster/high-availability.ts'
import { startHaCluster } from '../../support/cluster/high-availability.ts'
import type { PatroniMember } from '../../support/cluster/patroni.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { failedChecks, sumOutcomes } from '../chaos-case.ts'
import type { Client } from '../client.ts'
import { openClient } from '../client.ts'
import { createKinds } from '../creates.ts'
import { readCursor } from '../cursors.ts'
import type { Environment } from '../environment.ts'
import { followFeed } from '../feed-follower.ts'
import type { Attempt } from '../history.ts'
import { openHistory } from '../history.ts'
import { checkHistory } from '../history-checks.ts'
import { countReplicaReads, openReader } from '../read-back.ts'
import type { Relay } from '../relay.ts'
import { openRelay } from '../relay.ts'
import { startWriters } from '../writers.ts'

const writerCount = 8
/** One record in so many is read back, so that most writers are creating when the fault occurs. */
const readBackInterval = 4
/** A failover takes about 25 s. A read that fails for longer than this counts as failed. */
const maxOutageMs = 60_000
/** How long the leader runs without the other members before it is killed. */
const disconnectedMs = 500

interface Target {
  readonly cluster: HaCluster
  readonly leader: PatroniMember
  /** The member that takes over. */
  readonly standby: PatroniMember
  /** The relays between the leader and etcd. */
  readonly etcdRelays: readonly Relay[]
  /** The relay through which the standbys read from the leader. */
  readonly replicationRelay: Relay
}

interface Fault {
  readonly name: string
  inject(target: Target): Promise<void>
  /** Called when another member has taken over. */
  heal(target: Target): Promise<void>
}

const killed: Fault = {
  name: 'killed',
  inject: ({ leader }) => leader.signal('SIGKILL'),
  heal: ({ leader }) => leader.start(),
}

/**
 * Commits that have not reached a standby are lost with the leader. It loses etcd too: otherwise it sometimes has the time
 * to record that it has no synchronous standby, and then nobody takes over until it is back.
 */
const isolatedAndKilled: Fault = {
  name: 'isolated and killed',
  async inject({ leader, etcdRelays, replicationRelay }) {
    for (const relay of [...etcdRelays, replicationRelay]) relay.disconnect()
    await pause(disconnectedMs)
    await leader.signal('SIGKILL')
  },
  async heal({ leader, etcdRelays, replicationRelay }) {
    for (const relay of [...etcdRelays, replicationRelay]) relay.reconnect()
    await leader.start()
  },
}

const paused: Fault = {
  name: 'paused',
  inject: ({ leader }) => leader.signal('SIGSTOP'),
  heal: ({ leader }) => leader.signal('SIGCONT'),
}

/** PostgreSQL goes on as a second primary. */
const patroniPaused: Fault = {
  name: 'only Patroni paused',
  inject: ({ leader }) => leader.signalPatroni('SIGSTOP'),
  heal: ({ leader }) => leader.signalPatroni('SIGCONT'),
}

const cutOff: Fault = {
  name: 'cut off from etcd',
  inject: async ({ etcdRelays }) => {
    for (const relay of etcdRelays) relay.disconnect()
  },
  heal: async ({ etcdRelays }) => {
    for (const relay of etcdRelays) relay.reconnect()
  },
}

const switchedOver: Fault = {
  name: 'switchover',
  inject: ({ cluster, leader, standby }) => cluster.patroni.switchOver(leader, standby),
  heal: async () => {},
}

/** Sends each request to the next service in turn. */
const alternate = (clients: readonly Client[]): Client => {
  let sentCount = 0
  return {
    send: (path, options) => {
      sentCount += 1
      return (clients[sentCount % clients.length] as Client).send(path, options)
    },
    close: () => {
      for (const client of clients) client.close()
    },
  }
}

const openCluster = async (environment: Environment, synchronous: boolean) => {
  const relays = new Map<string, Relay[]>()
  const cleanup = openCleanup()
  environment.addCleanup(cleanup.clear)
  const exposePort = async (name: string, port: number): Promise<number> => {
    const relay = await openRelay({ to: port })
    cleanup.add(() => relay.close())
    relays.set(name, [...(relays.get(name) ?? []), relay])
    return relay.port
  }
  const cluster = await startHaCluster({ synchronous, exposePort }, cleanup)
  const ownerUrl = await cluster.database.readSecret('owner_url')
  await withClient(ownerUrl, insertBaseRows)
  const relaysOf = ({ name }: PatroniMember) => ({
    etcdRelays: relays.get(`${name} etcd`) as Relay[],
    replicationRelay: relays.get(`${name} postgres`)?.[0] as Relay,
  })
  return { cluster, ownerUrl, token: await cluster.database.readSecret('api_token'), relaysOf }
}

type OpenCluster = Awaited<ReturnType<typeof openCluster>>

const runFault = async (
  environment: Environment,
  { cluster, ownerUrl, token, relaysOf }: OpenCluster,
  fault: Fault,
  run: string,
): Promise<Outcome> => {
  // Load before the fault, and after the cluster is complete again.
  const loadMs = environment.size(5_000, 2_000)
  const { leader, standby } = await cluster.patroni.waitUntilComplete()
  const target: Target = { cluster, leader, standby, ...relaysOf(leader) }
  const client = alternate(cluster.services.map((origin) => openClient(origin, writerCount * 2, token)))
  const history = openHistory()
  const acknowledged: Attempt[] = []
  const { readResults, readBack } = openReader(client, maxOutageMs / 1_000)
  const follower = followFeed(
    client,
    await readCursor(client),
    createKinds.map(({ route }) => route),
  )
  environment.addCleanup(() => follower.stop().catch(() => {}))
  const startedAt = performance.now()
  const writers = startWriters({
    client,
    history: {
      ...history,
      addAttempt(attempt) {
        if (attempt.status === 201) acknowledged.push(attempt)
        history.addAttempt(attempt)
      },
    },
    count: writerCount,
    run,
    withKeys: true,
    readBack: async (kind, marker, id) => {
      if (id % readBackInterval === 0) await readBack(kind, marker, id)
    },
  })
  environment.addCleanup(() => writers.stop())
  await pause(loadMs)
  await fault.inject(target)
  await waitUntil(
    'another member has taken over',
    async () => {
      const others = cluster.patroni.members.filter((member) => member !== leader)
      return (await Promise.all(others.map((member) => member.isLeader()))).includes(true)
    },
    maxOutageMs,
  )
  const takenOverAt = performance.now()
  await waitUntil(
    'creates are acknowledged',
    async () => (acknowledged.at(-1)?.startMs ?? 0) > takenOverAt,
    maxOutageMs,
  )
  await fault.heal(target)
  await cluster.patroni.waitUntilComplete()
  const replicaReadsBefore = (await countReplicaReads(cluster.metricsPorts)).fresh ?? 0
  await pause(loadMs)
  const replicaReads = ((await countReplicaReads(cluster.metricsPorts)).fresh ?? 0) - replicaReadsBefore
  await writers.stop()
  const missing = () => acknowledged.filter(({ route, id }) => !follower.hasSeen(route, id as number))
  // The feed shows a change only after older transactions have ended.
  await waitUntil('the feed has shown every create', async () => missing().length === 0).catch(() => {})
  await follower.stop()
  client.close()
  const gapCount = missing().length
  const outcome = await checkHistory(history, ownerUrl, {
    faultCount: 1,
    run,
    allowedStatuses: ['503'],
    violations: failedChecks(
      [readResults.failed.length === 0, 'expected responses', `${readResults.failed.length} reads failed`],
      [readResults.stale.length === 0, 'no stale reads', `stale reads, such as ${readResults.stale[0]}`],
      [gapCount === 0, 'no lost records', `the feed did not show ${gapCount} records`],
      [replicaReads > 0, 'expected responses', 'after the failover no standby was used'],
    ),
  })
  const staleCount = outcome.staleCount + readResults.stale.length
  const seconds = longestGap(startedAt, acknowledged) / 1_000
  const figures =
    `${fault.name}, ${leader.name} to ${standby.name}: ${outcome.acknowledgedCount} acknowledged, ${outcome.lostCount} lost, ` +
    `${outcome.duplicatedCount} duplicated, ${readResults.freshCount + readResults.stale.length} reads, ${staleCount} stale, ` +
    `${gapCount} feed gaps, ${follower.copyCount} × 410, ${replicaReads} replica reads afterwards, ` +
    `longest time without an acknowledged create ${seconds.toFixed(1)} s`
  // A long run takes a quarter of an hour, so each failover is reported when it is over.
  console.log(figures)
  return { ...outcome, staleCount, notes: [figures, ...outcome.notes] }
}

const longestGap = (startedAt: number, acknowledged: readonly Attempt[]): number => {
  let previous = startedAt
  let longest = 0
  for (const { endMs } of acknowledged) {
    longest = Math.max(longest, endMs - previous)
    previous = endMs
  }
  return longest
}

const runFaults = async (
  environment: Environment,
  faults: readonly Fault[],
  { synchronous }: { synchronous: boolean },
): Promise<Outcome> => {
  const open = await openCluster(environment, synchronous)
  const outcomes: Outcome[] = []
  for (const [index, fault] of faults.entries())
    outcomes.push(await runFault(environment, open, fault, `run-${index}-`))
  return sumOutcomes(outcomes)
}

const kinds = [killed, isolatedAndKilled, paused, patroniPaused, cutOff, switchedOver]

export const automaticFailover: ChaosCase = {
  name: 'automatic-failover',
  onlyByName: true,
  run: (environment) =>
    // In the short form only the fault that needs most: the old leader comes back without knowing that it was replaced.
    runFaults(environment, environment.isShort ? [paused] : [...kinds, ...kinds, ...kinds], { synchronous: true }),
  control: {
    description: 'asynchronous replication',
    brokenGuarantee: 'no lost records',
    run: (environment) => runFaults(environment, [isolatedAndKilled], { synchronous: false }),
  },
}
