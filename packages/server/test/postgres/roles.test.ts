/** Tests that 42 forbidden statements fail with the expected SQLSTATE for each serving role. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listedResources, resources, trackedFields } from '@muster/model'
import pg from 'pg'
import { contractOf, creatable, writableFieldsOf } from '../../../../tests/contract/contract.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { startService } from '../../../../tests/support/service.ts'

/** SQLSTATE insufficient_privilege. */
const denied = '42501'
/** SQLSTATE read_only_sql_transaction. */
const readOnly = '25006'

const forbiddenStatements: readonly (readonly [statement: string, writer: string, reader: string])[] = [
  // Statements that change existing records
  [`update employees set base_salary = 0`, denied, readOnly],
  [`update leave_requests set status = 'approved' where id = 1`, denied, readOnly],
  [`update muster_audit_log set token = 'somebody else'`, denied, readOnly],
  [`delete from candidates`, denied, readOnly],
  [`insert into muster_audit_log (at, route, outcome) values ('2000-01-01', 'x', 'x')`, denied, readOnly],
  [`truncate attendance`, denied, readOnly],
  [`truncate leave_requests restart identity cascade`, denied, readOnly],
  [
    `insert into organizations (name, slug) values ('x', 'taken') on conflict (slug) do update set name = 'y'`,
    denied,
    readOnly,
  ],
  [`merge into departments d using (select 1 as id) s on d.id = s.id when matched then delete`, denied, readOnly],
  [`select * from employees for update`, denied, readOnly],
  // Inserts into tables of resources without create, or into fields that a create cannot set
  [`insert into employees (status) values ('active')`, denied, readOnly],
  [`insert into candidates (status) values ('active')`, denied, readOnly],
  [`insert into departments (name) values ('x')`, denied, readOnly],
  [`insert into organizations (name, slug, created) values ('x', 'x', '2000-01-01')`, denied, readOnly],
  [`insert into career_sites (name, slug, custom_domain) values ('x', 'x', 'x')`, denied, readOnly],
  [`copy attendance (att_date, status) from stdin`, denied, denied],
  // Statements that change row counts and the audit log
  [`update muster_table_versions set rows = 0`, denied, readOnly],
  [`insert into muster_count_deltas values ('employees', '', 0, 1)`, denied, readOnly],
  [`delete from muster_audit_log`, denied, readOnly],
  [`delete from muster_webhooks`, denied, readOnly],
  [`update muster_webhooks set name = 'other'`, denied, readOnly],
  [`select muster_rebuild_counts('employees', array['status'])`, denied, denied],
  [`select muster_track_table('employees', array['status'])`, denied, readOnly],
  // Statements on migrations and the schema
  [`insert into muster_migrations values ('9999-later.sql', 'x')`, denied, readOnly],
  [`delete from muster_migrations`, denied, readOnly],
  [`select * from muster_seed`, denied, denied],
  [`create table mine (id int)`, denied, readOnly],
  [`create temporary table mine (id int)`, denied, readOnly],
  [`create schema mine`, denied, readOnly],
  [`create function mine() returns int language sql return 1`, denied, readOnly],
  [`alter table employees disable trigger all`, denied, readOnly],
  [`alter table employees add column password text`, denied, readOnly],
  [`drop table employees`, denied, readOnly],
  [`drop trigger muster_counts_insert on employees`, denied, readOnly],
  [`create trigger mine after insert on employees execute function muster_counts_employees_insert()`, denied, readOnly],
  [`alter table employees owner to current_user`, denied, readOnly],
  [`select setval('leave_requests_id_seq', 1)`, denied, denied],
  // Statements that concern the server and other roles
  [`create role mine superuser`, denied, readOnly],
  [`set session_replication_role = replica`, denied, denied],
  [`set role pg_write_all_data`, denied, denied],
  [`select pg_read_file('postgresql.conf')`, denied, denied],
  [`copy employees to program 'cat'`, denied, denied],
]

describe('the serving roles', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into organizations (name, slug) values ('x', 'taken')`)
  })
  after(() => database.drop())

  /** Runs each forbidden statement in a transaction of its own that is rolled back, and returns the SQLSTATEs. */
  const sqlstatesOf = (url: string, begin = 'begin') =>
    withClient(url, async (client) => {
      const codes: string[] = []
      for (const [statement] of forbiddenStatements) {
        await client.query(begin)
        codes.push(
          await client.query(statement).then(
            () => 'done',
            ({ code }) => code,
          ),
        )
        await client.query('rollback')
      }
      return codes
    })

  it('cannot run any of 42 forbidden statements', async () => {
    const columns = [await sqlstatesOf(database.env.DATABASE_URL), await sqlstatesOf(database.env.DATABASE_READ_URL)]
    const table = forbiddenStatements.map(([statement], row) => [statement, ...columns.map((column) => column[row])])
    assert.equal(forbiddenStatements.length, 42)
    assert.deepEqual(table, forbiddenStatements)
  })

  it('are limited by permissions even if the reader starts read-write transactions', async () => {
    assert.deepEqual(
      await sqlstatesOf(database.env.DATABASE_READ_URL, 'begin read write'),
      forbiddenStatements.map(() => denied),
    )
  })

  it('cannot create large objects', async () => {
    for (const url of [database.env.DATABASE_URL, database.env.DATABASE_READ_URL])
      await withClient(url, async (client) => {
        await client.query('set default_transaction_read_only = off')
        for (const functionCall of ['lo_create(0)', 'lo_creat(-1)', `lo_from_bytea(0, 'x')`])
          await assert.rejects(client.query(`select ${functionCall}`), { code: denied }, functionCall)
      })
  })

  it('have exactly the permissions that this test lists', async () => {
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
    const privilegesOf = (role: string) => rows.filter((row) => row.role === role).map(({ held }) => held)
    const readPrivileges = [
      ...[...listedResources.map(({ table }) => table), ...internalTables].map((table) => `select ${table}`),
      'usage public',
    ]
    const createPrivileges = creatable.flatMap((resource) => {
      const { table } = contractOf(resource)
      const fields = ['id', ...writableFieldsOf(resource).map(({ field }) => field)]
      return [...fields.map((field) => `insert ${table}.${field}`), `usage ${table}_id_seq`]
    })
    const idempotencyPrivileges = [
      'select muster_idempotency_keys',
      ...['resource', 'key', 'fingerprint', 'record_id'].map((field) => `insert muster_idempotency_keys.${field}`),
    ]
    const auditPrivileges = 'request_id token route record_id outcome'
      .split(' ')
      .map((field) => `insert muster_audit_log.${field}`)
    const stateColumns =
      'status cursor server_start message_id message_body message_cursor attempts next_attempt_at last_error'.split(' ')
    const webhookPrivileges = [
      'select muster_webhooks',
      ...['name', ...stateColumns].map((column) => `insert muster_webhooks.${column}`),
      ...[...stateColumns, 'revision'].map((column) => `update muster_webhooks.${column}`),
    ]
    assert.deepEqual(privilegesOf('reader').sort(), readPrivileges.sort())
    assert.deepEqual(
      privilegesOf('writer').sort(),
      [
        ...readPrivileges,
        ...createPrivileges,
        ...idempotencyPrivileges,
        ...auditPrivileges,
        ...webhookPrivileges,
        'execute muster_record_epoch()',
        'execute muster_maintain()',
        'execute muster_prune_changes(integer)',
        'execute muster_prune_keys()',
      ].sort(),
    )
  })

  it('have timeouts, like the analyst, and only reader and analyst start read-only transactions by default', async () => {
    const { rows } = await withClient(database.url, (client) =>
      client.query<{ role: string; settings: string[] }>(
        `select coalesce(substring(setrole::regrole::text from '_(owner|writer|reader|analyst)$'), setrole::regrole::text) as role,
                setconfig as settings
         from pg_db_role_setting where setdatabase in (0, (select oid from pg_database where datname = current_database()))
         and (setrole = 0 or starts_with(setrole::regrole::text, $1)) order by 1`,
        [new URL(database.url).username.replace(/owner$/, '')],
      ),
    )
    const timeoutSettings = [
      'statement_timeout=7000ms',
      'lock_timeout=2000ms',
      'idle_in_transaction_session_timeout=5000ms',
    ]
    assert.deepEqual(rows, [
      {
        role: 'analyst',
        settings: [
          'statement_timeout=60000ms',
          'lock_timeout=2000ms',
          'idle_in_transaction_session_timeout=60000ms',
          'default_transaction_read_only=on',
          'search_path=muster_bi',
        ],
      },
      { role: 'reader', settings: [...timeoutSettings, 'default_transaction_read_only=on'] },
      { role: 'writer', settings: timeoutSettings },
    ])
  })

  it('are used separately: the reader of DATABASE_READ_URL for reads, the writer of DATABASE_URL for creates', async () => {
    const otherDatabase = await createTestDatabase()
    const service = await startService(otherDatabase.url)
    const [writer, reader] = [otherDatabase.env.DATABASE_URL, otherDatabase.env.DATABASE_READ_URL].map(
      (url) => new URL(url).username,
    )
    try {
      await otherDatabase.execute(`revoke select on departments from ${writer}`)
      assert.equal((await sendRequest(`${service.baseUrl}/v1/departments`)).status, 200)
      await otherDatabase.execute(`revoke select on departments from ${reader}`)
      assert.equal((await sendRequest(`${service.baseUrl}/v1/departments?limit=1`)).status, 503)
      await otherDatabase.execute(`revoke select on organizations from ${reader}`)
      const created = await post(`${service.baseUrl}/v1/organizations`, { name: 'Added', slug: 'added' })
      assert.equal(created.status, 201)
    } finally {
      await service.stop()
      await otherDatabase.drop()
    }
  })
})

const internalTables = [
  'muster_history_from',
  'muster_migrations',
  'muster_table_versions',
  'muster_count_deltas',
  'muster_count_buckets',
  'muster_primary_epoch',
  'muster_epoch',
  'muster_changes',
  'muster_last_pruned_change',
  'muster_server_starts',
]

const maintenanceFunctions = ['muster_record_epoch', 'muster_maintain', 'muster_prune_keys', 'muster_prune_changes']

describe('the database functions', () => {
  it('are security definer only if they are trigger or maintenance functions; all but insert triggers have a fixed search_path', async () => {
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
    const tracked = resources.filter((resource) => trackedFields(resource).length > 0)
    assert.equal(triggers.length, 4 * listedResources.length + 3 * tracked.length)
    for (const { name, trigger, definer, settings, open } of rows) {
      assert.equal(definer, trigger || maintenanceFunctions.includes(name), name)
      // Insert triggers schema-qualify all names instead (hostile-search-path.test.ts).
      if (definer)
        assert.equal(
          settings?.find((setting) => setting.startsWith('search_path=')),
          name.endsWith('_insert') ? undefined : 'search_path=pg_catalog, pg_temp',
          name,
        )
      // Trigger functions cannot be called directly. No other security definer function may be executable by everyone.
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

  it('prints SQL without plain-text passwords', async () => {
    const { code, out, err } = await muster(['roles'], env)
    assert.deepEqual([code, err], [0, ''])
    assert.doesNotMatch(out, /secret/)
    assert.equal(out.match(/password 'SCRAM-SHA-256\$4096:/g)?.length, 3)
    for (const role of ['chief', 'adder', 'viewer'])
      assert.match(out, new RegExp(`^alter role "${role}" with login`, 'm'))
  })

  it('prints no SQL for an analyst unless DATABASE_ANALYST_URL is set', async () => {
    assert.doesNotMatch((await muster(['roles'], env)).out, /muster_bi|usage on schema/)
    const analystUrl = 'postgres://bi:fourth-secret@127.0.0.1:5432/muster'
    const { out } = await muster(['roles'], { ...env, DATABASE_ANALYST_URL: analystUrl })
    assert.doesNotMatch(out, /secret/)
    assert.match(out, /^alter role "bi" with login/m)
    assert.match(out, /^grant select on all tables in schema muster_bi to "bi";$/m)
  })

  const mistakes: [problem: string, env: Record<string, string>, sentence: RegExp][] = [
    ['a URL is missing', { DATABASE_READ_URL: '' }, /^DATABASE_READ_URL names no user: write it as /],
    ['a URL names no user', { DATABASE_URL: 'postgres://127.0.0.1/muster' }, /^DATABASE_URL names no user: /],
    [
      'two URLs name one user',
      { DATABASE_READ_URL: env.DATABASE_URL },
      /^DATABASE_MIGRATE_URL, DATABASE_URL and DATABASE_READ_URL must each name a different user\.$/,
    ],
    [
      'the analyst is one of the other users',
      { DATABASE_ANALYST_URL: env.DATABASE_READ_URL },
      /^DATABASE_MIGRATE_URL, DATABASE_URL, DATABASE_READ_URL and DATABASE_ANALYST_URL must each name a different user\.$/,
    ],
    [
      'the URLs name two databases',
      { DATABASE_URL: 'postgres://adder:x@127.0.0.1/other' },
      /must name the same database\.$/,
    ],
    [
      'a password is not ASCII',
      { DATABASE_URL: 'postgres://adder:%C3%A9@h/muster' },
      /^The password of "adder" must contain only ASCII/,
    ],
  ]
  for (const [problem, change, sentence] of mistakes) {
    it(`reports that ${problem}`, async () => {
      const { code, out, err } = await muster(['roles'], { ...env, ...change })
      assert.deepEqual([code, out], [1, ''])
      assert.match(err.trimEnd(), sentence)
    })
  }
})
