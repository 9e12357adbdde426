/** The tables that the migrations make are those of the declarations, and generated migrations work on a database. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Resource } from '@muster/model'
import {
  createTablesSql,
  date,
  resource as declareResource,
  listedResources,
  redacted,
  resourceAt,
  storageMigration,
  storageOf,
  text,
} from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createEmptyDatabase, createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { readTableCatalogue } from '../../../../tests/support/table-catalogue.ts'
import { migrate, readMigrationFiles } from '../../src/postgres/schema/migrate.ts'
import type { Statement } from '../../src/postgres/sql/statement.ts'
import { insertStatement } from '../../src/queries/create/create.ts'
import { findClaimStatement } from '../../src/queries/create/idempotency.ts'
import { getStatement } from '../../src/queries/get.ts'
import { scanStatement } from '../../src/queries/list/scan.ts'
import { findStatement } from '../../src/queries/list/search-statements.ts'

/** The migrations that have what the tables need. */
const isPrerequisite = ({ name }: { readonly name: string }): boolean =>
  name < '0005-tables.sql' || name === '0012-history.sql'

const candidates = resourceAt('candidates')
const leave = resourceAt('leave')
const withoutTexts = (resource: Resource): Resource => ({ ...resource, storedTexts: { record: false, search: false } })

const migrationSql = (before: readonly Resource[], after: readonly Resource[]): string => {
  const change = storageMigration(storageOf(before), storageOf(after))
  assert.equal(change.kind, 'migration')
  return change.kind === 'migration' ? change.migration.sql : ''
}

const readCatalogue = (database: TestDatabase) =>
  withClient(database.url, (client) =>
    readTableCatalogue(
      client,
      listedResources.map(({ table }) => table),
    ),
  )

describe('the tables of a migrated database', () => {
  const databases: TestDatabase[] = []
  const opened = async (database: Promise<TestDatabase>): Promise<TestDatabase> => {
    databases.push(await database)
    return database
  }
  after(() => Promise.all(databases.map((database) => database.drop())))

  it('are those of the declarations, with every column, constraint, index, trigger and text', async () => {
    const migrated = await opened(createTestDatabase())
    const declared = await opened(createEmptyDatabase())
    const prerequisites = (await readMigrationFiles()).filter(isPrerequisite)
    await migrate(declared.url, { files: prerequisites })
    await declared.query(createTablesSql(storageOf(listedResources)).join('\n'))
    assert.deepEqual(await readCatalogue(migrated), await readCatalogue(declared))
  })

  it('are the same if a field was added later', async () => {
    // Neither field is the last one of its table.
    const earlier = listedResources.map((resource) =>
      resource.path === 'employees' ? withoutFields(resource, ['employment_type', 'probation_end']) : resource,
    )
    const upgraded = await opened(createEmptyDatabase())
    await migrate(upgraded.url, { files: (await readMigrationFiles()).filter(isPrerequisite) })
    await upgraded.query(createTablesSql(storageOf(earlier)).join('\n'))
    await upgraded.query(`insert into employees (code, status, date_of_joining) values ('E1', 'active', '2020-01-02')`)
    const [before] = await upgraded.query<{ changes: number }>(changesSql)
    await upgraded.query(migrationSql(earlier, listedResources))
    const [record] = await upgraded.query<{ record_json: string }>('select record_json from employees')
    const fields = JSON.parse(record?.record_json ?? '{}')
    assert.deepEqual(
      Object.keys(fields),
      resourceAt('employees').allFields.map(({ name }) => name),
    )
    assert.equal(fields.date_of_joining, '2020-01-02')
    const [after] = await upgraded.query<{ changes: number }>(changesSql)
    // Clients and caches that hold the record without the new field must read it again.
    assert.ok((after?.changes ?? 0) > (before?.changes ?? 0))
    const migrated = await opened(createTestDatabase())
    const expected = await readCatalogue(migrated)
    assert.deepEqual(
      (await readCatalogue(upgraded)).map(({ name }) => name),
      expected.map(({ name }) => name),
    )
    assert.deepEqual(await readCatalogue(upgraded), expected)
  })
})

const changesSql = `select sum(changes)::int as changes from muster_table_versions where table_name = 'employees'`

const withoutFields = (resource: Resource, names: readonly string[]): Resource =>
  declareResource({
    ...resource,
    fields: Object.fromEntries(Object.entries(resource.fields).filter(([name]) => !names.includes(name))),
  })

describe('a resource whose texts are not stored', () => {
  let stored: TestDatabase
  let unstored: TestDatabase
  before(async () => {
    ;[stored, unstored] = await Promise.all([createTestDatabase(), createTestDatabase()])
    const paths = ['candidates', 'leave']
    await unstored.query(
      migrationSql(
        listedResources,
        listedResources.map((each) => (paths.includes(each.path) ? withoutTexts(each) : each)),
      ),
    )
    for (const database of [stored, unstored])
      await database.query(
        `insert into candidates (first_name, last_name, headline, status, created)
         values ('Zoë', 'Straße', 'Engineer', 'active', '2026-01-02T03:04:05Z'), (null, 'Ek', null, 'new', null)`,
      )
  })
  after(() => Promise.all([stored.drop(), unstored.drop()]))

  /** The rows of a statement without the version, which differs between databases. */
  const rowsOf = async (database: TestDatabase, { text: sql, values }: Pick<Statement, 'text' | 'values'>) => {
    const rows = await database.query<Record<string, unknown>>(sql, values)
    return rows.map(({ version: _, ...row }) => row)
  }
  const query = { terms: [], filters: [], sort: [], limit: 50, offset: 0n }
  const statements: Record<string, (resource: Resource) => Statement> = {
    'a list': (resource) => scanStatement(resource, query),
    'a search': (resource) => findStatement(resource, { ...query, terms: ['strasse'] }),
    'a search for a public text': (resource) => findStatement(resource, { ...query, terms: ['ENGI'] }),
    'a record': (resource) => getStatement(resource, [1n, 2n, 3n]),
  }
  for (const [name, statement] of Object.entries(statements)) {
    for (const [access, view] of Object.entries({ 'a token': (each: Resource) => each, 'no token': redacted })) {
      it(`responds to ${name} with ${access} as if they were stored`, async () => {
        const rows = await rowsOf(unstored, statement(view(withoutTexts(candidates))))
        assert.deepEqual(rows, await rowsOf(stored, statement(view(candidates))))
        assert.ok(rows.length > 0)
      })
    }
  }

  it('searches by an index', () =>
    withClient(unstored.url, async (client) => {
      const { text: sql, values } = findStatement(withoutTexts(candidates), { ...query, terms: ['strasse'] })
      await client.query('set enable_seqscan = off')
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...values])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      assert.match(plan, /Bitmap Index Scan on candidates_search_text_idx/)
    }))

  it('is created with the same response, and reports updates in the change feed', async () => {
    const origin = { actor: { requestId: 'request', token: 'token' } }
    const values = new Map([
      ['leave_type', 'annual'],
      ['status', 'pending'],
    ])
    const [made] = await rowsOf(unstored, insertStatement(withoutTexts(leave), values, origin))
    assert.deepEqual(made, (await rowsOf(stored, insertStatement(leave, values, origin)))[0])
    await unstored.query(`update leave_requests set reason = null`)
    await unstored.query(`update leave_requests set reason = 'x'`)
    const changes = await unstored.query<{ kind: string }>(
      `select kind from muster_changes where table_name = 'leave_requests' order by xid, seq`,
    )
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['created', 'updated'],
    )
  })

  it('is created once with an idempotency key', async () => {
    const claim = { key: 'once', fingerprint: Buffer.from('body') }
    const origin = { actor: { requestId: 'request', token: 'token' }, claim }
    const values = new Map([
      ['leave_type', 'sick'],
      ['status', 'pending'],
    ])
    const created: unknown[] = []
    for (const [database, resource] of [
      [unstored, withoutTexts(leave)],
      [stored, leave],
    ] as const) {
      const insert = insertStatement(resource, values, origin)
      const [first, ...others] = [...(await rowsOf(database, insert)), ...(await rowsOf(database, insert))]
      assert.deepEqual(others, [])
      const [replayed] = await rowsOf(database, findClaimStatement(resource, claim))
      assert.equal(replayed?.record_json, first?.record_json)
      created.push({ ...JSON.parse(String(first?.record_json)), id: undefined })
    }
    assert.deepEqual(created[0], created[1])
  })

  it('can be new', async () => {
    const database = await createTestDatabase()
    try {
      const { computedFilters: _, ...declaration } = withoutTexts(resourceAt('departments'))
      const teams = declareResource({ ...declaration, path: 'rooms', table: 'rooms' })
      await database.query(migrationSql(listedResources, [...listedResources, teams]))
      await database.query(`insert into rooms (name) values ('Aula'), ('Küche')`)
      const rows = await rowsOf(database, findStatement(teams, { ...query, terms: ['kuche'] }))
      assert.match(JSON.stringify(rows), /Küche/)
    } finally {
      await database.drop()
    }
  })

  it('gets its texts when they are stored again', async () => {
    const paths = ['candidates', 'leave']
    const current = listedResources.map((each) => (paths.includes(each.path) ? withoutTexts(each) : each))
    await unstored.query(migrationSql(current, listedResources))
    assert.deepEqual(
      await rowsOf(unstored, scanStatement(candidates, query)),
      await rowsOf(stored, scanStatement(candidates, query)),
    )
  })
})

describe('a migration for a new field', () => {
  it('adds the field while the table has records', async () => {
    const database = await createTestDatabase()
    try {
      const employees = resourceAt('employees')
      const extended = declareResource({
        ...employees,
        fields: { ...employees.fields, nickname: text('Nickname.', { filter: true }), promoted_on: date('Day.') },
      })
      await database.query(`insert into employees (code, status) values ('E1', 'active')`)
      await database.query(
        migrationSql(
          listedResources,
          listedResources.map((each) => (each.path === 'employees' ? extended : each)),
        ),
      )
      await database.query(`update employees set nickname = 'Bo', promoted_on = '2026-02-03'`)
      const [row] = await database.query<{ search_text: string; record_json: string }>('select * from employees')
      assert.match(row?.search_text ?? '', /bo/)
      assert.deepEqual(JSON.parse(row?.record_json ?? '{}').promoted_on, '2026-02-03')
    } finally {
      await database.drop()
    }
  })
})
