/** The whole of it: two services behind nginx, a primary and a standby; each goes down and comes back while 32 clients write and read back. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerProcess } from '../../bench/child-server.ts'
import { unpackEarlierRelease } from '../../deploy/test/earlier-release.ts'
import { startNginx } from '../../fronts/front.ts'
import type { Answer, Client } from '../client.ts'
import { openClient } from '../client.ts'
import { cloneStandby } from '../cluster.ts'
import type { Create } from '../creates.ts'
import { creates } from '../creates.ts'
import type { Fault, Outcome } from '../fault.ts'
import { unless } from '../fault.ts'
import { openHistory } from '../history.ts'
import type { House } from '../house.ts'
import { judgeHistory } from '../judgement.ts'
import type { Plant } from '../plants.ts'
import { plants } from '../plants.ts'
import { steadyPort } from '../steady-port.ts'
import { isReady, until } from '../wait.ts'
import { startWriters } from '../writers.ts'

const clientCount = 32
/** Tries of a read, as often as a client that was told to come back may: some seconds in all. */
const readTries = 100
const betweenTriesMs = 100
/** Creates whose mark a search finds. */
const searched = creates.filter(({ field }) => field === 'name')

interface Reads {
  shown: number
  stale: string[]
  failed: string[]
  retried: number
}

const openReads = (client: Client) => {
  const reads: Reads = { shown: 0, stale: [], failed: [], retried: 0 }
  const answerOf = async (path: string): Promise<Answer | undefined> => {
    for (let tries = 0; tries < readTries; tries += 1) {
      const answer = await client.ask(path).catch(() => undefined)
      if (answer !== undefined && answer.status < 500) return answer
      reads.retried += 1
      await pause(betweenTriesMs)
    }
    return undefined
  }
  const readBack = async ({ route }: Create, mark: string, id: number): Promise<void> => {
    for (const path of [`${route}/${id}`, `${route}?sort=-id&limit=100`, `${route}?q=${mark}`]) {
      const answer = await answerOf(`/api/v1/${path}`)
      if (answer === undefined) reads.failed.push(path)
      else if (answer.text.includes(`"${mark}"`)) reads.shown += 1
      else reads.stale.push(`${path} answered ${answer.status} without ${mark}`)
    }
  }
  return { reads, readBack }
}

/** What the services have told Prometheus of a replica's reads. */
const replicaReads = async (metricsPorts: readonly number[]): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const port of metricsPorts) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    for (const [, outcome = '', count] of text.matchAll(/^muster_replica_reads_total\{.*outcome="(\w+)".*\} (\d+)/gm))
      counts[outcome] = (counts[outcome] ?? 0) + Number(count)
  }
  return counts
}

interface Course {
  readonly seconds: number
  /** Whether anything goes down at all. */
  readonly strikes: boolean
  readonly plant?: Plant
}

const throughAll = async (house: House, { seconds, strikes, plant }: Course): Promise<Outcome> => {
  const primary = await house.cluster()
  const standby = await cloneStandby(primary, primary.port)
  house.afterwards(() => standby.remove())
  const ports = [await steadyPort(), await steadyPort()] as const
  const metricsPorts = [await steadyPort(), await steadyPort()] as const
  const start = (place: 0 | 1, release?: string): Promise<ServerProcess> =>
    house.service({
      databaseUrl: primary.url,
      port: ports[place],
      plant,
      env: { DATABASE_REPLICA_URLS: standby.url, MUSTER_METRICS_PORT: String(metricsPorts[place]) },
      ...(release === undefined ? {} : { release }),
    })
  await start(0)
  const earlier = strikes ? await unpackEarlierRelease() : undefined
  if (earlier !== undefined) house.afterwards(() => earlier.remove())
  const upgraded = await start(1, earlier?.folder)
  const front = await startNginx(...ports)
  house.afterwards(() => front.stop())
  const client = openClient(`http://127.0.0.1:${front.port}`, clientCount)
  const history = openHistory()
  const { reads, readBack } = openReads(client)
  const writers = startWriters({ client, history, count: clientCount, keys: true, among: searched, readBack })
  house.afterwards(() => writers.stop())
  const part = (seconds * 1_000) / 6
  const done: string[] = []
  const strike = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await pause(part)
    if (!strikes) return
    await work()
    done.push(name)
  }
  await strike('the standby was killed', () => standby.kill())
  await strike('the standby came back', () => standby.start())
  await strike('a service was upgraded', async () => {
    await upgraded.stop()
    await start(1)
  })
  await strike('the primary was restarted', async () => {
    await primary.stop()
    await primary.start()
    await until('the services are ready again', () => isReady(client))
  })
  await strike('the standby was killed and came back', async () => {
    await standby.kill()
    await standby.start()
  })
  await pause(part)
  const counts = await replicaReads(metricsPorts)
  await writers.stop()
  client.close()
  const judged = await judgeHistory(history, primary.url, {
    fired: counts.fresh ?? 0,
    besides: ['502', '503', '504', 'none'],
    broken: unless(
      [reads.failed.length === 0, 'answers', `${reads.failed.length} reads failed, such as ${reads.failed[0]}`],
      [reads.stale.length === 0, 'nothing stale', `${reads.stale.length} stale reads, such as ${reads.stale[0]}`],
    ),
    notes: [
      `${reads.shown + reads.stale.length} reads right after a write by id, list and q; ${reads.retried} tries answered 5xx or not at all`,
      `replicas: ${Object.entries(counts)
        .map(([outcome, count]) => `${outcome} ${count}`)
        .join(', ')}`,
      ...done,
    ],
  })
  return { ...judged, stale: judged.stale + reads.stale.length }
}

export const cluster: Fault = {
  name: 'cluster',
  onlyByName: true,
  run: (house) => throughAll(house, { seconds: house.size(60, 18), strikes: true }),
  control: {
    about: 'replicas unchecked',
    breaks: 'nothing stale',
    run: (house) => throughAll(house, { seconds: 12, strikes: false, plant: plants.uncheckedReplicas }),
  },
}
