/** Responses stay right after triggers were off, a restore was interrupted, a backend crashed, or a URL led to a standby. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import type { Cluster, Template } from '../../faults/cluster.ts'
import { cloneCluster, cloneStandby, crashBackend, makeTemplate } from '../../faults/cluster.ts'
import { openRelay } from '../../faults/relay.ts'
import { until } from '../../faults/wait.ts'
import { openServices } from '../src/services.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase, withClient } from './support/database.ts'
import { ask, post } from './support/http.ts'
import { muster } from './support/muster.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

const statusOf = async (url: string): Promise<number> => (await ask(url)).status
const readyzOf = ({ base }: RunningService): string => base.replace(/api$/, 'readyz')
const becomes = (service: RunningService, status: number): Promise<number> =>
  until(`/readyz responds ${status}`, async () => (await statusOf(readyzOf(service))) === status)

describe('triggers that are off', () => {
  let database: TestDatabase
  let service: RunningService
  let other: RunningService
  const list = (at: RunningService, tag?: string | null) =>
    ask(`${at.base}/v1/organizations`, tag == null ? {} : { headers: { 'if-none-match': tag } })
  const repair = () => muster(['doctor', '--repair'], database.env)
  const doctor = async (): Promise<string> => (await muster(['doctor'], database.env)).out
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    other = await startService(database.url)
    assert.equal((await post(`${service.base}/v1/organizations`, { name: 'First', slug: 'first' })).status, 201)
  })
  after(async () => {
    await service.stop()
    await other.stop()
    await database.drop()
  })

  it('leave the service not ready until a repair, even after they were enabled again', async () => {
    for (const sql of [
      'alter table employees disable trigger muster_books_update',
      'alter table employees disable trigger all; alter table employees enable trigger all',
      'drop trigger muster_books_delete on employees',
    ]) {
      await database.execute(sql)
      await becomes(service, 503)
      assert.equal(await statusOf(`${service.base}/v1/employees`), 503)
      assert.match(
        await doctor(),
        /^wrong +triggers +Triggers that keep row counts and versions are missing or were disabled \(employees\): run "npx muster doctor --repair"\.$/m,
      )
      assert.match((await repair()).out, /^employees +off by 0, triggers replaced$/m)
      await becomes(service, 200)
      assert.match(await doctor(), /^ok +triggers /m)
    }
  })

  it('are repaired so that no cached response and no ETag from before is used again', async () => {
    await list(service)
    const held = await list(service)
    await database.execute(`
      alter table organizations disable trigger muster_books_update;
      update organizations set name = 'Renamed' where slug = 'first';
      alter table organizations enable always trigger muster_books_update`)
    assert.match((await repair()).out, /^organizations +off by 0$/m)
    await becomes(service, 200)
    for (const at of [service, other]) {
      const now = await list(at, held.headers.get('etag'))
      assert.equal(now.status, 200)
      assert.equal(now.json.data[0].name, 'Renamed')
    }
  })

  it('do not result from session_replication_role = replica, under which versions and counts are kept as well', async () => {
    await list(service)
    const held = await list(service)
    await database.execute(`
      set session_replication_role = replica;
      update organizations set name = 'Replicated' where slug = 'first';
      insert into organizations (name, slug) values ('Second', 'second')`)
    const now = await list(service, held.headers.get('etag'))
    assert.deepEqual([now.status, now.json.meta.total, now.json.data[0].name], [200, 2, 'Replicated'])
  })

  it('are found by the doctor through wrong counts and changed functions', async () => {
    await database.execute(`
      alter table organizations disable trigger muster_books_insert;
      insert into organizations (name, slug) values ('Third', 'third');
      alter table organizations enable always trigger muster_books_insert`)
    assert.match(await doctor(), /^wrong +counts +Row counts are off: organizations by 2\./m)
    await database.execute(`
      create or replace function muster_books_organizations_update() returns trigger language plpgsql as
      'begin return null; end'`)
    assert.match(
      await doctor(),
      /^wrong +triggers +Not as this release defines them: function muster_books_organizations_update\.\n +mend: npx muster doctor --repair$/m,
    )
    assert.match((await repair()).out, /^organizations +off by [1-9]\d*, triggers replaced$/m)
    const cured = await doctor()
    assert.match(cured, /^ok +triggers /m)
    assert.match(cured, /^ok +counts /m)
    await becomes(service, 200)
    assert.equal((await list(service)).json.meta.total, 3)
  })

  it('are not the only fault that the doctor finds: it also names a helper function that was changed', async () => {
    await database.execute(`alter function muster_fold_books(text) cost 999`)
    const out = await doctor()
    assert.match(out, /^wrong +triggers +Not as this release defines them: function muster_fold_books\./m)
    await database.execute(`alter function muster_fold_books(text) cost 100`)
    assert.match(await doctor(), /^ok +triggers /m)
  })

  it('are checked beside an interrupted restore, which also leaves the service not ready until a repair', async () => {
    const before = (await list(service)).headers.get('etag')
    await database.execute('refresh materialized view muster_epoch with no data')
    await becomes(service, 503)
    assert.match(await doctor(), /^wrong +triggers +A restore of the database is not complete/m)
    assert.equal((await repair()).code, 0)
    await becomes(service, 200)
    assert.equal((await list(service, before)).status, 200)
  })
})

describe('the settings of the roles that serve', () => {
  it('cannot be altered by the roles so that creates or reads fail', async () => {
    const database = await createTestDatabase()
    const name = new URL(database.url).pathname.slice(1)
    for (const url of [database.env.DATABASE_URL, database.env.DATABASE_READ_URL])
      await withClient(url, (client) =>
        client.query(`
          begin read write;
          alter role current_user in database ${name} set default_transaction_read_only = on;
          alter role current_user in database ${name} set default_transaction_isolation = 'serializable';
          alter role current_user in database ${name} set search_path = 'pg_catalog';
          alter role current_user in database ${name} set statement_timeout = '1ms';
          commit`),
      )
    const service = await startService(database.url)
    assert.equal((await post(`${service.base}/v1/organizations`, { name: 'A', slug: 'a' })).status, 201)
    assert.equal((await ask(`${service.base}/v1/organizations`)).json.meta.total, 1)
    await service.stop()
    await database.drop()
  })
})

describe('a server of its own', { timeout: 110_000 }, () => {
  let template: Template
  let primary: Cluster
  before(async () => {
    template = await makeTemplate()
    // Commits with synchronous_commit = off stay in memory for as long as a test takes.
    primary = await cloneCluster(template, ['wal_writer_delay=10s', 'wal_writer_flush_after=1GB'])
  })
  after(async () => {
    await primary?.remove()
    await template?.remove()
  })

  const update = (client: Client, name: string) =>
    client.query('update organizations set name = $1 where id = 1', [name])

  it('that loses commits in the crash of a backend never gets the same version twice', async (t) => {
    const service = await startService(primary.url)
    t.after(() => service.stop())
    const read = () => ask(`${service.base}/v1/organizations/1`)
    const nameInTable = () =>
      withClient(
        primary.url,
        async (client) => (await client.query('select name from organizations where id = 1')).rows[0].name,
      )
    let lost = 0
    for (let round = 0; round < 5 && lost === 0; round += 1) {
      await becomes(service, 200)
      const client = await openClient(primary.url)
      const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid
      await client.query('set synchronous_commit = off')
      await update(client, `lost ${round}`)
      await read()
      const cached = await read()
      assert.equal(cached.json.name, `lost ${round}`)
      await crashBackend(primary.url, pid)
      if ((await nameInTable()) === `lost ${round}`) continue
      lost += 1
      await withClient(primary.url, (after) => update(after, 'after the crash'))
      await becomes(service, 200)
      const now = await ask(`${service.base}/v1/organizations/1`, {
        headers: { 'if-none-match': cached.headers.get('etag') ?? '' },
      })
      assert.deepEqual([now.status, now.text.includes('after the crash')], [200, true])
    }
    assert.equal(lost, 1, 'no commit was lost in five crashes')
  })

  it('that is a standby is refused as DATABASE_READ_URL until it is the primary', async (t) => {
    const standby = await cloneStandby(primary, primary.port)
    t.after(() => standby.remove())
    const relay = await openRelay({ to: standby.port })
    t.after(() => relay.close())
    const readUrl = Object.assign(new URL(primary.url), { port: String(relay.port) }).href
    const services = openServices({
      databaseUrl: primary.url,
      readUrl,
      poolSize: 2,
      cacheBytes: 1_000_000,
      reads: 'public',
      tokens: { write: [], read: [] },
    })
    t.after(() => services.close())
    const sentences: string[] = []
    services.watch(({ sentence }) => sentences.push(sentence), assert.ifError)
    const said = async (pattern: RegExp) =>
      until(`the log says ${pattern}`, async () => pattern.test(sentences.at(-1) ?? ''))
    await said(/^DATABASE_READ_URL leads to a standby, .* DATABASE_REPLICA_URLS\.$/)
    assert.equal(services.database.ready, false)
    relay.lead(primary.port)
    await said(/^The database answers and its schema is this release’s\.$/)
    assert.equal(services.database.ready, true)
    // A failover that one of the two URLs has not followed yet.
    await withClient(standby.url, (client) => client.query('select pg_promote()'))
    relay.lead(standby.port)
    await said(/^DATABASE_READ_URL leads to another database than DATABASE_URL: /)
    assert.equal(services.database.ready, false)
  })
})

const openClient = async (connectionString: string): Promise<Client> => {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client
}
