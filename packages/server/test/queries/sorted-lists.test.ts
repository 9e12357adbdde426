/** Tests sorted lists that are read by scan, from cached ids, and by index if there are too many ids to cache. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

/** The number of departments in this test, which is more than the search cache stores for one search. */
const recordCount = 200_400

describe('a sorted list of 200,400 records', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    // Names repeat, so that records with equal names must be ordered by id. Every 100th name starts with "Rare".
    await database.execute(
      `drop index departments_search_text_idx;
       insert into departments (name) select case when n % 100 = 0 then 'Rare ' else 'Dept ' end || n % 1000 from generate_series(1, ${recordCount}) n;
       analyze departments`,
    )
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const nameOf = (id: number): string => `${id % 100 === 0 ? 'rare' : 'dept'} ${id % 1000}`
  const idsById = Array.from({ length: recordCount }, (_, index) => index + 1)
  const idsOfNames = Map.groupBy(idsById, nameOf)
  const idsByName = [...idsOfNames.keys()].sort().flatMap((name) => idsOfNames.get(name) ?? [])
  const idsByNameDescending = idsByName.toReversed()
  const idsDescending = idsById.toReversed()
  const rareIds = idsByName.filter((id) => id % 100 === 0)

  const assertPage = async (query: string, expected: readonly number[], offset: number, limit = 5): Promise<void> => {
    const { status, json, text } = await sendRequest(
      `${service.baseUrl}/v1/departments?${query}&limit=${limit}&offset=${offset}`,
    )
    assert.equal(status, 200, text)
    assert.deepEqual(json.meta, { total: expected.length, limit, offset }, query)
    const ids = json.data.map(({ id }: { id: number }) => id)
    assert.deepEqual(ids, expected.slice(offset, offset + limit), `${query} from ${offset}`)
  }

  const offsets = [3, 9_999, 10_000, recordCount - 3, 10 ** 9]

  it('is in order at every offset, forwards and backwards', async () => {
    for (const offset of offsets) {
      await assertPage('sort=name', idsByName, offset)
      await assertPage('sort=-name', idsByNameDescending, offset)
      await assertPage('sort=-id', idsDescending, offset)
    }
  })

  it('is in order if too many records match to cache their ids', async () => {
    for (const offset of [0, 150_000, recordCount]) await assertPage('sort=-name&q=e', idsByNameDescending, offset)
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
    await database.execute(`insert into departments (id, name) values (${10 * recordCount}, 'A first one, rare')`)
    await assertPage('sort=name', [10 * recordCount, ...idsByName], 0)
    await assertPage('sort=name', [10 * recordCount, ...idsByName], 150_000)
    await assertPage('sort=name&q=e', [10 * recordCount, ...idsByName], 20_000)
    await assertPage('sort=name&q=rare', [10 * recordCount, ...rareIds], 0)
  })
})
