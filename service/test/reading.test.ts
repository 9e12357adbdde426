/** Every list, file and count answers what a plain reading of all rows gives: filters, orders, words, shapes and windows in any combination. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Grouping } from '@muster/model'
import { isCountable, maxGroups, resources } from '@muster/model'
import { groupsOf } from './support/counted.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { defused, linesOf, sheetOf } from './support/files.ts'
import type { Answer } from './support/http.ts'
import { ask } from './support/http.ts'
import { oddRowsSql } from './support/odd-rows.ts'
import type { Random } from './support/random.ts'
import { pick, randomNumbers } from './support/random.ts'
import { inventAsked, inventGroupings, queryOf } from './support/reading-cases.ts'
import type { Asked, View } from './support/reading-reference.ts'
import { matching, refusedParameters, viewOf } from './support/reading-reference.ts'
import type { Resource as Path, Row, Rows } from './support/reference.ts'
import { readRows, shapedRecord } from './support/reference.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

/** `npm run test:reading` asks more. */
const cases = Number(process.env.READING_CASES ?? 2_400)
const seed = Number(process.env.TEST_SEED ?? 20_261_115)
const oddRows = 60
/** Questions under way at once. */
const askers = 6
/** What is asked for beside the page. */
const besides = ['nothing', 'nothing', 'nothing', 'nothing', 'files', 'counts'] as const

const bearing = { headers: { authorization: `Bearer ${token}` } }

/** An answer, and what it was given for, as it is told when it is wrong. */
interface Told extends Pick<Answer, 'status' | 'headers' | 'text'> {
  readonly shown: string
}

describe('a list of', () => {
  let database: TestDatabase
  let service: RunningService
  let rows: Rows

  before(async () => {
    database = await createSeededDatabase()
    const random = randomNumbers(seed)
    for (const resource of resources) await database.execute(oddRowsSql(resource, oddRows, random))
    service = await startService(database.url, { reads: 'redacted', poolSize: 10 })
    rows = await readRows(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const read = async ({ isRedacted }: View, path: string): Promise<Told> => {
    const { status, headers, text } = await ask(`${service.base}/v1/${path}`, isRedacted ? {} : bearing)
    return { status, headers, text, shown: `seed ${seed}: ${isRedacted ? 'redacted ' : ''}/v1/${path}` }
  }

  /** Refused for what is withheld, by these names and no others, or found. */
  const isRefused = ({ status, text, shown }: Told, names: readonly string[]): boolean => {
    assert.equal(status, names.length === 0 ? 200 : 422, `${shown} ${text.slice(0, 300)}`)
    if (names.length === 0) return false
    assert.deepEqual(
      JSON.parse(text)
        .detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc])
        .sort(),
      names.map((name) => ['field_redacted', 'query', name]).sort(),
      shown,
    )
    return true
  }

  const shaped = (
    { resource, isRedacted }: View,
    { fields = [], expand = [] }: Asked,
    found: readonly Row[],
  ): Row[] => {
    const shape = { resource: resource.path as Path, view: isRedacted ? 'redacted' : 'full', fields, expand } as const
    return found.map((row) => shapedRecord(rows, shape, row))
  }

  const checkPage = async (view: View, asked: Asked, found: readonly Row[]): Promise<boolean> => {
    const answer = await read(view, `${view.resource.path}?${queryOf(asked)}`)
    if (isRefused(answer, refusedParameters(view, asked))) return false
    const { limit = 50, offset = 0 } = asked
    const data = shaped(view, asked, found.slice(offset, offset + limit))
    assert.deepEqual(JSON.parse(answer.text), { data, meta: { total: found.length, limit, offset } }, answer.shown)
    return true
  }

  const checkFiles = async (view: View, asked: Asked, found: readonly Row[]): Promise<void> => {
    const { path, all } = view.resource
    const { limit = found.length, offset = 0 } = asked
    const due = found.slice(offset, offset + limit)
    // A sheet has no place for related records, and a line of one cell that is null is blank.
    const { expand: _, ...plain } = asked
    const flat: Asked = asked.fields === undefined ? plain : { ...plain, fields: [...asked.fields, 'id'] }
    const columns = all.filter(({ name }) => flat.fields?.includes(name) ?? true)
    const sheet = await read(view, `${path}?format=csv&${queryOf(flat)}`)
    const lines = await read(view, `${path}?format=ndjson&${queryOf(asked)}`)
    for (const answer of [sheet, lines]) {
      if (isRefused(answer, refusedParameters(view, asked))) return
      assert.equal(answer.headers.get('x-total-count'), String(found.length), answer.shown)
    }
    assert.deepEqual(sheetOf(columns, sheet.text), shaped(view, flat, due).map(defused), sheet.shown)
    assert.deepEqual(linesOf(lines.text), shaped(view, asked, due), lines.shown)
  }

  const checkCounts = async (view: View, { q, filters }: Asked, by: readonly Grouping[]): Promise<void> => {
    const asked: Asked = q === undefined ? { filters } : { q, filters }
    const names = by.map(({ name }) => name)
    const answer = await read(view, `counts/${view.resource.path}?by=${names.join(',')}&${queryOf(asked)}`)
    const isHidden = view.isRedacted && by.some(({ field }) => field.personal)
    const refused = [...(isHidden ? ['by'] : []), ...refusedParameters(view, asked)]
    const found = matching(view, asked)
    const groups = groupsOf(found, by)
    if (refused.length === 0 && groups.length > maxGroups) {
      assert.equal(JSON.parse(answer.text).detail[0].type, 'too_many_groups', answer.shown)
    } else if (!isRefused(answer, refused)) {
      const due = { data: groups, meta: { total: found.length, groups: groups.length } }
      assert.deepEqual(JSON.parse(answer.text), due, answer.shown)
    }
  }

  /** A process writes few files at once. */
  let filed = Promise.resolve()

  /** One question, and what came of it. Everything is drawn before anything is asked, so that a seed stands for its questions. */
  const check = async (view: View, stored: readonly Row[], random: Random): Promise<string[]> => {
    // Values are taken from what is really there, so that whatever is withheld would be found if it could be.
    const asked = inventAsked({ ...view, rows: stored }, random)
    const beside = pick(random, besides)
    const by = inventGroupings(view.resource, random)
    const found = matching(view, asked)
    const isFound = await checkPage(view, asked, found)
    if (beside === 'files') {
      filed = filed.then(() => checkFiles(view, asked, found))
      await filed
    }
    if (beside === 'counts' && isCountable(view.resource)) await checkCounts(view, asked, by)
    return [isFound ? (found.length === 0 ? 'empty' : 'found') : 'refused', beside]
  }

  for (const resource of resources) {
    it(`${resource.titles} is what the reference says, and so are its files and counts`, async (context) => {
      const stored = rows[resource.path as Path]
      const [whole, redacted] = [viewOf(resource, stored, false), viewOf(resource, stored, true)]
      const random = randomNumbers(seed + resources.indexOf(resource))
      const outcomes: Record<string, number> = { found: 0, empty: 0, refused: 0 }
      let left = Math.ceil(cases / resources.length)
      const asking = Array.from({ length: askers }, async () => {
        while (left > 0) {
          left -= 1
          for (const outcome of await check(random(3) === 0 ? redacted : whole, stored, random))
            outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        }
      })
      await Promise.all(asking)
      context.diagnostic(JSON.stringify(outcomes))
      assert.ok(Number(outcomes.found) > Number(outcomes.empty) / 2, 'most questions find something')
    })
  }
})
