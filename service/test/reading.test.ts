/** Every list answers what a plain reading of all rows gives: filters, orders, words and windows in any combination. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import { oddRowsSql } from './support/odd-rows.ts'
import { randomNumbers } from './support/random.ts'
import { inventAsked, queryOf } from './support/reading-cases.ts'
import type { Row, View } from './support/reading-reference.ts'
import { matching, pageOf, refusedParameters, viewOf } from './support/reading-reference.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

/** `npm run test:reading` asks more. */
const cases = Number(process.env.READING_CASES ?? 2_400)
const seed = Number(process.env.TEST_SEED ?? 20_261_115)
const oddRows = 60
/** Questions under way at once. */
const askers = 6

const bearing = { headers: { authorization: `Bearer ${token}` } }

describe('a list of', () => {
  let database: TestDatabase
  let service: RunningService
  const views = new Map<string, { readonly whole: View; readonly redacted: View }>()

  const everyRow = async (path: string): Promise<Row[]> => {
    const rows: Row[] = []
    for (let offset = 0; ; offset += 200) {
      const { json } = await ask(`${service.base}/v1/${path}?limit=200&offset=${offset}`, bearing)
      if (json.data.length === 0) return rows
      rows.push(...json.data)
    }
  }

  before(async () => {
    database = await createSeededDatabase()
    const random = randomNumbers(seed)
    for (const resource of resources) await database.execute(oddRowsSql(resource, oddRows, random))
    service = await startService(database.url, { reads: 'redacted' })
    for (const resource of resources) {
      const rows = await everyRow(resource.path)
      views.set(resource.path, { whole: viewOf(resource, rows, false), redacted: viewOf(resource, rows, true) })
    }
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  /** One question, and whether anything was found. */
  const check = async (view: View, { whole }: { whole: View }, random: (below: number) => number): Promise<string> => {
    // Values are taken from what is really there, so that whatever is withheld would be found if it could be.
    const asked = inventAsked({ ...view, rows: whole.rows }, random)
    const query = queryOf(asked)
    const shown = `seed ${seed}: ${view.isRedacted ? 'redacted ' : ''}/v1/${view.resource.path}?${query}`
    const answer = await ask(`${service.base}/v1/${view.resource.path}?${query}`, view.isRedacted ? {} : bearing)
    const refused = refusedParameters(view, asked)
    if (refused.length > 0) {
      assert.equal(answer.status, 422, shown)
      assert.deepEqual(
        answer.json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc]).sort(),
        refused.map((name) => ['field_redacted', 'query', name]).sort(),
        shown,
      )
      return 'refused'
    }
    assert.equal(answer.status, 200, `${shown} ${answer.text.slice(0, 300)}`)
    const found = matching(view, asked)
    assert.deepEqual(answer.json, pageOf(found, asked), shown)
    return found.length === 0 ? 'empty' : 'found'
  }

  for (const resource of resources) {
    it(`${resource.titles} is what the reference says`, async (context) => {
      const both = views.get(resource.path) as { whole: View; redacted: View }
      const random = randomNumbers(seed + resources.indexOf(resource))
      const outcomes: Record<string, number> = { found: 0, empty: 0, refused: 0 }
      let left = Math.ceil(cases / resources.length)
      const asking = Array.from({ length: askers }, async () => {
        while (left > 0) {
          left -= 1
          const outcome = await check(random(3) === 0 ? both.redacted : both.whole, both, random)
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        }
      })
      await Promise.all(asking)
      context.diagnostic(JSON.stringify(outcomes))
      assert.ok(Number(outcomes.found) > Number(outcomes.empty) / 2, 'most questions find something')
    })
  }
})
