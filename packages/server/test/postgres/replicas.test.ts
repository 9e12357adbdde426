import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import type { Cluster, Template } from '../../../../tests/support/postgres-cluster.ts'
import { cloneCluster, cloneStandby, makeTemplate, withClient } from '../../../../tests/support/postgres-cluster.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import type { ReplicaState } from '../../src/postgres/replicas.ts'

/** Returns a new number at each call. In a URL it prevents a response from the cache. */
let lastNumber = 0
const uniqueNumber = (): number => {
  lastNumber += 1
  return lastNumber
}
const reads: [name: string, path: () => string][] = [
  ['by list', () => `organizations?limit=${uniqueNumber()}`],
  ['by list at a large offset', () => `organizations?offset=300&limit=${uniqueNumber()}`],
  ['by id', () => `organizations/${(uniqueNumber() % 20) + 1}?fields=id,name`],
  ['by filter', () => `organizations?slug=nobody-${uniqueNumber()}`],
  ['by q', () => `organizations?q=nobody${uniqueNumber()}`],
  ['with related records', () => `brands?expand=organization&limit=${uniqueNumber()}`],
  ['by group', () => `counts/leave?by=status&leave_type=nobody-${uniqueNumber()}`],
]

describe('replicas', { timeout: 300_000 }, () => {
  let template: Template
  let primary: Cluster
  let standby: Cluster
  let service: RunningService
  let primaryOnlyService: RunningService
  const firstReplica = (): ReplicaState => service.replicas[0] as ReplicaState
  const untilUsed = () => waitUntil('the replica is used', async () => firstReplica().usable, 60_000)
  const untilUnused = () => waitUntil('the replica is not used', async () => !firstReplica().usable, 60_000)
  const onStandby = (sql: string) => withClient(standby.url, (client) => client.query(sql))
  const readOutcomes = () => ({ ...firstReplica().outcomes })
  /** Creates a record, reads it by id, by filter and by search, and returns which of the responses contain it. */
  const readBack = async (slug: string): Promise<boolean[]> => {
    const created = await post(`${service.baseUrl}/v1/organizations`, { name: 'Fresh', slug })
    assert.equal(created.status, 201)
    const [record, list, matches] = await Promise.all(
      [`organizations/${created.json.id}`, `organizations?slug=${slug}`, `organizations?q=${slug}`].map((path) =>
        sendRequest(`${service.baseUrl}/v1/${path}`),
      ),
    )
    return [record?.json.slug === slug, list?.json.meta.total === 1, matches?.json.meta.total === 1]
  }
  before(async () => {
    template = await makeTemplate()
    primary = await cloneCluster(template)
    standby = await cloneStandby(primary, primary.port)
    service = await startService(primary.url, { replicaUrls: [standby.url] })
    primaryOnlyService = await startService(primary.url)
    await untilUsed()
  })
  after(async () => {
    await service?.stop()
    await primaryOnlyService?.stop()
    await standby?.remove()
    await primary?.remove()
    await template?.remove()
  })

  it('serve every kind of read with the same bytes and ETag as the primary', async () => {
    for (const [name, path] of reads) {
      const resourcePath = path()
      const outcomesBefore = readOutcomes()
      await waitUntil(`a read ${name} comes from the replica`, async () => {
        const freshBefore = readOutcomes().fresh
        const uncachedPath = `${resourcePath}${resourcePath.includes('?') ? '&' : '?'}unheard=${uniqueNumber()}`
        assert.equal((await sendRequest(`${service.baseUrl}/v1/${uncachedPath}`)).status, 200)
        return readOutcomes().fresh > freshBefore
      })
      assert.equal(readOutcomes().failed, outcomesBefore.failed, name)
      const [fromReplica, fromPrimary] = await Promise.all(
        [service, primaryOnlyService].map(({ baseUrl: base }) => sendRequest(`${base}/v1/${resourcePath}`)),
      )
      assert.equal(fromReplica?.text, fromPrimary?.text, name)
      assert.equal(fromReplica?.headers.get('etag'), fromPrimary?.headers.get('etag'), name)
    }
  })

  it('respond 404 for missing ids, without a query to the primary', async () => {
    const getMissing = () => sendRequest(`${service.baseUrl}/v1/organizations/${1_000_000 + uniqueNumber()}`)
    await waitUntil('a 404 comes from the replica', async () => {
      const { fresh } = readOutcomes()
      assert.equal((await getMissing()).status, 404)
      return readOutcomes().fresh > fresh
    })
    const { stale } = readOutcomes()
    for (let times = 0; times < 5; times += 1) assert.equal((await getMissing()).status, 404)
    assert.equal(readOutcomes().stale, stale)
  })

  it('are not used while they lag behind, and used again once they have caught up', async () => {
    const { stale } = readOutcomes()
    // On a busy machine, the lag may be noticed before the reads: then no stale result is read, and it is tried again.
    for (let attempt = 1; attempt <= 5 && readOutcomes().stale === stale; attempt += 1) {
      await onStandby('select pg_wal_replay_resume()')
      await untilUsed()
      await onStandby('select pg_wal_replay_pause()')
      assert.deepEqual(await readBack(`behind-1-${attempt}`), [true, true, true])
    }
    assert.ok(readOutcomes().stale > stale)
    await untilUnused()
    assert.ok((firstReplica().lagSeconds ?? 0) >= 1)
    const outcomesBefore = readOutcomes()
    assert.deepEqual(await readBack('behind-2'), [true, true, true])
    assert.deepEqual(readOutcomes(), outcomesBefore)
    await onStandby('select pg_wal_replay_resume()')
    await untilUsed()
    assert.deepEqual(await readBack('behind-3'), [true, true, true])
  })

  it('cause no failed reads when they crash, and are used again once they are back', async () => {
    let isReading = true
    const statuses = new Set<number>()
    const readRepeatedly = async (): Promise<void> => {
      while (isReading)
        statuses.add((await sendRequest(`${service.baseUrl}/v1/organizations?limit=1&n=${uniqueNumber()}`)).status)
    }
    const readers = Promise.all([readRepeatedly(), readRepeatedly(), readRepeatedly(), readRepeatedly()])
    await standby.kill()
    await untilUnused()
    await standby.start()
    await untilUsed()
    isReading = false
    await readers
    assert.deepEqual([...statuses], [200])
  })

  it('delay reads only briefly when they hang', async () => {
    await waitUntil('a read comes from the replica', async () => {
      const { fresh } = readOutcomes()
      await sendRequest(`${service.baseUrl}/v1/organizations?limit=2&n=${uniqueNumber()}`)
      return readOutcomes().fresh > fresh
    })
    await standby.signal('SIGSTOP')
    const start = performance.now()
    const responses = await Promise.all(
      [1, 2, 3].map((n) => sendRequest(`${service.baseUrl}/v1/organizations?limit=${n}&n=${uniqueNumber()}`)),
    )
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.ok(performance.now() - start < 6_900)
    await untilUnused()
    await standby.signal('SIGCONT')
    await untilUsed()
  })

  it('are used after a restart of the primary only once they have replayed the log up to the restart', async () => {
    await onStandby('select pg_wal_replay_pause()')
    await primary.stop()
    await primary.start()
    await waitUntil('the service is ready', async () => service.database.ready)
    await untilUnused()
    await onStandby('select pg_wal_replay_resume()')
    await untilUsed()
    await waitUntil('a read comes from the replica', async () => {
      const { fresh } = readOutcomes()
      assert.deepEqual(await readBack(`again-${uniqueNumber()}`), [true, true, true])
      return readOutcomes().fresh > fresh
    })
  })

  it('see different table versions after different writes, even if the change counts are equal', async () => {
    /** The table version after an insert, read in the same transaction, which is then rolled back. */
    const versionInTransaction = () =>
      withClient(primary.url, async (client) => {
        await client.query('begin')
        await client.query(`insert into organizations (name, slug) values ('Seen', 'seen')`)
        const { rows } = await client.query(
          `select sum(changes) as changes, muster_version_fingerprint(array['organizations', 'employees']) as mark from muster_table_versions where table_name = 'organizations'`,
        )
        await client.query('rollback')
        return rows[0] as { changes: string; mark: string }
      })
    const [first, second] = [await versionInTransaction(), await versionInTransaction()]
    assert.equal(first.changes, second.changes)
    assert.notEqual(first.mark, second.mark)
    assert.equal(first.mark.split('.')[1], second.mark.split('.')[1])
  })

  it('are not used after they have been promoted', async () => {
    await onStandby('select pg_promote()')
    const { fresh } = readOutcomes()
    assert.deepEqual(await readBack('promoted'), [true, true, true])
    await untilUnused()
    assert.equal(readOutcomes().fresh, fresh)
  })
})
