import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NamedField } from '@muster/model'
import { listedResources, resources, trackedFields } from '@muster/model'
import type { Client } from 'pg'
import * as contract from '../../../../tests/contract/contract.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { probeCount } from '../../../../tests/support/probes.ts'

/** SQLSTATE insufficient_privilege. */
const denied = '42501'

const viewOf = (path: string): string => path.replaceAll('-', '_')
const tracked = ['applications', 'candidates', 'employees', 'job-distributions', 'jobs', 'leave']
const versionsOf = (path: string): string => `${viewOf(path)}_versions`
const tableViews = [...contract.resources, 'history'].map(viewOf)
const viewNames = [...tableViews, ...tracked.map(versionsOf)].sort()

const firstColumn = async (client: Client, sql: string): Promise<unknown[]> =>
  (await client.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => value)

const viewList = `select relname::text from pg_class where relnamespace = 'muster_bi'::regnamespace order by 1`

/** Runs a statement in a transaction that is rolled back, and returns its SQLSTATE. */
const sqlstateOf = async (client: Client, statement: string, begin = 'begin'): Promise<string> => {
  await client.query(begin)
  const code = await client.query(statement).then(
    () => 'done',
    (error) => error.code,
  )
  await client.query('rollback')
  return code
}

describe('the views for BI tools', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  it('are one per resource, and one with the versions of each resource that has a history', async () => {
    assert.deepEqual(await withClient(database.url, (client) => firstColumn(client, viewList)), viewNames)
    assert.deepEqual(listedResources.map(({ path }) => viewOf(path)).sort(), tableViews.toSorted())
    assert.deepEqual(
      resources
        .filter((resource) => trackedFields(resource).length > 0)
        .map(({ path }) => path)
        .sort(),
      tracked,
    )
  })

  for (const path of contract.resources) {
    it(`have all fields of ${path} except the personal ones`, async () => {
      const columns = await withClient(database.url, (client) =>
        firstColumn(
          client,
          `select column_name::text from information_schema.columns
           where table_schema = 'muster_bi' and table_name = '${viewOf(path)}' order by ordinal_position`,
        ),
      )
      const shownFields = contract.fieldsOf(path).filter(({ kind, personal }) => !personal && kind !== 'always null')
      assert.deepEqual(
        columns,
        shownFields.map(({ field }) => field),
      )
    })
  }

  it('describe every column', async () => {
    const undescribed = await withClient(database.url, (client) =>
      firstColumn(
        client,
        `select attrelid::regclass || '.' || attname from pg_attribute join pg_class c on c.oid = attrelid
         where relnamespace = 'muster_bi'::regnamespace
         and (col_description(attrelid, attnum) is null or obj_description(attrelid) is null)`,
      ),
    )
    assert.deepEqual(undescribed, [])
  })

  it('do not show a column that is added to a table, nor a new table', async () => {
    const otherDatabase = await createTestDatabase()
    await otherDatabase.execute(`alter table employees add column bonus text; create table bonuses (id int)`)
    assert.equal((await muster(['migrate'], otherDatabase.env)).code, 0)
    await withClient(otherDatabase.analystUrl, async (client) => {
      const { fields } = await client.query('select * from employees')
      assert.ok(fields.length > 5)
      assert.ok(fields.every(({ name }) => name !== 'bonus'))
      assert.deepEqual(await firstColumn(client, viewList), viewNames)
    })
    await otherDatabase.drop()
  })
})

describe('muster migrate', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  const viewOids = () =>
    withClient(database.url, async (client) =>
      Object.fromEntries(
        (
          await client.query(`select relname, oid from pg_class where relnamespace = 'muster_bi'::regnamespace`)
        ).rows.map(({ relname, oid }) => [relname, oid]),
      ),
    )

  it('leaves views as they are if this release defines them so', async () => {
    const oids = await viewOids()
    assert.equal((await muster(['migrate'], database.env)).code, 0)
    assert.deepEqual(await viewOids(), oids)
  })

  it('replaces views that are missing or different, and the analyst can read the new ones', async () => {
    const oids = await viewOids()
    await database.execute(
      `drop view muster_bi.leave; alter view muster_bi.brands set (security_barrier);
       do $$ begin
         execute 'create or replace view muster_bi.employees as '
           || regexp_replace(pg_get_viewdef('muster_bi.employees'::regclass), '\\mcode\\M', 'email as code');
       end $$;
       comment on column muster_bi.candidates.headline is 'Changed'`,
    )
    assert.equal((await muster(['migrate'], database.env)).code, 0)
    const newOids = await viewOids()
    assert.deepEqual(Object.keys(newOids).sort(), viewNames)
    assert.deepEqual(
      viewNames.filter((name) => newOids[name] !== oids[name]),
      ['brands', 'candidates', 'employees', 'leave'],
    )
    await withClient(database.analystUrl, async (client) => {
      for (const name of viewNames) await client.query(`select * from ${name}`)
    })
  })

  it('says what to do if another view depends on one that it has to replace', async () => {
    await database.execute(
      `create view muster_bi.mine as select id from muster_bi.employees; comment on view muster_bi.employees is 'Changed'`,
    )
    const failed = await muster(['migrate'], database.env)
    assert.equal(failed.code, 1)
    assert.match(
      failed.err,
      /cannot drop view muster_bi\.employees because .+ \(view muster_bi\.mine depends on view muster_bi\.employees\): drop what depends on it, run "npx muster migrate" again/,
    )
    await database.execute('drop view muster_bi.mine')
    assert.equal((await muster(['migrate'], database.env)).code, 0)
  })
})

/** A value that differs from that of every other row and text field. */
const replacementOf = ({ kind, name }: NamedField): string => {
  switch (kind) {
    case 'number':
      return `77031000000 + id`
    case 'date':
      return `date '1907-01-01' + (id % 300)::int`
    default:
      return `'zqzq ${name} ' || md5(tableoid::text || id)`
  }
}

describe('the analyst', () => {
  let database: TestDatabase
  before(async () => {
    database = await createSeededDatabase()
  })
  after(() => database.drop())

  const readViews = () =>
    withClient(database.analystUrl, async (client) => {
      const rows: Record<string, unknown[][]> = {}
      for (const name of viewNames)
        rows[name] = (await client.query({ text: `select * from ${name} order by 1, 2`, rowMode: 'array' })).rows
      return rows
    })

  it('reads every row of every view', async () => {
    const rows = await readViews()
    for (const { path, table } of listedResources) {
      const [count] = await database.query<{ count: number }>(`select count(*) from ${table}`)
      assert.equal(rows[viewOf(path)]?.length, count?.count, path)
    }
    assert.ok((rows.employees?.length ?? 0) > 0)
  })

  it('sees the versions that the function of the table returns', async () => {
    await database.execute(`
      update employees set dept_id = (select max(id) from departments), branch = 'Oslo' where id % 3 = 0;
      update employees set branch = null where id % 6 = 0;
      update applications set stage = 'offer', stage_entered_on = '2026-01-02' where id % 2 = 0`)
    for (const path of tracked) {
      const { table } = listedResources.find((resource) => resource.path === path) ?? { table: '' }
      const textOf = (from: string) =>
        `select string_agg(v::text, ' ' order by v::text) as rows, count(*) from ${from} v`
      const [expected] = await database.query<{ rows: string; count: number }>(textOf(`muster_versions_${table}()`))
      const seen = await withClient(database.analystUrl, (client) => client.query(textOf(versionsOf(path))))
      assert.equal(seen.rows[0].rows, expected?.rows, path)
      assert.ok((expected?.count ?? 0) > 0)
    }
  })

  it('sees none of 5,000 personal values, and the same rows whatever these values are', async () => {
    const rowsBefore = await readViews()
    const tables = resources.filter(({ allFields }) => allFields.some(({ personal }) => personal))
    const values: string[] = []
    for (const { table, allFields } of tables) {
      const fields = allFields.filter(({ personal }) => personal)
      await database.query(
        `update ${table} set ${fields.map((field) => `${field.name} = ${replacementOf(field)}`).join(', ')}`,
      )
      const columns = fields.map(({ name }) => `${name}::text`).join(', ')
      const rows = await database.query<{ value: string }>(`select unnest(array[${columns}]) as value from ${table}`)
      values.push(...rows.map(({ value }) => value))
    }
    const probes = [...new Set(values)].slice(0, probeCount(5_000))
    assert.equal(probes.length, probeCount(5_000))
    const rowsAfter = await readViews()
    const shown = new Set(Object.values(rowsAfter).flat(2).map(String))
    assert.deepEqual(
      probes.filter((value) => shown.has(value)),
      [],
    )
    assert.doesNotMatch(JSON.stringify(rowsAfter), /zqzq|\b1907-|77031\d{6}/)
    assert.deepEqual(rowsAfter, rowsBefore)
  })

  it('cannot read a table, a function or a sequence of the schema public', async () => {
    const statements = await withClient(database.url, async (client) => [
      ...(await firstColumn(
        client,
        `select format('select from public.%I', relname) from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'S')`,
      )),
      ...(await firstColumn(
        client,
        `select format('select public.%I(%s)', proname, (select string_agg(format('null::%s', format_type(type, null)), ', ' order by position)
           from unnest(proargtypes::oid[]) with ordinality arguments (type, position)))
         from pg_proc where pronamespace = 'public'::regnamespace and proname like 'muster\\_%'`,
      )),
    ])
    assert.ok(statements.length > 100, `${statements.length} statements`)
    await withClient(database.analystUrl, async (client) => {
      for (const statement of statements)
        assert.equal(await sqlstateOf(client, String(statement), 'begin read write'), denied, String(statement))
    })
  })

  const forbiddenStatements = [
    `select * from public.employees`,
    `select first_name from employees, public.candidates`,
    `insert into departments (name) values ('x')`,
    `update leave set status = 'approved'`,
    `delete from jobs`,
    `create or replace view employees as select 1 as id`,
    `create view mine as select 1`,
    `create table mine (id int)`,
    `create table public.mine (id int)`,
    `create temporary table mine (id int)`,
    `create schema mine`,
    `create function mine() returns int language sql return 1`,
    `alter view employees owner to current_user`,
    `drop view employees`,
    `set session_replication_role = replica`,
    `set role pg_read_all_data`,
    `select pg_read_file('postgresql.conf')`,
    `select lo_create(0)`,
    `copy employees to program 'cat'`,
  ]

  it('cannot write, create anything, or read files of the server', async () => {
    await withClient(database.analystUrl, async (client) => {
      for (const statement of forbiddenStatements)
        assert.equal(await sqlstateOf(client, statement, 'begin read write'), denied, statement)
    })
  })

  it('has exactly the permissions to use the schema and to read its views', async () => {
    const held = await withClient(database.url, (client) =>
      firstColumn(
        client,
        `select lower(privilege_type) || ' ' || object from (
           select oid::regclass::text as object, relacl as acl from pg_class where relkind <> 'i'
           union all select attrelid::regclass || '.' || attname, attacl from pg_attribute
           union all select oid::regprocedure::text, proacl from pg_proc
           union all select nspname, nspacl from pg_namespace
           union all select datname, datacl from pg_database where datname = current_database()
         ) objects, aclexplode(acl)
         where grantee::regrole::text ~ '_analyst$' order by 1`,
      ),
    )
    assert.deepEqual(held, [...viewNames.map((name) => `select muster_bi.${name}`), 'usage muster_bi'].sort())
  })

  it('has time limits and starts read-only transactions', async () => {
    await withClient(database.analystUrl, async (client) => {
      const settings = ['statement_timeout', 'lock_timeout', 'default_transaction_read_only', 'search_path']
      const values = settings.map((name) => `current_setting('${name}')`)
      const { rows } = await client.query({ text: `select ${values.join(', ')}`, rowMode: 'array' })
      assert.deepEqual(rows, [['1min', '2s', 'on', 'muster_bi']])
      await client.query(`set statement_timeout = '50ms'`)
      await assert.rejects(client.query('select pg_sleep(5)'), { code: '57014' })
    })
  })
})

describe('muster doctor', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  /** The line about one check, and its fix. */
  const finding = async (check: string, env: Record<string, string> = {}): Promise<string> => {
    const { out } = await muster(['doctor'], { ...database.env, DATABASE_ANALYST_URL: database.analystUrl, ...env })
    return new RegExp(`^\\w+ +${check} .+\\n(?: +fix: .+\\n)?`, 'm').exec(out)?.[0].replaceAll(/ +/g, ' ') ?? out
  }
  const rolesSqlOf = async (): Promise<string> =>
    (await muster(['roles'], { ...database.env, DATABASE_ANALYST_URL: database.analystUrl })).out

  it('accepts an analyst that reads the views and nothing else, and a deployment without an analyst', async () => {
    assert.match(
      await finding('analyst'),
      /^ok analyst "\w+_analyst" reads the views for BI tools, and nothing else\.\n$/,
    )
    assert.match(await finding('analyst', { DATABASE_ANALYST_URL: '' }), /^ok analyst There is no role for BI tools/)
  })

  it('reports an analyst that can read too much or too little, which "muster roles" corrects', async () => {
    const analyst = new URL(database.analystUrl).username
    await database.execute(`grant usage on schema public to public; grant select on employees to ${analyst}`)
    assert.match(
      await finding('analyst'),
      /^wrong analyst "\w+" may read public\.employees, not only the views for BI tools\./,
    )
    await database.execute(await rolesSqlOf())
    assert.match(await finding('analyst'), /^ok/)
    await database.execute(`revoke select on muster_bi.leave from ${analyst}`)
    assert.match(
      await finding('analyst'),
      /may not read these views of muster_bi: leave\.\n fix: npx muster migrate && /,
    )
    await database.execute(await rolesSqlOf())
    assert.match(await finding('analyst'), /^ok/)
  })

  it('reports settings of the analyst that differ from those of "muster roles"', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await withClient(database.analystUrl, (client) =>
      client.query(`begin read write; alter role current_user in database ${name} set statement_timeout = 0; commit`),
    )
    assert.match(await finding('analyst'), /"\w+_analyst" has statement_timeout=0\./)
    await database.execute(await rolesSqlOf())
    assert.match(await finding('analyst'), /^ok/)
  })

  it('reports changed views, which "muster migrate" replaces', async () => {
    await database.execute(
      'drop view muster_bi.leave; create view muster_bi.leave as select id, reason from leave_requests',
    )
    assert.match(
      await finding('triggers'),
      /^wrong triggers Different from this release: view muster_bi\.leave\.\n fix: npx muster migrate\n$/,
    )
    assert.equal((await muster(['migrate'], database.env)).code, 0)
    assert.match(await finding('triggers'), /^ok/)
  })
})
