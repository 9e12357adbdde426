/** Kills the processes that deliver webhooks, and the database, while records change. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Cluster } from '../../../../tests/support/postgres-cluster.ts'
import { makeTemplate, openCluster, withClient } from '../../../../tests/support/postgres-cluster.ts'
import type { Command } from '../../../../tests/support/process.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { randomNumbers } from '../../../../tests/support/random.ts'
import { readMetricsUrl, scrape } from '../../../../tests/support/scrape.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import type { EndpointsFile } from './environment.ts'
import { makeEndpointsFile } from './environment.ts'
import type { Receiver } from './receiver.ts'
import { accept, newSecret, startReceiver } from './receiver.ts'

/** Every second kill is one of the database. */
const killCount = Number(process.env.WEBHOOK_KILLS ?? 3)
const writerCount = 3

/** Writes in transactions that overlap, until `stop`. A transaction that a kill interrupts may have been committed. */
const startWriters = (url: string, random: (max: number) => number) => {
  let isStopping = false
  const write = async (): Promise<void> => {
    while (!isStopping) {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      try {
        await client.connect()
        while (!isStopping) {
          await client.query('begin')
          await client.query(`insert into departments (name) select 'a' from generate_series(1, $1)`, [1 + random(60)])
          await client.query(`update departments set name = name || 'b' where id % 100 = $1`, [random(100)])
          await pause(random(100))
          await client.query('commit')
        }
      } catch {
        await pause(50)
      } finally {
        await client.end().catch(() => {})
      }
    }
  }
  const ended = Promise.all(Array.from({ length: writerCount }, write))
  return {
    async stop() {
      isStopping = true
      await ended
    },
  }
}

describe('webhooks under kills', () => {
  let cluster: Cluster
  let file: EndpointsFile
  let receiver: Receiver
  const processes: Command[] = []
  before(async () => {
    const { folder } = await makeTemplate()
    cluster = await openCluster(folder, [])
    file = await makeEndpointsFile()
    const secret = newSecret()
    receiver = await startReceiver(secret)
    await file.write([{ name: 'copy', url: receiver.url, secret }])
  })
  after(async () => {
    for (const each of processes) each.signal('SIGKILL')
    await receiver.close()
    await file.remove()
    await cluster.remove()
  })

  const startProcess = (): Command => {
    const env = { DATABASE_URL: cluster.url, MUSTER_WEBHOOKS_FILE: file.path, MUSTER_METRICS_PORT: '0' }
    const started = runCommand('muster.ts', ['webhooks'], env)
    processes.push(started)
    return started
  }
  const isActive = async (command: Command): Promise<boolean> =>
    (await scrape(await readMetricsUrl(command))).get('muster_webhooks_active') === 1
  const receivedChanges = () => receiver.accepted.flatMap(({ changes }) => changes)
  const changesInFeed = () =>
    withClient(cluster.url, async (client) => {
      const { rows } = await client.query<{ change: string }>(
        `select table_name || ' ' || id || ' ' || kind as change from muster_changes
         cross join lateral unnest(ids) as range cross join lateral generate_series(lower(range), upper(range) - 1) as id
         where xid > (select xid from first_change) order by xid, seq, id`,
      )
      return rows.map(({ change }) => change)
    })

  it('deliver every change once per message id, in order', async () => {
    // Both processes run all the time, so that the other one takes over when the active one is killed.
    const running = [startProcess(), startProcess()]
    await waitUntil('the endpoint exists', () =>
      withClient(cluster.url, async (client) => (await client.query('select from muster_webhooks')).rowCount === 1),
    )
    await withClient(cluster.url, (client) =>
      client.query(
        'create table first_change as select coalesce(max(xid::text::bigint), 0)::text::xid8 as xid from muster_changes',
      ),
    )
    const random = randomNumbers(1)
    receiver.respond = async (response) => {
      await pause(random(20))
      accept(response)
    }
    const writers = startWriters(cluster.url, random)
    for (let kill = 0; kill < killCount; kill += 1) {
      const received = receiver.deliveries.length
      await waitUntil('messages are delivered', async () => receiver.deliveries.length > received + 3)
      if (kill % 2 === 1) {
        await cluster.kill()
        await cluster.start()
        continue
      }
      const active = (await isActive(running[0] as Command)) ? 0 : 1
      running[active]?.signal('SIGKILL')
      await running[active]?.exitPromise
      running[active] = startProcess()
    }
    await writers.stop()
    const expected = await changesInFeed()
    assert.ok(expected.length > 1_000, `${expected.length} changes`)
    await waitUntil('all changes are delivered', async () => receivedChanges().length >= expected.length, 60_000)
    assert.deepEqual(receivedChanges(), expected)
    assert.deepEqual(receiver.invalid, [])
    assert.ok(receiver.accepted.every(({ type }) => type === 'muster.changes'))
    for (const command of running) {
      // The last process may still be starting, and handles signals only once it serves its metrics.
      await readMetricsUrl(command)
      command.signal('SIGTERM')
      assert.equal(await command.exitPromise, 0, command.output)
    }
  })
})
