/** Records of the shape that is asked for: fields and related records, whichever way the page is found, and nothing more. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resourceAt, shaped } from '@muster/model'
import * as fc from 'fast-check'
import { Client } from 'pg'
import { walkStatement } from '../src/operations/list.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { AskedPage, Resource, Rows } from './support/reference.ts'
import { fieldsOf, pageText, readRows, recordText, relationTable, resources } from './support/reference.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

/** Combinations tried of each resource: as a list, and for each again as one record. */
const runs = 250

describe('a shape', () => {
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

  const read = (path: string, view: AskedPage['view']) =>
    ask(`${service.base}/v1/${path}`, view === 'full' ? { headers: { authorization: `Bearer ${token}` } } : {})

  const askedOf = (resource: Resource): fc.Arbitrary<AskedPage> =>
    fc.record({
      resource: fc.constant(resource),
      view: fc.constantFrom('full' as const, 'redacted' as const),
      fields: fc.shuffledSubarray(fieldsOf(resource).map(({ field }) => field)),
      expand: fc.shuffledSubarray(relationTable[resource].map(({ name }) => name)),
      limit: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 10 })),
      // Near the start a page is walked to, from afar it is leapt to, and past the end it is empty.
      offset: fc.oneof(fc.nat(20), fc.nat(rows[resource].length + 20)),
    })

  for (const resource of resources) {
    it(`of ${resource} is what a second opinion says, in ${runs} combinations`, async () => {
      await fc.assert(
        fc.asyncProperty(askedOf(resource), async (asked) => {
          const { fields, expand, limit, offset, view } = asked
          const shape = `fields=${fields.join(',')}&expand=${expand.join(',')}`
          const list = await read(`${resource}?limit=${limit}&offset=${offset}&${shape}`, view)
          assert.equal(list.text, pageText(rows, asked))
          const id = Number(rows[resource][offset]?.id ?? 0)
          const one = await read(`${resource}/${id}?${shape}`, view)
          const due = recordText(rows, asked, id)
          if (due === undefined) assert.equal(one.status, 404)
          else assert.equal(one.text, due)
        }),
        { numRuns: runs },
      )
    })
  }

  it('is the same by whatever way the records are found', async () => {
    const ways = [
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
    for (const way of ways) {
      for (const view of ['full', 'redacted'] as const) {
        const plain = await read(`employees?${way}`, view)
        const due = plain.json.data.map(({ id }: { id: number }) => {
          const asked = { resource: 'employees' as const, view, fields, expand: ['department', 'manager'] }
          return JSON.parse(recordText(rows, asked, id) ?? 'null')
        })
        const shape = `fields=${fields.join(',')}&expand=manager,department`
        // Asked twice: what a search found is remembered the second time.
        for (const round of ['', '&fresh']) {
          const { json } = await read(`employees?${way}&${shape}${round}`, view)
          assert.deepEqual(json, { data: due, meta: plain.json.meta }, `${way} ${view}`)
        }
      }
    }
  })

  it('leaves in the database what is not asked for', () => {
    const employees = resourceAt('employees')
    const fields = employees.all.filter(({ name }) => name === 'code')
    const { text } = walkStatement(shaped(employees, { fields, relations: [] }), {
      limit: 1,
      offset: 0n,
      terms: [],
      filters: [],
      sort: [],
    })
    const read = employees.stored.filter(({ name }) => text.includes(`."${name}"`)).map(({ name }) => name)
    assert.deepEqual(read, ['code'])
    assert.doesNotMatch(text, /\.record_json/)
  })

  it('does not wait behind searches: it is answered while they hold every connection of theirs', async () => {
    const held = new Client({ connectionString: database.url })
    await held.connect()
    await held.query('begin; lock table candidates in access exclusive mode')
    const search = read('candidates?q=x&source=y', 'full')
    // One client may use one of the two slots for searches, and one search holds it.
    while ((await waitingSearches(service)) < 1);
    for (const path of ['employees?fields=id', 'employees/1?fields=id', 'employees?expand=manager&offset=400'])
      assert.equal((await read(path, 'full')).status, 200, path)
    await held.query('rollback')
    await held.end()
    assert.equal((await search).status, 200)
  })
})

const waitingSearches = async ({ database }: RunningService): Promise<number> => {
  const { rows } = await database.pool.query(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].waiting
}
