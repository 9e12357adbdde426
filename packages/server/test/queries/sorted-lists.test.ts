/** Tests sorted lists that are read by scan, from cached ids, and by index if there are too many ids to cache. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

/** Enough departments for every way to find a page. */
const recordCount = 20_400
/** More departments than the search cache stores for one search. */
const largeCount = 200_400

const isRare = (id: number): boolean => id % 10 === 0
const nameOf = (id: number): string => `${isRare(id) ? 'rare' : 'dept'} ${id % 1000}`

/** The ids of so many departments in order of their names, and of their ids where names are equal. */
const idsInOrder = (count: number): number[] => {
  const idsOfNames = Map.groupBy(
    Array.from({ length: count }, (_, index) => index + 1),
    nameOf,
  )
  return [...idsOfNames.keys()].sort().flatMap((name) => idsOfNames.get(name) ?? [])
}

describe('a sorted list', () => {
  let database: TestDatabase
  let service: RunningService
  /** Names repeat, so that records with equal names must be ordered by id. Every tenth name starts with "Rare". */
  const insertDepartments = (firstId: number, lastId: number): Promise<void> =>
    database.execute(
      `insert into departments (name) select case when n % 10 = 0 then 'Rare ' else 'Dept ' end || n % 1000 from generate_series(${firstId}, ${lastId}) n;
       analyze departments`,
    )
  before(async () => {
    database = await createTestDatabase()
    await database.execute('drop index departments_search_text_idx')
    await insertDepartments(1, recordCount)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const assertPage = async (query: string, expected: readonly number[], offset: number, limit = 5): Promise<void> => {
    const { status, json, text } = await sendRequest(
      `${service.baseUrl}/v1/departments?${query}&limit=${limit}&offset=${offset}`,
    )
    assert.equal(status, 200, text)
    assert.deepEqual(json.meta, { total: expected.length, limit, offset }, query)
    const ids = json.data.map(({ id }: { id: number }) => id)
    assert.deepEqual(ids, expected.slice(offset, offset + limit), `${query} from ${offset}`)
  }

  describe('of 20,400 records', () => {
    const idsByName = idsInOrder(recordCount)
    const idsByNameDescending = idsByName.toReversed()
    const idsById = idsByName.toSorted((a, b) => a - b)
    const idsDescending = idsById.toReversed()
    const rareIds = idsByName.filter(isRare)

    it('is in order at every offset, forwards and backwards', async () => {
      for (const offset of [3, 9_999, 10_000, recordCount - 3, 10 ** 9]) {
        await assertPage('sort=name', idsByName, offset)
        await assertPage('sort=-name', idsByNameDescending, offset)
        await assertPage('sort=-id', idsDescending, offset)
      }
    })

    it('is in order on every page if the matching ids are cached', async () => {
      for (const offset of [0, 1_000, 1_001, 2_000, rareIds.length]) {
        await assertPage('sort=name&q=rare', rareIds, offset)
        await assertPage('sort=-name&q=rare', rareIds.toReversed(), offset)
      }
    })

    it('is ordered by id if requested, although the same search is cached in another order', async () => {
      const rareIdsById = rareIds.toSorted((a, b) => a - b)
      await assertPage('q=rare', rareIdsById, 10)
      await assertPage('sort=id&q=rare', rareIdsById, 10)
      await assertPage('sort=id,-name', idsById, 20_000)
    })

    it('shows later writes', async () => {
      const newId = 10 * largeCount
      await database.execute(`insert into departments (id, name) values (${newId}, 'A first one, rare')`)
      await assertPage('sort=name', [newId, ...idsByName], 0)
      await assertPage('sort=name', [newId, ...idsByName], 15_000)
      await assertPage('sort=name&q=rare', [newId, ...rareIds], 0)
      await database.execute(`delete from departments where id = ${newId}`)
      await assertPage('sort=name&q=rare', rareIds, 0)
    })
  })

  describe('of 200,400 records, which are too many matches to cache their ids,', () => {
    const idsByName = idsInOrder(largeCount)
    before(() => insertDepartments(recordCount + 1, largeCount))

    it('is in order', async () => {
      for (const offset of [0, 150_000, largeCount]) await assertPage('sort=-name&q=e', idsByName.toReversed(), offset)
    })

    it('shows later writes', async () => {
      const newId = 10 * largeCount
      await database.execute(`insert into departments (id, name) values (${newId}, 'A first one, rare')`)
      await assertPage('sort=name', [newId, ...idsByName], 150_000)
      await assertPage('sort=name&q=e', [newId, ...idsByName], 20_000)
    })
  })
})
