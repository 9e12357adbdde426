import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resources, storageOf } from '@muster/model'
import { readMigrationFiles } from '../../src/postgres/schema/migrate.ts'

/** Texts whose column has the collation of the database, while their index has `collate "C"`. */
const names = new Set(
  Object.values(storageOf(resources)).flatMap(({ columns }) =>
    Object.entries(columns).flatMap(([name, type]) =>
      type.startsWith('text') && !type.includes('collate') ? [name] : [],
    ),
  ),
)

const withoutCollation = (sql: string): string[] =>
  [...sql.matchAll(/muster_key\((?:\w+\.)?(\w+)\)\s*(?:=|<|>|in\b|is (?:not )?distinct)[^\n]*/g)]
    .filter(([, name = '']) => names.has(name))
    .map(([comparison]) => comparison)

describe('the migrations', () => {
  it('compare the keys of names by code point, as the indexes do', async () => {
    assert.ok(names.has('leave_type') && !names.has('status'))
    assert.equal(withoutCollation('public.muster_key(r.branch) = any ($1)').length, 1)
    assert.equal(withoutCollation('public.muster_key(r.branch) collate "C" = any ($1)').length, 0)
    for (const { name, sql } of await readMigrationFiles()) assert.deepEqual(withoutCollation(sql), [], name)
  })
})
