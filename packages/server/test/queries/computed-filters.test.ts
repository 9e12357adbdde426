import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ComputedFilter } from '@muster/model'
import { resources } from '@muster/model'
import { Parameters } from '../../src/postgres/sql/statement.ts'
import { conditionsOf, matchesNothing } from '../../src/queries/filters.ts'

const declared: Omit<ComputedFilter, 'kind'> = { parameter: 'x', about: '', personal: false, tables: [] }
const isEmpty = (kind: ComputedFilter['kind'], value: string): boolean =>
  matchesNothing({ terms: [], filters: [{ computed: { ...declared, kind }, value }] })

const sampleValues = { date: '2026-03-02', 'month-day': '03-02', id: '1', text: 'a', choice: '' }

describe('a computed filter', () => {
  it('matches nothing if no record can have its value, so that PostgreSQL never gets that value', () => {
    assert.equal(isEmpty('id', String(2n ** 63n)), true)
    assert.equal(isEmpty('id', String(-(2n ** 63n) - 1n)), true)
    assert.equal(isEmpty('id', String(2n ** 63n - 1n)), false)
    assert.equal(isEmpty('id', '-5'), false)
    assert.equal(isEmpty('text', 'a\u0000'), true)
    assert.equal(isEmpty('text', ''), false)
    assert.equal(isEmpty('date', '9999-12-31'), false)
  })

  it('has a condition for every declaration, and reads only declared tables', () => {
    for (const resource of resources)
      for (const computed of resource.computedFilters) {
        const value = computed.values?.[0] ?? sampleValues[computed.kind]
        const condition = conditionsOf(resource, { terms: [], filters: [{ computed, value }] }, new Parameters())
        const tables = resources
          .map(({ table }) => table)
          .filter((table) => new RegExp(`\\b${table}\\b`).test(condition))
        for (const table of tables)
          assert.ok(
            [resource.table, ...computed.tables].includes(table),
            `${resource.path}?${computed.parameter}: ${table}`,
          )
      }
  })
})
