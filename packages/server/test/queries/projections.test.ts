/** Tests the parameters `fields` and `expand` with every list strategy. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resourceAt, withProjection } from '@muster/model'
import { Client } from 'pg'
import type { Resource } from '../../../../tests/contract/contract.ts'
import { fieldsOf, relationsOf, resources } from '../../../../tests/contract/contract.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { fc } from '../../../../tests/support/fast-check.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { PageRequest, Rows } from '../../../../tests/support/reference.ts'
import { expectedPageText, expectedRecordText, readRows } from '../../../../tests/support/reference.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { scanStatement } from '../../src/queries/list/scan.ts'

/** The number of random requests for each resource. Each is tested with a list and with a single record. */
const requestCount = 40

describe('a projection', () => {
  let database: TestDatabase
  let service: RunningService
  let rows: Rows
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { reads: 'redacted' })
    rows = await readRows(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const read = (path: string, view: PageRequest['view']) =>
    sendRequest(
      `${service.baseUrl}/v1/${path}`,
      view === 'full' ? { headers: { authorization: `Bearer ${token}` } } : {},
    )

  const requestsOf = (resource: Resource): fc.Arbitrary<PageRequest> =>
    fc.record({
      resource: fc.constant(resource),
      view: fc.constantFrom('full' as const, 'redacted' as const),
      fields: fc.shuffledSubarray(fieldsOf(resource).map(({ field }) => field)),
      expand: fc.shuffledSubarray(relationsOf(resource).map(({ name }) => name)),
      limit: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 10 })),
      // Small offsets are read by a scan and large ones by row counts. Beyond the last row, the page is empty.
      offset: fc.oneof(fc.nat(20), fc.nat(rows.of(resource).length + 20)),
    })

  for (const resource of resources) {
    it(`of ${resource} matches the reference implementation in ${requestCount} combinations`, async () => {
      await fc.assert(
        fc.asyncProperty(requestsOf(resource), async (request) => {
          const { fields, expand, limit, offset, view } = request
          const projection = `fields=${fields.join(',')}&expand=${expand.join(',')}`
          const listResponse = await read(`${resource}?limit=${limit}&offset=${offset}&${projection}`, view)
          assert.equal(listResponse.text, expectedPageText(rows, request))
          const id = Number(rows.of(resource)[offset]?.id ?? 0)
          const recordResponse = await read(`${resource}/${id}?${projection}`, view)
          const expected = expectedRecordText(rows, request, id)
          if (expected === undefined) assert.equal(recordResponse.status, 404)
          else assert.equal(recordResponse.text, expected)
        }),
        { numRuns: requestCount },
      )
    })
  }

  it('is the same for every list strategy', async () => {
    const filters = [
      'status=active',
      'status=ACTIVE&offset=300',
      'status=active,terminated&offset=10',
      'status=a,b,c,d,e,f,g,h,i,active',
      'q=an',
      'q=an&offset=5',
      'q=an&status=active&dept_id=1',
      'dept_id=1',
      'dept_id=99999999999999999999',
      'offset=1000',
    ]
    const fields = ['id', 'manager_id', 'first_name']
    for (const filter of filters) {
      for (const view of ['full', 'redacted'] as const) {
        const unprojectedResponse = await read(`employees?${filter}`, view)
        const expected = unprojectedResponse.json.data.map(({ id }: { id: number }) => {
          const request = { resource: 'employees' as const, view, fields, expand: ['department', 'manager'] }
          return JSON.parse(expectedRecordText(rows, request, id) ?? 'null')
        })
        const projection = `fields=${fields.join(',')}&expand=manager,department`
        // Each URL is new to the response cache, but the second request uses the cached result of the search.
        for (const suffix of ['', '&fresh']) {
          const { json } = await read(`employees?${filter}&${projection}${suffix}`, view)
          assert.deepEqual(json, { data: expected, meta: unprojectedResponse.json.meta }, `${filter} ${view}`)
        }
      }
    }
  })

  it('reads only the requested columns from the database', () => {
    const employees = resourceAt('employees')
    const fields = employees.allFields.filter(({ name }) => name === 'code')
    const { text } = scanStatement(withProjection(employees, { fields, relations: [] }), {
      limit: 1,
      offset: 0n,
      terms: [],
      filters: [],
      sort: [],
    })
    const readColumns = employees.storedFields.filter(({ name }) => text.includes(`."${name}"`)).map(({ name }) => name)
    assert.deepEqual(readColumns, ['code'])
    assert.doesNotMatch(text, /\.record_json/)
  })

  it('is served while searches use all their connections', async () => {
    const lockHolder = new Client({ connectionString: database.url })
    await lockHolder.connect()
    await lockHolder.query('begin; lock table candidates in access exclusive mode')
    const search = read('candidates?q=x&source=y', 'full')
    // One client may use only one of the two slots of the search pool, and the waiting search occupies it.
    while ((await countWaitingSearches(service)) < 1);
    for (const path of ['employees?fields=id', 'employees/1?fields=id', 'employees?expand=manager&offset=400'])
      assert.equal((await read(path, 'full')).status, 200, path)
    await lockHolder.query('rollback')
    await lockHolder.end()
    assert.equal((await search).status, 200)
  })
})

const countWaitingSearches = async ({ database }: RunningService): Promise<number> => {
  const { rows } = await database.readPool.query(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].waiting
}
