import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listedResources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'

describe('the migrated database', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  const queryNames = async (sql: string): Promise<string[]> =>
    (await database.query<{ name: string }>(sql)).map(({ name }) => name)

  it('has no column that could hold a password', async () => {
    const names = await queryNames(
      `select column_name as name from information_schema.columns where table_schema = 'public' and column_name ~ 'pass'`,
    )
    assert.deepEqual(names, [])
  })

  it('has no tables except those of the resources and the internal ones', async () => {
    const tables = await queryNames(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    )
    const internalTables = [
      'muster_audit_log',
      'muster_changes',
      'muster_count_buckets',
      'muster_count_deltas',
      'muster_erased_keys',
      'muster_erasure_secret',
      'muster_history_from',
      'muster_idempotency_keys',
      'muster_last_pruned_change',
      'muster_migrations',
      'muster_primary_epoch',
      'muster_seed',
      'muster_server_starts',
      'muster_table_versions',
      'muster_webhooks',
    ]
    assert.deepEqual(tables, [...listedResources.map(({ table }) => table), ...internalTables].sort())
  })
})
