/** The migrated database is what the declarations say: columns, types, nullability, defaults, keys and indexes. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NamedField, Resource } from '@muster/model'
import { resourceAt, resources } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'

const columnTypes: Record<string, string> = {
  id: 'bigint',
  reference: 'bigint',
  integer: 'bigint',
  number: 'double precision',
  date: 'date',
  timestamp: 'timestamp with time zone',
}

describe('the migrated database', () => {
  let database: TestDatabase
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  const column = async (sql: string, values: unknown[] = []): Promise<unknown[]> =>
    (await client.query({ text: sql, values, rowMode: 'array' })).rows.map(([value]) => value)

  for (const resource of resources) {
    it(`has a column of the declared type and nullability for every field of ${resource.path}, and no other`, async () => {
      const { rows } = await client.query(
        `select column_name as name, data_type as type, is_nullable = 'YES' as nullable from information_schema.columns
         where table_schema = 'public' and table_name = $1 and column_name !~ '^(search_text|record_json)' order by ordinal_position`,
        [resource.table],
      )
      const declared = resource.stored.map((field) => ({
        name: field.name,
        type: columnTypes[field.kind] ?? 'text',
        nullable: !field.required && field.kind !== 'id',
      }))
      assert.deepEqual(rows, declared)
    })

    it(`defaults the columns of ${resource.path} as a create does`, async () => {
      const { rows } = await client.query(
        `select attname as name, pg_get_expr(adbin, adrelid) as expression from pg_attrdef
         join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = $1::regclass and attgenerated = ''`,
        [resource.table],
      )
      const inDatabase = new Map(rows.map(({ name, expression }) => [name, expression]))
      for (const field of resource.writable) {
        const expression: string | undefined = inDatabase.get(field.name)
        if (field.today) assert.equal(expression, "((now() AT TIME ZONE 'utc'::text))::date", field.name)
        else if (typeof field.default === 'string') assert.equal(expression, `'${field.default}'::text`, field.name)
        else assert.equal(expression, field.default?.toString(), field.name)
      }
    })

    it(`keeps the references of ${resource.path}`, async () => {
      const constraints = await column(
        `select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'f' and conrelid = $1::regclass`,
        [resource.table],
      )
      const declared = resource.all
        .filter(({ references }) => references !== undefined)
        .map((field) => foreignKey(resource, field))
      assert.deepEqual(constraints.map((text) => String(text).replace(' DEFERRABLE', '')).sort(), declared.sort())
    })

    it(`keeps what is unique in ${resource.path}`, async () => {
      const constraints = await column(
        `select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'u' and conrelid = $1::regclass`,
        [resource.table],
      )
      const declared = resource.unique.map(
        (names) => `${resource.table}_${names.join('_')}_key UNIQUE (${names.join(', ')})`,
      )
      const expected =
        resource.path === 'organization-teams'
          ? ['organization_teams_organization_id_id_key UNIQUE (organization_id, id)']
          : declared
      assert.deepEqual(constraints, expected)
    })

    it(`has an index behind every filter, range, reference and order of ${resource.path}, and a trigram index behind its search`, async () => {
      const indexes = (await column('select indexdef from pg_indexes where tablename = $1', [resource.table])).map(
        String,
      )
      for (const field of new Set([...resource.filters, ...resource.sortable])) {
        if (field.kind === 'id') continue
        const key = field.kind === 'text' ? `muster_key(${field.name})` : field.name
        assert.ok(
          // A column that is not collated by code point itself has an index that is.
          [key, `${key} COLLATE "C"`].some((each) =>
            indexes.some((definition) => definition.includes(`USING btree (${each}, id)`)),
          ),
          `${resource.path}.${field.name}`,
        )
      }
      const searched = [
        'search_text',
        ...(resource.searchable.some(({ personal }) => personal) ? ['search_text_public'] : []),
      ]
      for (const name of searched) {
        assert.ok(
          indexes.some((definition) => definition.includes(`USING gin (${name} gin_trgm_ops)`)),
          `${resource.path}.${name}`,
        )
      }
    })
  }

  it('has no column that could hold a password', async () => {
    const names = await column(
      `select column_name from information_schema.columns where table_schema = 'public' and column_name ~ 'pass'`,
    )
    assert.deepEqual(names, [])
  })

  it('has no table besides the declared ones and its own books', async () => {
    const tables = await column(
      `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    const own = [
      'muster_blocks',
      'muster_era',
      'muster_idempotency_keys',
      'muster_journal',
      'muster_ledger',
      'muster_migrations',
      'muster_seed',
      'muster_shifts',
      'muster_writes',
    ]
    assert.deepEqual(tables, [...resources.map(({ table }) => table), ...own].sort())
  })
})

const foreignKey = ({ table }: Resource, { name, references }: NamedField): string => {
  const target = resourceAt(references?.resource ?? '').table
  const within = references?.within
  const columns = within === undefined ? name : `${within}, ${name}`
  const targets = within === undefined ? 'id' : `${within}, id`
  return `${table}_${name}_fkey FOREIGN KEY (${columns}) REFERENCES ${target}(${targets})`
}
