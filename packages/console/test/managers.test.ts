import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  directColumns,
  managersOfColumn,
  medianOfDirect,
  sortField,
  sortManagers,
  toManagers,
} from '../src/screens/org/managers.ts'
import type { Member } from '../src/screens/org/members.ts'

const member = (id: number, managerId: number | null, depth: number, direct: number, total: number): Member => ({
  id,
  managerId,
  depth,
  direct,
  total,
  designation: null,
  department: null,
  first_name: null,
  last_name: String(id),
  links: {},
})

/** 2 and 3 report to 1, and 4 to 2. The only report of 5 was cut to break a cycle. */
const company = toManagers([
  member(1, null, 0, 9, 99),
  member(5, null, 0, 1, 0),
  member(2, 1, 1, 2, 60),
  member(3, 1, 1, 30, 30),
  member(4, 2, 2, 50, 50),
  member(6, 1, 1, 0, 0),
])
const ids = (managers: readonly { readonly id: number }[]) => managers.map(({ id }) => id)

test('managers have direct reports, and as many levels below as the longest chain of them', () => {
  assert.deepEqual(
    company.map(({ id, levels }) => [id, levels]),
    [
      [1, 3],
      [5, 0],
      [2, 2],
      [3, 1],
      [4, 1],
    ],
  )
})

test('managers are in the order of their direct reports, or of another figure, the largest first', () => {
  assert.deepEqual(ids(sortManagers(company, sortField(undefined))), [4, 3, 1, 2, 5])
  assert.deepEqual(ids(sortManagers(company, sortField('total'))), [1, 2, 4, 3, 5])
  assert.deepEqual(ids(sortManagers(company, sortField('levels'))), [1, 2, 4, 3, 5])
  assert.equal(sortField('-total'), 'direct')
})

test('columns count the managers by their direct reports, those of 20 or more together', () => {
  const columns = directColumns(company)
  assert.deepEqual(
    columns.filter(({ count }) => count > 0).map(({ key, count }) => [key, count]),
    [
      ['1', 1],
      ['2', 1],
      ['9', 1],
      ['20-', 2],
    ],
  )
  assert.equal(columns.length, 20)
  assert.deepEqual(
    directColumns(company.filter(({ direct }) => direct < 9)).map(({ key }) => key),
    ['1', '2'],
  )
  assert.deepEqual(directColumns([]), [])
  assert.equal(medianOfDirect(company), 9)
  assert.equal(medianOfDirect(company.slice(1)), 2)
  assert.equal(medianOfDirect([]), 0)
})

test('a column leads to its managers, and none to all', () => {
  assert.deepEqual(ids(managersOfColumn(company, { direct: 20 })), [3, 4])
  assert.deepEqual(ids(managersOfColumn(company, { direct: 9 })), [1])
  assert.deepEqual(ids(managersOfColumn(company, undefined)), ids(company))
})
