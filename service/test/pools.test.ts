/** The connection pools: how many statements each runs at once, and that pools of the minimum size serve every request. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import type { Statement } from '../src/database/statement.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import { startService } from './support/service.ts'
import { until } from './support/until.ts'

const sizes = { read: 6, list: 3, search: 3, write: 6, control: 1, maintenance: 1, export: 3 }

describe('connection pools', () => {
  let database: TestDatabase
  before(async () => {
    database = await createSeededDatabase()
  })
  after(() => database.drop())

  it('run as many statements at once as they have slots, and no more', async () => {
    const service = await startService(database.url, { poolSize: 6 })
    const { pools } = service.database
    assert.deepEqual(Object.fromEntries(pools.map(({ name, size }) => [name, size])), sizes)
    const { export: _, ...run } = sizes
    for (const [pool, size] of Object.entries(run) as [Statement['pool'], number][]) {
      const use = () => pools.find(({ name }) => name === pool)
      const slow = { pool, text: 'select pg_sleep(0.4)', values: [] }
      // A prepared statement of the search pool runs in other sessions than the unprepared ones, and takes the same slots.
      const named = { ...slow, name: `nap in ${pool}` }
      const running = Array.from({ length: size + 2 }, (_unused, number) =>
        service.database.for(`client ${number}`).run(number % 2 === 0 ? slow : named),
      )
      const settled = Promise.allSettled(running)
      await until(async () => {
        await immediate()
        return use()?.busy === size
      })
      assert.ok((use()?.waiting ?? 0) >= 2, pool)
      await settled
    }
    await service.stop()
  })

  it('of one connection each serve every kind of request', async () => {
    const service = await startService(database.url, { poolSize: 1 })
    const paths = [
      'employees/1',
      'employees/1?expand=department',
      'employees?limit=5',
      'employees?limit=5&offset=300',
      'employees?expand=department&limit=5',
      'employees?sort=-last_name',
      'leave?employee_id=1',
      'employees?q=nobody',
      'employees?q=a&status=active',
      'counts/leave?by=leave_type',
      'departments?format=csv',
    ]
    for (const path of paths) assert.equal((await ask(`${service.base}/v1/${path}`)).status, 200, path)
    const url = `${service.base}/v1/organizations`
    const body = { name: 'One', slug: 'one-connection' }
    assert.deepEqual([(await post(url, body)).status, (await post(url, body)).status], [201, 422])
    await service.stop()
  })
})
