/** Tests that responses stay correct after disabled triggers, an interrupted restore or a crashed session. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { openRelay } from '../../../../tests/chaos/relay.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { muster } from '../../../../tests/support/muster.ts'
import type { Cluster } from '../../../../tests/support/postgres-cluster.ts'
import { cloneStandby, crashBackend, makeTemplate, openCluster } from '../../../../tests/support/postgres-cluster.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { noTokens } from '../../src/config/tokens.ts'
import { openDependencies } from '../../src/dependencies.ts'
import { isStartRecorded } from '../../src/postgres/sql/change-position.ts'

const statusOf = async (url: string): Promise<number> => (await sendRequest(url)).status
const readyzOf = ({ baseUrl: base }: RunningService): string => base.replace(/api$/, 'readyz')
const untilReadyz = (service: RunningService, status: number): Promise<number> =>
  waitUntil(`/readyz responds ${status}`, async () => (await statusOf(readyzOf(service))) === status)

describe('triggers for row counts and versions', () => {
  let database: TestDatabase
  let service: RunningService
  let otherService: RunningService
  /** Requests a list until the status is not 503: the service notices a repair only at its next health check. */
  const requestList = async ({ baseUrl: base }: RunningService, etag?: string | null) => {
    const read = () =>
      sendRequest(`${base}/v1/organizations`, etag == null ? {} : { headers: { 'if-none-match': etag } })
    let response = await read()
    await waitUntil('the list does not respond 503', async () => {
      if (response.status === 503) response = await read()
      return response.status !== 503
    })
    return response
  }
  const runRepair = () => muster(['doctor', '--repair'], database.env)
  const runDoctor = async (): Promise<string> => (await muster(['doctor'], database.env)).out
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    otherService = await startService(database.url)
    assert.equal((await post(`${service.baseUrl}/v1/organizations`, { name: 'First', slug: 'first' })).status, 201)
  })
  after(async () => {
    await service.stop()
    await otherService.stop()
    await database.drop()
  })

  it('that were disabled or dropped make the service not ready until a repair, even if they are enabled again', async () => {
    for (const sql of [
      'alter table employees disable trigger muster_counts_update',
      'alter table employees disable trigger all; alter table employees enable trigger all',
      'drop trigger muster_counts_delete on employees',
    ]) {
      await database.execute(sql)
      await untilReadyz(service, 503)
      assert.equal(await statusOf(`${service.baseUrl}/v1/employees`), 503)
      assert.match(
        await runDoctor(),
        /^wrong +triggers +Triggers that keep row counts and versions are missing or were disabled \(employees\): run "npx muster doctor --repair"\.$/m,
      )
      assert.match((await runRepair()).out, /^employees +off by 0, triggers replaced$/m)
      await untilReadyz(service, 200)
      assert.match(await runDoctor(), /^ok +triggers /m)
    }
  })

  it('invalidate earlier cached responses and ETags when they are repaired', async () => {
    await requestList(service)
    const firstResponse = await requestList(service)
    await database.execute(`
      alter table organizations disable trigger muster_counts_update;
      update organizations set name = 'Renamed' where slug = 'first';
      alter table organizations enable always trigger muster_counts_update`)
    assert.match((await runRepair()).out, /^organizations +off by 0$/m)
    await untilReadyz(service, 200)
    for (const at of [service, otherService]) {
      const latestResponse = await requestList(at, firstResponse.headers.get('etag'))
      assert.equal(latestResponse.status, 200)
      assert.equal(latestResponse.json.data[0].name, 'Renamed')
    }
  })

  it('also run with session_replication_role = replica', async () => {
    await requestList(service)
    const firstResponse = await requestList(service)
    await database.execute(`
      set session_replication_role = replica;
      update organizations set name = 'Replicated' where slug = 'first';
      insert into organizations (name, slug) values ('Second', 'second')`)
    const latestResponse = await requestList(service, firstResponse.headers.get('etag'))
    assert.deepEqual(
      [latestResponse.status, latestResponse.json.meta.total, latestResponse.json.data[0].name],
      [200, 2, 'Replicated'],
    )
  })

  it('are checked by muster doctor, as are row counts and trigger functions', async () => {
    await database.execute(`
      alter table organizations disable trigger muster_counts_insert;
      insert into organizations (name, slug) values ('Third', 'third');
      alter table organizations enable always trigger muster_counts_insert`)
    assert.match(await runDoctor(), /^wrong +counts +Row counts are off: organizations by 2\./m)
    await database.execute(`
      create or replace function muster_counts_organizations_update() returns trigger language plpgsql as
      'begin return null; end'`)
    assert.match(
      await runDoctor(),
      /^wrong +triggers +Different from this release: function muster_counts_organizations_update\.\n +fix: npx muster doctor --repair$/m,
    )
    assert.match((await runRepair()).out, /^organizations +off by [1-9]\d*, triggers replaced$/m)
    const outputAfterRepair = await runDoctor()
    assert.match(outputAfterRepair, /^ok +triggers /m)
    assert.match(outputAfterRepair, /^ok +counts /m)
    await untilReadyz(service, 200)
    assert.equal((await requestList(service)).json.meta.total, 3)
  })

  it('have helper functions that muster doctor checks as well', async () => {
    await database.execute(`alter function muster_compact_counts(text) cost 999`)
    const doctorOutput = await runDoctor()
    assert.match(doctorOutput, /^wrong +triggers +Different from this release: function muster_compact_counts\./m)
    await database.execute(`alter function muster_compact_counts(text) cost 100`)
    assert.match(await runDoctor(), /^ok +triggers /m)
  })

  it('make the service not ready after an interrupted restore until they are repaired', async () => {
    const earlierEtag = (await requestList(service)).headers.get('etag')
    await database.execute('refresh materialized view muster_epoch with no data')
    await untilReadyz(service, 503)
    assert.match(await runDoctor(), /^wrong +triggers +A restore of the database is not complete/m)
    assert.equal((await runRepair()).code, 0)
    await untilReadyz(service, 200)
    assert.equal((await requestList(service, earlierEtag)).status, 200)
  })
})

describe('a serving role that changes its own settings', () => {
  it('cannot make creates or reads fail', async () => {
    const database = await createTestDatabase()
    const databaseName = new URL(database.url).pathname.slice(1)
    for (const url of [database.env.DATABASE_URL, database.env.DATABASE_READ_URL])
      await withClient(url, (client) =>
        client.query(`
          begin read write;
          alter role current_user in database ${databaseName} set default_transaction_read_only = on;
          alter role current_user in database ${databaseName} set default_transaction_isolation = 'serializable';
          alter role current_user in database ${databaseName} set search_path = 'pg_catalog';
          alter role current_user in database ${databaseName} set statement_timeout = '1ms';
          commit`),
      )
    const service = await startService(database.url)
    assert.equal((await post(`${service.baseUrl}/v1/organizations`, { name: 'A', slug: 'a' })).status, 201)
    assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations`)).json.meta.total, 1)
    await service.stop()
    await database.drop()
  })
})

describe('a PostgreSQL server', { timeout: 300_000 }, () => {
  let primary: Cluster
  before(async () => {
    const { folder } = await makeTemplate()
    // With these settings, commits with synchronous_commit = off stay in memory so long that a crash loses them.
    primary = await openCluster(folder, ['wal_writer_delay=10s', 'wal_writer_flush_after=1GB'])
  })
  after(async () => {
    await primary?.remove()
  })

  const updateName = (client: Client, name: string) =>
    client.query('update organizations set name = $1 where id = 1', [name])

  it('that loses commits in a crash never uses the same table version for different contents', async (t) => {
    const service = await startService(primary.url)
    t.after(() => service.stop())
    const read = () => sendRequest(`${service.baseUrl}/v1/organizations/1`)
    const readName = () =>
      withClient(
        primary.url,
        async (client) => (await client.query('select name from organizations where id = 1')).rows[0].name,
      )
    let lostCommits = 0
    for (let round = 0; round < 20 && lostCommits === 0; round += 1) {
      await untilReadyz(service, 200)
      const client = await openClient(primary.url)
      // The service records each start of the server with a commit that would flush the one that is to be lost.
      await waitUntil('the start is recorded', async () => {
        const { rows: starts } = await client.query(`select ${isStartRecorded} as recorded`)
        return starts[0].recorded
      })
      const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid
      await client.query('set synchronous_commit = off')
      // The WAL writer would flush the commit before the crash. The server kills it when it restarts.
      const { rows } = await client.query("select pid from pg_stat_activity where backend_type = 'walwriter'")
      process.kill(rows[0].pid, 'SIGSTOP')
      await updateName(client, `lost ${round}`)
      await read()
      const cachedResponse = await read()
      assert.equal(cachedResponse.json.name, `lost ${round}`)
      await crashBackend(primary.url, pid)
      if ((await readName()) === `lost ${round}`) continue
      lostCommits += 1
      await withClient(primary.url, (newClient) => updateName(newClient, 'after the crash'))
      await untilReadyz(service, 200)
      const currentResponse = await sendRequest(`${service.baseUrl}/v1/organizations/1`, {
        headers: { 'if-none-match': cachedResponse.headers.get('etag') ?? '' },
      })
      assert.deepEqual([currentResponse.status, currentResponse.text.includes('after the crash')], [200, true])
    }
    assert.equal(lostCommits, 1, 'no commit was lost in 20 crashes')
  })

  it('that is a standby is rejected as DATABASE_READ_URL until the URL leads to the primary', async (t) => {
    const standby = await cloneStandby(primary, primary.port)
    t.after(() => standby.remove())
    const relay = await openRelay({ to: standby.port })
    t.after(() => relay.close())
    const readUrl = Object.assign(new URL(primary.url), { port: String(relay.port) }).href
    const dependencies = openDependencies({
      databaseUrl: primary.url,
      readUrl,
      poolSize: 2,
      cacheBytes: 1_000_000,
      reads: 'public',
      tokens: noTokens,
    })
    t.after(() => dependencies.close())
    const statusSentences: string[] = []
    dependencies.watch(({ sentence }) => statusSentences.push(sentence), assert.ifError)
    const untilStatus = async (pattern: RegExp) =>
      waitUntil(`the status matches ${pattern}`, async () => pattern.test(statusSentences.at(-1) ?? ''))
    await untilStatus(/^DATABASE_READ_URL points to a standby, .* DATABASE_REPLICA_URLS\.$/)
    assert.equal(dependencies.database.ready, false)
    relay.redirect(primary.port)
    await untilStatus(/^The database is available and its schema is up to date\.$/)
    assert.equal(dependencies.database.ready, true)
    // After this failover, only DATABASE_READ_URL leads to the new primary.
    await withClient(standby.url, (client) => client.query('select pg_promote()'))
    relay.redirect(standby.port)
    await untilStatus(/^DATABASE_READ_URL points to another database than DATABASE_URL: /)
    assert.equal(dependencies.database.ready, false)
  })
})

const openClient = async (connectionString: string): Promise<Client> => {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client
}
