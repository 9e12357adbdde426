import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import type { Statement } from '../../src/postgres/sql/statement.ts'

const poolSizes = { read: 6, list: 3, search: 3, report: 4, write: 6, control: 1, maintenance: 1, export: 3 }

describe('connection pools', () => {
  let database: TestDatabase
  before(async () => {
    database = await createSeededDatabase()
  })
  after(() => database.drop())

  it('run exactly as many statements concurrently as they have slots', async () => {
    const service = await startService(database.url, { poolSize: 6 })
    const { pools } = service.database
    assert.deepEqual(Object.fromEntries(pools.map(({ name, size }) => [name, size])), poolSizes)
    const { export: _, ...concurrentSizes } = poolSizes
    for (const [pool, size] of Object.entries(concurrentSizes) as [Statement['pool'], number][]) {
      const currentPool = () => pools.find(({ name }) => name === pool)
      const slowStatement = { pool, text: 'select pg_sleep(0.4)', values: [] }
      // In the search pool, prepared and unprepared statements use different sessions, but have one limit together.
      const preparedStatement = { ...slowStatement, name: `nap in ${pool}` }
      const results = Array.from({ length: size + 2 }, (_unused, number) =>
        service.database.forClient(`client ${number}`).run(number % 2 === 0 ? slowStatement : preparedStatement),
      )
      const settled = Promise.allSettled(results)
      await waitUntil('all slots are busy', async () => currentPool()?.busy === size)
      assert.ok((currentPool()?.waiting ?? 0) >= 2, pool)
      await settled
    }
    await service.stop()
  })

  it('have the sizes that docs/operations.md lists', async () => {
    const document = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
    const poolSize = 7
    const pools = openDatabase({ url: database.url, poolSize }).pools
    const sizes = new Map([
      ['`MUSTER_POOL_SIZE`', poolSize],
      ['half of `MUSTER_POOL_SIZE`', Math.ceil(poolSize / 2)],
    ])
    const rows = [...document.matchAll(/^\| (\w+) \| [^|]+ \| ((?:half of )?`MUSTER_POOL_SIZE`|\d+) \|$/gm)]
    assert.deepEqual(
      Object.fromEntries(rows.map(([, name, size]) => [name, sizes.get(String(size)) ?? Number(size)])),
      Object.fromEntries(pools.map(({ name, size }) => [name, size])),
    )
    const total = pools.reduce((sum, { size }) => sum + size, 0)
    assert.equal(total, 2 * poolSize + 2 * Math.ceil(poolSize / 2) + 9)
    assert.equal(document.split('at most 2n + 2 × (n / 2, rounded up) + 9').length, 3)
  })

  it('serve every kind of request with one connection each', async () => {
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
    for (const path of paths) assert.equal((await sendRequest(`${service.baseUrl}/v1/${path}`)).status, 200, path)
    const url = `${service.baseUrl}/v1/organizations`
    const body = { name: 'One', slug: 'one-connection' }
    assert.deepEqual([(await post(url, body)).status, (await post(url, body)).status], [201, 422])
    await service.stop()
  })
})
