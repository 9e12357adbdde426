import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NamedField, Resource } from '@muster/model'
import { resourceAt, resources } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'

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

  const queryFirstColumn = async (sql: string, values: unknown[] = []): Promise<unknown[]> =>
    (await client.query({ text: sql, values, rowMode: 'array' })).rows.map(([value]) => value)

  for (const resource of resources) {
    it(`has a column of the declared type and nullability for every field of ${resource.path}, and no other columns`, async () => {
      const { rows } = await client.query(
        `select column_name as name, data_type as type, is_nullable = 'YES' as nullable from information_schema.columns
         where table_schema = 'public' and table_name = $1 and column_name !~ '^(search_text|record_json)' order by ordinal_position`,
        [resource.table],
      )
      const declaredColumns = resource.storedFields.map((field) => ({
        name: field.name,
        type: columnTypes[field.kind] ?? 'text',
        nullable: !field.required && field.kind !== 'id',
      }))
      assert.deepEqual(rows, declaredColumns)
    })

    it(`has the same defaults for ${resource.path} as the create operation`, async () => {
      const { rows } = await client.query(
        `select attname as name, pg_get_expr(adbin, adrelid) as expression from pg_attrdef
         join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = $1::regclass and attgenerated = ''`,
        [resource.table],
      )
      const databaseDefaults = new Map(rows.map(({ name, expression }) => [name, expression]))
      for (const field of resource.writableFields) {
        const expression: string | undefined = databaseDefaults.get(field.name)
        if (field.today) assert.equal(expression, "((now() AT TIME ZONE 'utc'::text))::date", field.name)
        else if (typeof field.default === 'string') assert.equal(expression, `'${field.default}'::text`, field.name)
        else assert.equal(expression, field.default?.toString(), field.name)
      }
    })

    it(`has a foreign key for every reference of ${resource.path}`, async () => {
      const constraints = await queryFirstColumn(
        `select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'f' and conrelid = $1::regclass`,
        [resource.table],
      )
      const declaredKeys = resource.allFields
        .filter(({ references }) => references !== undefined)
        .map((field) => foreignKey(resource, field))
      assert.deepEqual(constraints.map((text) => String(text).replace(' DEFERRABLE', '')).sort(), declaredKeys.sort())
    })

    it(`has the declared unique constraints of ${resource.path}`, async () => {
      const constraints = await queryFirstColumn(
        `select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype = 'u' and conrelid = $1::regclass`,
        [resource.table],
      )
      const declaredConstraints = resource.unique.map(
        (names) => `${resource.table}_${names.join('_')}_key UNIQUE (${names.join(', ')})`,
      )
      const expected =
        resource.path === 'organization-teams'
          ? ['organization_teams_organization_id_id_key UNIQUE (organization_id, id)']
          : declaredConstraints
      assert.deepEqual(constraints, expected)
    })

    it(`has an index for every filter and sort order of ${resource.path}, and trigram indexes for search`, async () => {
      const indexes = (
        await queryFirstColumn('select indexdef from pg_indexes where tablename = $1', [resource.table])
      ).map(String)
      for (const field of new Set([...resource.filterableFields, ...resource.sortableFields])) {
        if (field.kind === 'id') continue
        const key = field.kind === 'text' ? `muster_key(${field.name})` : field.name
        assert.ok(
          // An index orders text by code point, even if its column has another collation.
          [key, `${key} COLLATE "C"`].some((indexKey) =>
            indexes.some((definition) => definition.includes(`USING btree (${indexKey}, id)`)),
          ),
          `${resource.path}.${field.name}`,
        )
      }
      const searchColumns = [
        'search_text',
        ...(resource.searchableFields.some(({ personal }) => personal) ? ['search_text_public'] : []),
      ]
      for (const name of searchColumns) {
        assert.ok(
          indexes.some((definition) => definition.includes(`USING gin (${name} gin_trgm_ops)`)),
          `${resource.path}.${name}`,
        )
      }
    })
  }

  it('has no column that could hold a password', async () => {
    const names = await queryFirstColumn(
      `select column_name from information_schema.columns where table_schema = 'public' and column_name ~ 'pass'`,
    )
    assert.deepEqual(names, [])
  })

  it('has no tables except those of the resources and the internal ones', async () => {
    const tables = await queryFirstColumn(
      `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    const internalTables = [
      'muster_audit_log',
      'muster_changes',
      'muster_count_buckets',
      'muster_count_deltas',
      'muster_erased_keys',
      'muster_erasure_secret',
      'muster_idempotency_keys',
      'muster_last_pruned_change',
      'muster_migrations',
      'muster_primary_epoch',
      'muster_seed',
      'muster_server_starts',
      'muster_table_versions',
      'muster_webhooks',
    ]
    assert.deepEqual(tables, [...resources.map(({ table }) => table), ...internalTables].sort())
  })
})

const foreignKey = ({ table }: Resource, { name, references }: NamedField): string => {
  const target = resourceAt(references?.resource ?? '').table
  const within = references?.within
  const columns = within === undefined ? name : `${within}, ${name}`
  const targetColumns = within === undefined ? 'id' : `${within}, id`
  return `${table}_${name}_fkey FOREIGN KEY (${columns}) REFERENCES ${target}(${targetColumns})`
}
