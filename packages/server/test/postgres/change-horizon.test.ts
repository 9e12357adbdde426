/** Which open transactions hold the change feed back. The server is its own, so that no other test has a transaction on it. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import pg from 'pg'
import { withClient } from '../../../../tests/support/database.ts'
import { migrate } from '../../src/postgres/schema/migrate.ts'

describe('muster_change_horizon', () => {
  let server: EmbeddedPostgres
  let url: string
  let otherUrl: string
  let readerUrl: string
  let clients: pg.Client[] = []
  before(async () => {
    server = await startEmbeddedPostgres({ settings: ['max_prepared_transactions=4', 'autovacuum=off'] })
    const urlOf = (database: string, username = 'postgres') =>
      Object.assign(new URL(server.url), { pathname: `/${database}`, username }).href
    url = urlOf('muster')
    otherUrl = urlOf('other')
    readerUrl = urlOf('muster', 'reader')
    await withClient(server.url, async (client) => {
      const { password } = new URL(server.url)
      await client.query('create database muster')
      await client.query('create database other')
      await client.query(`create role reader login password '${decodeURIComponent(password)}'`)
    })
    await withClient(otherUrl, (client) => client.query('create table written (id int)'))
    await migrate(url)
    await withClient(url, (client) => client.query('grant select on muster_changes to reader'))
  })
  after(() => server.stop())
  afterEach(async () => {
    for (const client of clients) await client.end()
    clients = []
    for (const databaseUrl of [url, otherUrl])
      await withClient(databaseUrl, async (client) => {
        const { rows } = await client.query('select gid from pg_prepared_xacts where database = current_database()')
        for (const { gid } of rows) await client.query(`rollback prepared '${gid}'`)
      })
  })

  const open = async (databaseUrl: string, sql: string): Promise<pg.Client> => {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    clients.push(client)
    await client.query(sql)
    return client
  }
  const insert = () => withClient(url, (client) => client.query("insert into departments (name) values ('new')"))
  const isLastChangeShown = async (client: pg.Client): Promise<boolean> =>
    (
      await client.query(
        'select max(xid::text::bigint)::text::xid8 < muster_change_horizon() as shown from muster_changes',
      )
    ).rows[0].shown

  const harmless: Readonly<Record<string, string>> = {
    'has only an id': 'begin; select pg_current_xact_id()',
    'has written': 'begin; insert into written values (1)',
    'is prepared': "begin; insert into written values (1); prepare transaction 'other'",
  }
  for (const [title, sql] of Object.entries(harmless))
    it(`is not held back by a transaction of another database that ${title}, whatever the role of the reader`, async () => {
      await open(otherUrl, sql)
      await insert()
      for (const databaseUrl of [url, readerUrl])
        assert.equal(await withClient(databaseUrl, isLastChangeShown), true, databaseUrl)
    })

  const blocking: Readonly<Record<string, string>> = {
    'has only an id, and may write later': 'begin; select pg_current_xact_id()',
    'has written to the feed': "begin; insert into departments (name) values ('open')",
    'is prepared': "begin; insert into departments (name) values ('open'); prepare transaction 'own'",
  }
  for (const [title, sql] of Object.entries(blocking))
    it(`is held back by a transaction of its own database that ${title}, also next to one of another database`, async () => {
      await open(otherUrl, 'begin; select pg_current_xact_id()')
      await open(url, sql)
      await open(otherUrl, 'begin; select pg_current_xact_id()')
      await insert()
      for (const databaseUrl of [url, readerUrl])
        assert.equal(await withClient(databaseUrl, isLastChangeShown), false, databaseUrl)
    })

  it('is held back in a snapshot by a transaction that has ended since', async () => {
    const writer = await open(url, "begin; insert into departments (name) values ('missing in the snapshot')")
    await insert()
    const exporter = await open(url, 'begin isolation level repeatable read; select 1')
    await writer.query('commit')
    assert.equal(await isLastChangeShown(exporter), false)
    await exporter.query('commit')
    assert.equal(await isLastChangeShown(exporter), true)
  })

  it('does not show the changes of the transaction that reads', async () => {
    await open(otherUrl, 'begin; select pg_current_xact_id()')
    const writer = await open(url, "begin; insert into departments (name) values ('own')")
    assert.equal(await isLastChangeShown(writer), false)
  })
})
