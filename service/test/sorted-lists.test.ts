/** A sorted list is right in each of the ways it is read: walked, by ids that are kept, and by its index where there are very many. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

/** More than a selection keeps the ids of. */
const many = 200_400

describe('a sorted list of very many', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    // Names repeat, so that the id has to decide; every 100th is rare.
    await database.execute(
      `drop index departments_search_text_idx;
       insert into departments (name) select case when n % 100 = 0 then 'Rare ' else 'Dept ' end || n % 1000 from generate_series(1, ${many}) n;
       analyze departments`,
    )
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const nameOf = (id: number): string => `${id % 100 === 0 ? 'rare' : 'dept'} ${id % 1000}`
  const compare = (a: number, b: number): number => {
    const [left, right] = [nameOf(a), nameOf(b)]
    return left === right ? a - b : left < right ? -1 : 1
  }
  const all = Array.from({ length: many }, (_, index) => index + 1).sort(compare)
  const rare = all.filter((id) => id % 100 === 0)

  const check = async (query: string, wanted: readonly number[], offset: number, limit = 5): Promise<void> => {
    const { status, json, text } = await ask(`${service.base}/v1/departments?${query}&limit=${limit}&offset=${offset}`)
    assert.equal(status, 200, text)
    assert.deepEqual(json.meta, { total: wanted.length, limit, offset }, query)
    const ids = json.data.map(({ id }: { id: number }) => id)
    assert.deepEqual(ids, wanted.slice(offset, offset + limit), `${query} from ${offset}`)
  }

  const offsets = [0, 3, 9_999, 10_000, 150_000, many - 3, many, 10 ** 9]

  it('is in order at every offset, forwards and backwards', async () => {
    for (const offset of offsets) {
      await check('sort=name', all, offset)
      await check('sort=-name', all.toReversed(), offset)
      await check(
        'sort=-id',
        Array.from({ length: many }, (_, index) => many - index),
        offset,
      )
    }
  })

  it('is in order where more match a filter than are kept', async () => {
    for (const offset of offsets) await check('sort=-name&q=e', all.toReversed(), offset)
  })

  it('is in order page after page where what matches is kept', async () => {
    for (const offset of [0, 1_000, 1_001, 2_000, rare.length]) {
      await check('sort=name&q=rare', rare, offset)
      await check('sort=-name&q=rare', rare.toReversed(), offset)
    }
  })

  it('keeps the order of the ids where that is asked for, in the same version', async () => {
    const byId = rare.toSorted((a, b) => a - b)
    await check('q=rare', byId, 10)
    await check('sort=id&q=rare', byId, 10)
    await check(
      'sort=id,-name',
      Array.from({ length: many }, (_, index) => index + 1),
      20_000,
    )
  })

  it('shows what was written since', async () => {
    await database.execute(`insert into departments (id, name) values (${10 * many}, 'A first one, rare')`)
    await check('sort=name', [10 * many, ...all], 0)
    await check('sort=name', [10 * many, ...all], 150_000)
    await check('sort=name&q=e', [10 * many, ...all], 20_000)
    await check('sort=name&q=rare', [10 * many, ...rare], 0)
  })
})
