/** Reads that a replica answers are those the primary would have given, and no replica that fails makes a read fail. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Cluster, Template } from '../../faults/cluster.ts'
import { cloneCluster, cloneStandby, makeTemplate, withClient } from '../../faults/cluster.ts'
import { until } from '../../faults/wait.ts'
import type { ReplicaState } from '../src/database/replicas.ts'
import { ask, post } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

/** What nobody has asked for before is answered by the database and not from memory. */
let asked = 0
const another = (): number => {
  asked += 1
  return asked
}
const addresses: [name: string, path: () => string][] = [
  ['by list', () => `organizations?limit=${another()}`],
  ['by list from afar', () => `organizations?offset=300&limit=${another()}`],
  ['by id', () => `organizations/${(another() % 20) + 1}?fields=id,name`],
  ['by filter', () => `organizations?slug=nobody-${another()}`],
  ['by q', () => `organizations?q=nobody${another()}`],
  ['with related records', () => `brands?expand=organization&limit=${another()}`],
  ['by group', () => `counts/leave?by=status&leave_type=nobody-${another()}`],
]

describe('replicas', { timeout: 110_000 }, () => {
  let template: Template
  let primary: Cluster
  let standby: Cluster
  let service: RunningService
  let alone: RunningService
  const replica = (): ReplicaState => service.replicas[0] as ReplicaState
  const taken = () => until('the replica is asked', async () => replica().fit)
  const leftOut = () => until('the replica is left out', async () => !replica().fit)
  const onStandby = (sql: string) => withClient(standby.url, (client) => client.query(sql))
  const outcomes = () => ({ ...replica().outcomes })
  /** Reads by id, by list and by q right after a create, and whether each shows it. */
  const readBack = async (mark: string): Promise<boolean[]> => {
    const created = await post(`${service.base}/v1/organizations`, { name: 'Fresh', slug: mark })
    assert.equal(created.status, 201)
    const [record, list, found] = await Promise.all(
      [`organizations/${created.json.id}`, `organizations?slug=${mark}`, `organizations?q=${mark}`].map((path) =>
        ask(`${service.base}/v1/${path}`),
      ),
    )
    return [record?.json.slug === mark, list?.json.meta.total === 1, found?.json.meta.total === 1]
  }
  before(async () => {
    template = await makeTemplate()
    primary = await cloneCluster(template)
    standby = await cloneStandby(primary, primary.port)
    service = await startService(primary.url, { replicaUrls: [standby.url] })
    alone = await startService(primary.url)
    await taken()
  })
  after(async () => {
    await service?.stop()
    await alone?.stop()
    await standby?.remove()
    await primary?.remove()
    await template?.remove()
  })

  it('answer every kind of read in the words and under the tags of the primary', async () => {
    for (const [name, path] of addresses) {
      const address = path()
      const earlier = outcomes()
      await until(`a read ${name} comes from the replica`, async () => {
        const before = outcomes().fresh
        const own = `${address}${address.includes('?') ? '&' : '?'}unheard=${another()}`
        assert.equal((await ask(`${service.base}/v1/${own}`)).status, 200)
        return outcomes().fresh > before
      })
      assert.equal(outcomes().failed, earlier.failed, name)
      const [one, other] = await Promise.all([service, alone].map(({ base }) => ask(`${base}/v1/${address}`)))
      assert.equal(one?.text, other?.text, name)
      assert.equal(one?.headers.get('etag'), other?.headers.get('etag'), name)
    }
  })

  it('respond 404 for ids that no record has, without asking the primary', async () => {
    const absent = () => ask(`${service.base}/v1/organizations/${1_000_000 + another()}`)
    await until('a 404 comes from the replica', async () => {
      const { fresh } = outcomes()
      assert.equal((await absent()).status, 404)
      return outcomes().fresh > fresh
    })
    const { stale } = outcomes()
    for (let times = 0; times < 5; times += 1) assert.equal((await absent()).status, 404)
    assert.equal(outcomes().stale, stale)
  })

  it('are asked again of the primary while they are behind, left out, and taken back by themselves', async () => {
    await onStandby('select pg_wal_replay_pause()')
    const { stale } = outcomes()
    assert.deepEqual(await readBack('behind-1'), [true, true, true])
    assert.ok(outcomes().stale > stale)
    await leftOut()
    assert.ok((replica().lagSeconds ?? 0) >= 1)
    const before = outcomes()
    assert.deepEqual(await readBack('behind-2'), [true, true, true])
    assert.deepEqual(outcomes(), before)
    await onStandby('select pg_wal_replay_resume()')
    await taken()
    assert.deepEqual(await readBack('behind-3'), [true, true, true])
  })

  it('fail no read when they die, and are taken back when they return', async () => {
    let reading = true
    const statuses = new Set<number>()
    const read = async (): Promise<void> => {
      while (reading) statuses.add((await ask(`${service.base}/v1/organizations?limit=1&n=${another()}`)).status)
    }
    const readers = Promise.all([read(), read(), read(), read()])
    await standby.kill()
    await leftOut()
    await standby.start()
    await taken()
    reading = false
    await readers
    assert.deepEqual([...statuses], [200])
  })

  it('hold no read up for long when they hang', async () => {
    await until('a read comes from the replica', async () => {
      const { fresh } = outcomes()
      await ask(`${service.base}/v1/organizations?limit=2&n=${another()}`)
      return outcomes().fresh > fresh
    })
    await standby.signal('SIGSTOP')
    const start = performance.now()
    const answers = await Promise.all(
      [1, 2, 3].map((n) => ask(`${service.base}/v1/organizations?limit=${n}&n=${another()}`)),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.ok(performance.now() - start < 3_000)
    await leftOut()
    await standby.signal('SIGCONT')
    await taken()
  })

  it('are trusted again after a restart of the primary only once they have heard of it', async () => {
    await onStandby('select pg_wal_replay_pause()')
    await primary.stop()
    await primary.start()
    await until('the service is ready', async () => service.database.ready)
    await leftOut()
    await onStandby('select pg_wal_replay_resume()')
    await taken()
    await until('a read comes from the replica', async () => {
      const { fresh } = outcomes()
      assert.deepEqual(await readBack(`again-${another()}`), [true, true, true])
      return outcomes().fresh > fresh
    })
  })

  it('tell states apart that have equal counts', async () => {
    /** What is seen from within a write that is then taken back. */
    const seen = () =>
      withClient(primary.url, async (client) => {
        await client.query('begin')
        await client.query(`insert into organizations (name, slug) values ('Seen', 'seen')`)
        const { rows } = await client.query(
          `select sum(changes) as changes, muster_mark(array['organizations', 'employees']) as mark from muster_ledger where resource = 'organizations'`,
        )
        await client.query('rollback')
        return rows[0] as { changes: string; mark: string }
      })
    const [one, other] = [await seen(), await seen()]
    assert.equal(one.changes, other.changes)
    assert.notEqual(one.mark, other.mark)
    assert.equal(one.mark.split('.')[1], other.mark.split('.')[1])
  })

  it('are never believed once they have been promoted', async () => {
    await onStandby('select pg_promote()')
    const { fresh } = outcomes()
    assert.deepEqual(await readBack('promoted'), [true, true, true])
    await leftOut()
    assert.equal(outcomes().fresh, fresh)
  })
})
