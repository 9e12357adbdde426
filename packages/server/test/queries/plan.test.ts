import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NamedField, Relation } from '@muster/model'
import { resourceAt } from '@muster/model'
import { planList } from '../../src/queries/list/list.ts'
import type { ListQuery } from '../../src/queries/list/query.ts'

const { allFields: candidateFields } = resourceAt('candidates')
const relation = resourceAt('applications').relations[0] as Relation
const fieldNamed = (name: string): NamedField =>
  candidateFields.find((candidate) => candidate.name === name) as NamedField
const defaultQuery: ListQuery = { limit: 50, offset: 0n, terms: [], filters: [], sort: [] }
const statusFilter = (...values: string[]) => ({ field: fieldNamed('status'), values })
const sortByName = [{ field: fieldNamed('last_name'), descending: false }]

const examples: readonly (readonly [string, Partial<ListQuery>, string])[] = [
  ['the first page', {}, 'scan'],
  ['the last offset of a scan', { offset: 255n }, 'scan'],
  ['a larger offset', { offset: 256n }, 'seekByCount'],
  ['an offset beyond 64 bits', { offset: 10n ** 30n }, 'seekByCount'],
  ['a filter by one status', { filters: [statusFilter('active')] }, 'scan'],
  ['a filter by one status at a larger offset', { filters: [statusFilter('active')], offset: 256n }, 'seekByCount'],
  ['a filter by two statuses', { filters: [statusFilter('active', 'hired')] }, 'seekByCount'],
  ['a filter by eight statuses', { filters: [statusFilter(...'abcdefgh')] }, 'seekByCount'],
  ['a filter by nine statuses', { filters: [statusFilter(...'abcdefghi')] }, 'search'],
  ['a filter by a status that cannot be stored', { filters: [statusFilter('\u0000')] }, 'empty'],
  ['a filter by two statuses of which one cannot be stored', { filters: [statusFilter('\u0000', 'active')] }, 'scan'],
  ['a search term', { terms: ['ada'] }, 'search'],
  ['a search term that no stored text can contain', { terms: ['\u0000'] }, 'empty'],
  ['two filters', { filters: [statusFilter('active'), { field: fieldNamed('source'), values: ['web'] }] }, 'search'],
  ['a filter by a field without row counts', { filters: [{ field: fieldNamed('source'), values: ['web'] }] }, 'search'],
  ['a null filter on a status', { filters: [{ field: fieldNamed('status'), isNull: true }] }, 'search'],
  ['a status of a related record', { filters: [{ relation, conditions: [statusFilter('active')] }] }, 'search'],
  [
    'a related status that cannot be stored',
    { filters: [{ relation, conditions: [statusFilter('\u0000')] }] },
    'empty',
  ],
  ['a sort order', { sort: sortByName }, 'sortedScan'],
  ['a sort order and a filter by one status', { sort: sortByName, filters: [statusFilter('active')] }, 'sortedScan'],
  ['a sort order at the last offset of a scan', { sort: sortByName, offset: 9_999n }, 'sortedScan'],
  ['a sort order at a larger offset', { sort: sortByName, offset: 10_000n }, 'search'],
]

describe('the list strategy', () => {
  for (const [title, query, strategy] of examples)
    it(`for ${title} is ${strategy}`, () => assert.equal(planList({ ...defaultQuery, ...query }).strategy, strategy))
})
