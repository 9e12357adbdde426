/** A stolen login to the database can do little: the exact answer to forty forbidden statements, for each role that serves. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase, withClient } from './support/database.ts'
import { ask, post } from './support/http.ts'
import { muster } from './support/muster.ts'
import { startService } from './support/service.ts'

const refused = '42501'
const readOnly = '25006'

const forbidden: readonly (readonly [statement: string, writer: string, reader: string])[] = [
  // Records that are there
  [`update employees set base_salary = 0`, refused, readOnly],
  [`update leave_requests set status = 'approved' where id = 1`, refused, readOnly],
  [`update muster_writes set token = 'somebody else'`, refused, readOnly],
  [`delete from candidates`, refused, readOnly],
  [`insert into muster_writes (at, route, outcome) values ('2000-01-01', 'x', 'x')`, refused, readOnly],
  [`truncate attendance`, refused, readOnly],
  [`truncate leave_requests restart identity cascade`, refused, readOnly],
  [
    `insert into organizations (name, slug) values ('x', 'taken') on conflict (slug) do update set name = 'y'`,
    refused,
    readOnly,
  ],
  [`merge into departments d using (select 1 as id) s on d.id = s.id when matched then delete`, refused, readOnly],
  [`select * from employees for update`, refused, readOnly],
  // Records of resources that cannot be created, and fields that a create cannot set
  [`insert into employees (status) values ('active')`, refused, readOnly],
  [`insert into candidates (status) values ('active')`, refused, readOnly],
  [`insert into departments (name) values ('x')`, refused, readOnly],
  [`insert into organizations (name, slug, created) values ('x', 'x', '2000-01-01')`, refused, readOnly],
  [`insert into career_sites (name, slug, custom_domain) values ('x', 'x', 'x')`, refused, readOnly],
  [`copy attendance (att_date, status) from stdin`, refused, refused],
  // The books
  [`update muster_ledger set rows = 0`, refused, readOnly],
  [`insert into muster_journal values ('employees', '', 0, 1)`, refused, readOnly],
  [`delete from muster_writes`, refused, readOnly],
  [`select muster_rebuild_books('employees', array['status'])`, refused, refused],
  [`select muster_keep_books('employees', array['status'])`, refused, readOnly],
  // What the service is made of
  [`insert into muster_migrations values ('9999-later.sql', 'x')`, refused, readOnly],
  [`delete from muster_migrations`, refused, readOnly],
  [`select * from muster_seed`, refused, refused],
  [`create table mine (id int)`, refused, readOnly],
  [`create temporary table mine (id int)`, refused, readOnly],
  [`create schema mine`, refused, readOnly],
  [`create function mine() returns int language sql return 1`, refused, readOnly],
  [`alter table employees disable trigger all`, refused, readOnly],
  [`alter table employees add column password text`, refused, readOnly],
  [`drop table employees`, refused, readOnly],
  [`drop trigger muster_books_insert on employees`, refused, readOnly],
  [`create trigger mine after insert on employees execute function muster_books_employees_insert()`, refused, readOnly],
  [`alter table employees owner to current_user`, refused, readOnly],
  [`select setval('leave_requests_id_seq', 1)`, refused, refused],
  // The server and other logins
  [`create role mine superuser`, refused, readOnly],
  [`set session_replication_role = replica`, refused, refused],
  [`set role pg_write_all_data`, refused, refused],
  [`select pg_read_file('postgresql.conf')`, refused, refused],
  [`copy employees to program 'cat'`, refused, refused],
]

describe('the roles that serve', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into organizations (name, slug) values ('x', 'taken')`)
  })
  after(() => database.drop())

  /** The code that each statement is answered with, each in a transaction that leaves nothing behind. */
  const codes = (url: string, before = 'begin') =>
    withClient(url, async (client) => {
      const found: string[] = []
      for (const [statement] of forbidden) {
        await client.query(before)
        found.push(
          await client.query(statement).then(
            () => 'done',
            ({ code }) => code,
          ),
        )
        await client.query('rollback')
      }
      return found
    })

  it('are refused forty statements each', async () => {
    const columns = [await codes(database.env.DATABASE_URL), await codes(database.env.DATABASE_READ_URL)]
    const table = forbidden.map(([statement], row) => [statement, ...columns.map((column) => column[row])])
    assert.equal(forbidden.length, 40)
    assert.deepEqual(table, forbidden)
  })

  it('are refused by their rights alone, where the reader asks for transactions that write', async () => {
    assert.deepEqual(
      await codes(database.env.DATABASE_READ_URL, 'begin read write'),
      forbidden.map(() => refused),
    )
  })

  it('can leave nothing outside of the tables', async () => {
    for (const url of [database.env.DATABASE_URL, database.env.DATABASE_READ_URL])
      await withClient(url, async (client) => {
        await client.query('set default_transaction_read_only = off')
        for (const call of ['lo_create(0)', 'lo_creat(-1)', `lo_from_bytea(0, 'x')`])
          await assert.rejects(client.query(`select ${call}`), { code: refused }, call)
      })
  })

  it('hold exactly these rights', async () => {
    const { rows } = await withClient(database.url, (client) =>
      client.query<{ role: string; held: string }>(
        `select substring(grantee::regrole::text from '_(writer|reader)$') as role,
                lower(privilege_type) || ' ' || object as held
         from (
           select oid::regclass::text as object, relacl as acl from pg_class where relkind <> 'i'
           union all select attrelid::regclass || '.' || attname, attacl from pg_attribute
           union all select oid::regprocedure::text, proacl from pg_proc
           union all select nspname, nspacl from pg_namespace
           union all select datname, datacl from pg_database where datname = current_database()
         ) objects, aclexplode(acl)
         where grantee::regrole::text ~ '_(writer|reader)$' order by 1, 2`,
      ),
    )
    const of = (role: string) => rows.filter((row) => row.role === role).map(({ held }) => held)
    const reads = [...resources.map(({ table }) => table), ...books].map((table) => `select ${table}`)
    const adds = Object.entries(created).flatMap(([table, fields]) => [
      ...`id ${fields}`.split(' ').map((field) => `insert ${table}.${field}`),
      `usage ${table}_id_seq`,
    ])
    const claims = [
      'select muster_idempotency_keys',
      ...['resource', 'key', 'fingerprint', 'record_id'].map((field) => `insert muster_idempotency_keys.${field}`),
    ]
    const notes = 'request_id token route record_id outcome'.split(' ').map((field) => `insert muster_writes.${field}`)
    assert.deepEqual(of('reader').sort(), reads.sort())
    assert.deepEqual(
      of('writer').sort(),
      [
        ...reads,
        ...adds,
        ...claims,
        ...notes,
        'execute muster_note_era()',
        'execute muster_upkeep()',
        'execute muster_forget_keys()',
      ].sort(),
    )
  })

  it('alone have time limits, and the reader alone begins every transaction as one that reads', async () => {
    const { rows } = await withClient(database.url, (client) =>
      client.query<{ role: string; settings: string[] }>(
        `select coalesce(substring(setrole::regrole::text from '_(owner|writer|reader)$'), setrole::regrole::text) as role,
                setconfig as settings
         from pg_db_role_setting where setdatabase in (0, (select oid from pg_database where datname = current_database()))
         and (setrole = 0 or starts_with(setrole::regrole::text, $1)) order by 1`,
        [new URL(database.url).username.replace(/owner$/, '')],
      ),
    )
    const limits = ['statement_timeout=7000ms', 'lock_timeout=2000ms', 'idle_in_transaction_session_timeout=5000ms']
    assert.deepEqual(rows, [
      { role: 'reader', settings: [...limits, 'default_transaction_read_only=on'] },
      { role: 'writer', settings: limits },
    ])
  })

  it('read over one address and create over the other', async () => {
    const shared = await createTestDatabase()
    const service = await startService(shared.url)
    const [writer, reader] = [shared.env.DATABASE_URL, shared.env.DATABASE_READ_URL].map((url) => new URL(url).username)
    try {
      await shared.execute(`revoke select on departments from ${writer}`)
      assert.equal((await ask(`${service.base}/v1/departments`)).status, 200)
      await shared.execute(`revoke select on departments from ${reader}`)
      assert.equal((await ask(`${service.base}/v1/departments?limit=1`)).status, 503)
      await shared.execute(`revoke select on organizations from ${reader}`)
      const created = await post(`${service.base}/v1/organizations`, { name: 'Added', slug: 'added' })
      assert.equal(created.status, 201)
    } finally {
      await service.stop()
      await shared.drop()
    }
  })
})

const books = [
  'muster_migrations',
  'muster_ledger',
  'muster_journal',
  'muster_blocks',
  'muster_era',
  'muster_epoch',
  'muster_shifts',
]

/** By hand from the interface: what a create may set. */
const created = {
  leave_requests: 'employee_id leave_type from_date to_date days status reason applied_on',
  applications: 'candidate_id job_id stage status applied_on stage_entered_on rating rejection_reason',
  organizations: 'name slug default_locale timezone settings_json',
  recruitment_brands:
    'organization_id name slug logo_url favicon_url primary_color accent_color custom_domain settings_json',
  career_sites: 'name slug headline introduction brand_color accent_color logo_url privacy_policy_url is_active',
  organization_teams: 'organization_id parent_id name country department_id settings_json',
  job_distributions: 'job_posting_id career_site_id brand_id locale slug status published_at',
}

const upkeep = ['muster_note_era', 'muster_upkeep', 'muster_forget_keys']

describe('the functions of the database', () => {
  it('run with the rights of the owner only where they are triggers or upkeep, and then look up nothing by a path that others can set', async () => {
    const database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<{
      name: string
      trigger: boolean
      definer: boolean
      settings: string[] | null
      open: boolean
    }>(
      `select proname as name, prorettype = 'trigger'::regtype as trigger, prosecdef as definer, proconfig as settings,
              has_function_privilege('public', oid, 'execute') as open
       from pg_proc where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
    )
    await client.end()
    await database.drop()
    const triggers = rows.filter(({ trigger }) => trigger)
    assert.equal(triggers.length, 4 * resources.length)
    for (const { name, trigger, definer, settings, open } of rows) {
      assert.equal(definer, trigger || upkeep.includes(name), name)
      if (definer) assert.deepEqual(settings, ['search_path=pg_catalog, pg_temp'], name)
      // A trigger function cannot be called; whatever else runs as the owner is granted by name.
      if (definer && !trigger) assert.equal(open, false, name)
    }
  })
})

describe('muster roles', () => {
  const env = {
    DATABASE_MIGRATE_URL: 'postgres://chief:first-secret@127.0.0.1:5432/muster',
    DATABASE_URL: 'postgres://adder:second%2Fsecret@127.0.0.1:5432/muster',
    DATABASE_READ_URL: 'postgres://viewer:third-secret@127.0.0.1:5432/muster',
  }

  it('writes SQL in which no password stands', async () => {
    const { code, out, err } = await muster(['roles'], env)
    assert.deepEqual([code, err], [0, ''])
    assert.doesNotMatch(out, /secret/)
    assert.equal(out.match(/password 'SCRAM-SHA-256\$4096:/g)?.length, 3)
    for (const role of ['chief', 'adder', 'viewer'])
      assert.match(out, new RegExp(`^alter role "${role}" with login`, 'm'))
  })

  const mistakes: [rule: string, env: Record<string, string>, sentence: RegExp][] = [
    ['an address is missing', { DATABASE_READ_URL: '' }, /^DATABASE_READ_URL names no user: write it as /],
    ['an address names no user', { DATABASE_URL: 'postgres://127.0.0.1/muster' }, /^DATABASE_URL names no user: /],
    ['two addresses name one user', { DATABASE_READ_URL: env.DATABASE_URL }, /should each name another user\.$/],
    [
      'they name two databases',
      { DATABASE_URL: 'postgres://adder:x@127.0.0.1/other' },
      /should name the same database\.$/,
    ],
    [
      'a password has several spellings',
      { DATABASE_URL: 'postgres://adder:%C3%A9@h/muster' },
      /^The password of "adder" should have ASCII/,
    ],
  ]
  for (const [rule, change, sentence] of mistakes) {
    it(`says so where ${rule}`, async () => {
      const { code, out, err } = await muster(['roles'], { ...env, ...change })
      assert.deepEqual([code, out], [1, ''])
      assert.match(err.trimEnd(), sentence)
    })
  }
})
