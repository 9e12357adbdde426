/** Failover: the standby loses its link, the primary dies, the standby takes over; with a synchronous standby nothing is lost. */
import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import { cloneStandby, withClient } from '../cluster.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing } from '../fault.ts'
import { openHistory } from '../history.ts'
import type { House } from '../house.ts'
import { judgeHistory } from '../judgement.ts'
import type { Relay } from '../relay.ts'
import { openRelay } from '../relay.ts'
import { isReady, until } from '../wait.ts'
import { startWriters } from '../writers.ts'

const writerCount = 16
/** The link is gone for so long before the primary is. */
const apartMs = 500

interface Pair {
  readonly primary: Cluster
  readonly standby: Cluster
  /** Between the two. */
  readonly link: Relay
}

const openPair = async (house: House, isSynchronous: boolean): Promise<Pair> => {
  const primary = await house.cluster(isSynchronous ? ['synchronous_standby_names=*'] : [])
  const link = await openRelay({ to: primary.port })
  house.afterwards(() => link.close())
  const standby = await cloneStandby(primary, link.port)
  house.afterwards(() => standby.remove())
  await withClient(primary.url, (client) =>
    until('the standby follows', async () => {
      const { rows } = await client.query('select sync_state from pg_stat_replication where state = $1', ['streaming'])
      return rows[0]?.sync_state === (isSynchronous ? 'sync' : 'async')
    }),
  )
  return { primary, standby, link }
}

const failOver = async (house: House, isSynchronous: boolean): Promise<Outcome> => {
  const { primary, standby, link } = await openPair(house, isSynchronous)
  // Stands for the address that clients of a database keep when another server takes it over.
  const front = await openRelay({ to: primary.port })
  house.afterwards(() => front.close())
  const address = new URL(primary.url)
  address.port = String(front.port)
  const { origin } = await house.service({ databaseUrl: address.href })
  const client = openClient(origin, writerCount)
  const history = openHistory()
  const writers = startWriters({ client, history, count: writerCount, keys: true })
  house.afterwards(() => writers.stop())
  await until('something was written', async () => writers.begun > 8 * writerCount)
  link.cut()
  await pause(apartMs)
  await primary.kill()
  await withClient(standby.url, (promoter) => promoter.query('select pg_promote()'))
  front.lead(standby.port)
  await until('the service is ready again', () => isReady(client))
  await writers.stop()
  client.close()
  return judgeHistory(history, standby.url, { fired: 1, besides: ['503'] })
}

const failOvers = async (house: House, rounds: number, isSynchronous: boolean): Promise<Outcome> => {
  const outcomes: Outcome[] = []
  for (let round = 0; round < rounds; round += 1) {
    outcomes.push(await failOver(house, isSynchronous))
    await house.clear()
  }
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0)
  return {
    ...nothing,
    fired: sum(({ fired }) => fired),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    lost: sum(({ lost }) => lost),
    duplicated: sum(({ duplicated }) => duplicated),
    stale: sum(({ stale }) => stale),
    slowestMs: Math.max(...outcomes.map(({ slowestMs }) => slowestMs)),
    broken: outcomes.flatMap(({ broken }) => broken),
    notes: outcomes.flatMap(({ notes }) => notes),
  }
}

export const failover: Fault = {
  name: 'failover',
  run: (house) => failOvers(house, house.size(10, 1), true),
  control: {
    about: 'a standby that may lag',
    breaks: 'nothing lost',
    run: (house) => failOvers(house, 1, false),
  },
}
