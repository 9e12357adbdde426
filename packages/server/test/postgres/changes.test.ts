import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { resources } from '@muster/model'
import pg from 'pg'
import { insertBaseRows } from '../../../../tests/support/base-rows.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { erasePerson } from '../../src/privacy/erase.ts'

describe('the triggers write to the change feed', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  /** The changes since the last call, one text per row. */
  const takeChanges = async (): Promise<string[]> => {
    const rows = await database.query<{ table_name: string; kind: string; ids: string }>(
      'with taken as (delete from muster_changes returning *) select table_name, kind, ids::text from taken order by xid, seq',
    )
    return rows.map(({ table_name, kind, ids }) => `${table_name} ${kind} ${ids}`)
  }

  it('a single insert, several with consecutive ids, and several with gaps', async () => {
    await database.query("insert into departments (name) values ('a')")
    assert.deepEqual(await takeChanges(), ['departments created {[1,2)}'])
    await database.query("insert into departments (name) select 'b' from generate_series(1, 5)")
    assert.deepEqual(await takeChanges(), ['departments created {[2,7)}'])
    await database.query("insert into departments (id, name) values (20, 'c'), (10, 'c'), (11, 'c'), (-3, 'c')")
    assert.deepEqual(await takeChanges(), ['departments created {[-3,-2),[10,12),[20,21)}'])
  })

  it('at most 10,000 ids per row', async () => {
    await database.query("insert into departments (name) select 'a' from generate_series(1, 25000)")
    assert.deepEqual(await takeChanges(), [
      'departments created {[1,10001)}',
      'departments created {[10001,20001)}',
      'departments created {[20001,25001)}',
    ])
    await database.query('delete from departments where id % 2 = 0')
    const rows = await database.query<{ ids: number; first: number; last: number }>(
      `select (select count(*) from unnest(ids)) as ids, lower(ids) as first, upper(ids) - 1 as last
       from muster_changes where kind = 'deleted' order by seq`,
    )
    assert.deepEqual(rows, [
      { ids: 10_000, first: 2, last: 20_000 },
      { ids: 2_500, first: 20_002, last: 25_000 },
    ])
  })

  it('an update, but only of the records that it changes', async () => {
    await database.query("insert into departments (name) select 'a' || n from generate_series(1, 9) n")
    await takeChanges()
    await database.query("update departments set name = case when id in (3, 4, 7) then 'new' else name end")
    assert.deepEqual(await takeChanges(), ['departments updated {[3,5),[7,8)}'])
    await database.query('update departments set name = name')
    assert.deepEqual(await takeChanges(), [])
    await database.query("update departments set name = 'x' where id = 100")
    assert.deepEqual(await takeChanges(), [])
  })

  it('a changed id as a deleted and a created record', async () => {
    await database.query("insert into departments (name) values ('a'), ('b')")
    await takeChanges()
    await database.query("update departments set id = case id when 1 then 3 else id end, name = 'c'")
    assert.deepEqual(await takeChanges(), [
      'departments created {[3,4)}',
      'departments deleted {[1,2)}',
      'departments updated {[2,3)}',
    ])
  })

  it('a delete and a truncate', async () => {
    await database.query("insert into departments (name) select 'a' from generate_series(1, 9)")
    await takeChanges()
    await database.query('delete from departments where id in (2, 3, 9)')
    assert.deepEqual(await takeChanges(), ['departments deleted {[2,4),[9,10)}'])
    await database.query('truncate departments cascade')
    assert.deepEqual(await takeChanges(), ['departments deleted {[1,2),[4,9)}'])
    await database.query('truncate departments cascade')
    assert.deepEqual(await takeChanges(), [])
  })

  it('nothing if the transaction is rolled back', async () => {
    await database.query(
      "do $$ begin insert into departments (name) values ('a'); raise exception 'no'; exception when others then end $$",
    )
    assert.deepEqual(await takeChanges(), [])
  })

  it('each table under its own name, and under session_replication_role = replica too', async () => {
    const client = new pg.Client(database.url)
    await client.connect()
    await insertBaseRows(client)
    await client.end()
    const changed = await database.query<{ table_name: string }>('select distinct table_name from muster_changes')
    assert.deepEqual(changed.map((row) => row.table_name).toSorted(), resources.map(({ table }) => table).toSorted())
    await takeChanges()
    await database.execute(
      "set session_replication_role = replica; insert into departments (id, name) values (1000, 'a')",
    )
    assert.deepEqual(await takeChanges(), ['departments created {[1000,1001)}'])
  })

  it('every record that erase empties as erased', async () => {
    await database.query(
      `insert into candidates (id, first_name, last_name, email, status) values (1, 'Ann', 'Bee', 'ann@example.com', 'new'), (2, 'Cy', 'Dee', 'cy@example.com', 'new');
       insert into employees (id, code, first_name, last_name, email, candidate_id, status, alumni) values (7, 'E7', 'Ann', 'Bee', 'ann@example.com', 1, 'active', 0), (8, 'E8', 'Ed', 'Fox', 'ed@example.com', null, 'active', 0)`,
    )
    await takeChanges()
    await erasePerson(database.url, { kind: 'candidates', id: '1', dryRun: true })
    assert.deepEqual(await takeChanges(), [])
    await erasePerson(database.url, { kind: 'candidates', id: '1', dryRun: false })
    assert.deepEqual((await takeChanges()).toSorted(), ['candidates erased {[1,2)}', 'employees erased {[7,8)}'])
    await erasePerson(database.url, { kind: 'candidates', id: '1', dryRun: false })
    assert.deepEqual(await takeChanges(), [])
  })

  it('with an exact order of transactions: a row of a later transaction has a greater xid', async () => {
    const early = new pg.Client(database.url)
    await early.connect()
    await early.query('begin; select pg_current_xact_id()')
    await database.query("insert into departments (name) values ('late')")
    await early.query("insert into departments (name) values ('early'); commit")
    await early.end()
    const rows = await database.query<{ ids: string }>('select ids::text from muster_changes order by xid, seq')
    assert.deepEqual(
      rows.map(({ ids }) => ids),
      ['{[2,3)}', '{[1,2)}'],
    )
  })
})

describe('muster_prune_changes', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  it('deletes changes of the given age from the oldest on, and remembers the last', async () => {
    await database.query("insert into departments (name) values ('a')")
    await database.query("insert into departments (name) values ('b')")
    await database.query("insert into departments (name) values ('c')")
    await database.execute(
      "update muster_changes set at = now() - interval '3 days' where ids @> 1::bigint or ids @> 3::bigint",
    )
    // Waits until no older transaction in another database of the server is open.
    for (let left = 3; left === 3; ) {
      await database.query('select muster_prune_changes(2)')
      left = Number((await database.query<{ count: number }>('select count(*) from muster_changes'))[0]?.count)
    }
    assert.deepEqual(await database.query('select ids::text from muster_changes order by seq'), [
      { ids: '{[2,3)}' },
      { ids: '{[3,4)}' },
    ])
    assert.deepEqual(await database.query('select id from muster_last_pruned_change'), [{ id: 1 }])
  })

  it('keeps the changes of the last day, whatever its argument', async () => {
    await database.query("insert into departments (name) values ('a')")
    await database.query('select muster_prune_changes(0)')
    assert.deepEqual(await database.query('select ids::text from muster_changes'), [{ ids: '{[1,2)}' }])
  })
})

describe('muster_record_epoch', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
    await database.query('select muster_record_epoch()')
  })
  afterEach(() => database.drop())

  const startIds = async () =>
    (await database.query<{ id: string }>('select id from muster_server_starts order by position')).map(({ id }) => id)

  it('records each start of the server once', async () => {
    const [first] = await startIds()
    await database.query('select muster_record_epoch()')
    assert.deepEqual(await startIds(), [first])
    await database.execute("update muster_primary_epoch set epoch = epoch || '1'")
    await database.query("insert into departments (name) values ('a')")
    await database.query('select muster_record_epoch()')
    assert.equal((await startIds()).length, 2)
    assert.equal((await startIds())[0], first)
    assert.equal((await database.query('select from muster_changes')).length, 1)
  })

  it('begins the feed again after a restore or a repair', async () => {
    const [first] = await startIds()
    await database.query("insert into departments (name) values ('a')")
    await database.execute("update muster_last_pruned_change set xid = '9', seq = 9, id = 9")
    await database.execute('refresh materialized view muster_epoch')
    await database.query('select muster_record_epoch()')
    const ids = await startIds()
    assert.equal(ids.length, 1)
    assert.notEqual(ids[0], first)
    assert.equal((await database.query('select from muster_changes')).length, 0)
    assert.deepEqual(await database.query('select seq from muster_last_pruned_change'), [{ seq: 0 }])
  })
})
