/** Compares random lists, exports and counts with a simple reference implementation over all rows. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Grouping } from '@muster/model'
import { isCountable, maxGroups, resources } from '@muster/model'
import { expectedGroups } from '../../../../tests/support/count-reference.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { escapeFormulas, parseCsvRows, parseNdjsonRows } from '../../../../tests/support/files.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import {
  generateGroupings,
  generateGroupWindow,
  generateListQuery,
  queryString,
} from '../../../../tests/support/list-query-generator.ts'
import type { ReferenceQuery, Visibility } from '../../../../tests/support/list-reference.ts'
import { matchingRows, rejectedParameters, visibilityOf } from '../../../../tests/support/list-reference.ts'
import { oddRowsSql } from '../../../../tests/support/odd-rows.ts'
import type { Random } from '../../../../tests/support/random.ts'
import { pick, randomNumbers } from '../../../../tests/support/random.ts'
import type { Row, Rows } from '../../../../tests/support/reference.ts'
import { projectedRecord, readRows } from '../../../../tests/support/reference.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

/** The number of random requests. `npm test -- list-reference` sends more of them. */
const caseCount = Number(process.env.LIST_REFERENCE_CASES ?? 720)
const seed = Number(process.env.TEST_SEED ?? 20_261_115)
const oddRowCount = 60
const concurrentRequests = 6
/** One client may use a quarter of `poolSize` for lists of one table, so no request waits for a connection. */
const poolSize = 4 * concurrentRequests
/** What one case compares in addition to the page. A repeated value is chosen more often. */
const extraChecks = ['nothing', 'nothing', 'nothing', 'nothing', 'files', 'counts'] as const

const withToken = { headers: { authorization: `Bearer ${token}` } }

/** A response, with a description of the request for failure messages. */
interface DescribedResponse extends Pick<HttpResponse, 'status' | 'headers' | 'text'> {
  readonly description: string
}

describe('a list of', () => {
  let database: TestDatabase
  let service: RunningService
  let rows: Rows

  before(async () => {
    // unstored-texts.test.ts runs this file with other tables.
    database = await createSeededDatabase({}, process.env.SEEDED_CHANGES)
    const random = randomNumbers(seed)
    for (const resource of resources) await database.execute(oddRowsSql(resource, oddRowCount, random))
    service = await startService(database.url, { reads: 'redacted', poolSize })
    rows = await readRows(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const read = async ({ isRedacted }: Visibility, path: string): Promise<DescribedResponse> => {
    const { status, headers, text } = await sendRequest(`${service.baseUrl}/v1/${path}`, isRedacted ? {} : withToken)
    return { status, headers, text, description: `seed ${seed}: ${isRedacted ? 'redacted ' : ''}/v1/${path}` }
  }

  /** Asserts status 422 with an error for each of the named parameters, or status 200 if `names` is empty. */
  const isRejected = ({ status, text, description }: DescribedResponse, names: readonly string[]): boolean => {
    assert.equal(status, names.length === 0 ? 200 : 422, `${description} ${text.slice(0, 300)}`)
    if (names.length === 0) return false
    assert.deepEqual(
      JSON.parse(text)
        .detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc])
        .sort(),
      names.map((name) => ['field_redacted', 'query', name]).sort(),
      description,
    )
    return true
  }

  const projectedRecords = (
    { resource, isRedacted }: Visibility,
    { fields = [], expand = [] }: ReferenceQuery,
    matches: readonly Row[],
  ): Row[] => {
    const projection = {
      resource: resource.path,
      view: isRedacted ? 'redacted' : 'full',
      fields,
      expand,
    } as const
    return matches.map((row) => projectedRecord(rows, projection, row))
  }

  const checkPage = async (
    visibility: Visibility,
    query: ReferenceQuery,
    matches: readonly Row[],
  ): Promise<boolean> => {
    const response = await read(visibility, `${visibility.resource.path}?${queryString(query)}`)
    if (isRejected(response, rejectedParameters(visibility, query))) return false
    const { limit = 50, offset = 0 } = query
    const expectedData = projectedRecords(visibility, query, matches.slice(offset, offset + limit))
    assert.deepEqual(
      JSON.parse(response.text),
      { data: expectedData, meta: { total: matches.length, limit, offset } },
      response.description,
    )
    return true
  }

  const checkFiles = async (visibility: Visibility, query: ReferenceQuery, matches: readonly Row[]): Promise<void> => {
    const { path, allFields: all } = visibility.resource
    const { limit = matches.length, offset = 0 } = query
    const expectedRows = matches.slice(offset, offset + limit)
    // A CSV export has no related records. The id is added, because a line whose only cell is null would be blank.
    const { expand: _, ...withoutExpand } = query
    const csvQuery: ReferenceQuery =
      query.fields === undefined ? withoutExpand : { ...withoutExpand, fields: [...query.fields, 'id'] }
    const columns = all.filter(({ name }) => csvQuery.fields?.includes(name) ?? true)
    const csv = await read(visibility, `${path}?format=csv&${queryString(csvQuery)}`)
    const ndjson = await read(visibility, `${path}?format=ndjson&${queryString(query)}`)
    for (const response of [csv, ndjson]) {
      if (isRejected(response, rejectedParameters(visibility, query))) return
      assert.equal(response.headers.get('x-total-count'), String(matches.length), response.description)
    }
    assert.deepEqual(
      parseCsvRows(columns, csv.text),
      projectedRecords(visibility, csvQuery, expectedRows).map(escapeFormulas),
      csv.description,
    )
    assert.deepEqual(
      parseNdjsonRows(ndjson.text),
      projectedRecords(visibility, query, expectedRows),
      ndjson.description,
    )
  }

  const checkCounts = async (
    visibility: Visibility,
    { q, filters }: ReferenceQuery,
    by: readonly Grouping[],
    window: Pick<ReferenceQuery, 'limit' | 'offset'>,
  ): Promise<void> => {
    const query: ReferenceQuery = { filters, ...window, ...(q === undefined ? {} : { q }) }
    const names = by.map(({ name }) => name)
    const response = await read(
      visibility,
      `counts/${visibility.resource.path}?by=${names.join(',')}&${queryString(query)}`,
    )
    const isHidden = visibility.isRedacted && by.some(({ field }) => field.personal)
    const rejectedNames = [...(isHidden ? ['by'] : []), ...rejectedParameters(visibility, query)]
    const matches = matchingRows(visibility, query)
    const groups = expectedGroups(matches, by, visibility)
    const { limit = maxGroups, offset = 0 } = window
    const isPage = Object.keys(window).length > 0
    if (rejectedNames.length === 0 && groups.length > maxGroups && !isPage) {
      assert.equal(JSON.parse(response.text).detail[0].type, 'too_many_groups', response.description)
    } else if (!isRejected(response, rejectedNames)) {
      const meta = { total: matches.length, groups: groups.length, ...(isPage ? { limit, offset } : {}) }
      const expectedBody = { data: groups.slice(offset, offset + limit), meta }
      assert.deepEqual(JSON.parse(response.text), expectedBody, response.description)
    }
  }

  /** Exports run one after the other, because the export pool is small. */
  let lastExport = Promise.resolve()

  /** Runs one case. All random choices precede the first request, so that the same seed gives the same cases. */
  const checkCase = async (visibility: Visibility, storedRows: readonly Row[], random: Random): Promise<string[]> => {
    // The values in filters come from the stored rows, so that a leak of redacted values would be found.
    const query = generateListQuery({ ...visibility, rows: storedRows }, random)
    const extraCheck = pick(random, extraChecks)
    const by = generateGroupings(visibility.resource, random)
    const window = generateGroupWindow(random)
    const matches = matchingRows(visibility, query)
    const isAccepted = await checkPage(visibility, query, matches)
    if (extraCheck === 'files') {
      lastExport = lastExport.then(() => checkFiles(visibility, query, matches))
      await lastExport
    }
    if (extraCheck === 'counts' && isCountable(visibility.resource)) await checkCounts(visibility, query, by, window)
    return [
      isAccepted ? (matches.length === 0 ? 'empty' : 'found') : 'rejected',
      extraCheck,
      ...(query.filters.some(({ test }) => test === 'not') ? ['exclusions'] : []),
    ]
  }

  for (const resource of resources) {
    it(`${resource.titles} matches the reference implementation, as do its exports and counts`, async (context) => {
      const storedRows = rows.of(resource.path)
      const [full, redacted] = [visibilityOf(resource, rows, false), visibilityOf(resource, rows, true)]
      const random = randomNumbers(seed + resources.indexOf(resource))
      const outcomes: Record<string, number> = { found: 0, empty: 0, rejected: 0 }
      let remainingCases = Math.ceil(caseCount / resources.length)
      const workers = Array.from({ length: concurrentRequests }, async () => {
        while (remainingCases > 0) {
          remainingCases -= 1
          for (const outcome of await checkCase(random(3) === 0 ? redacted : full, storedRows, random))
            outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        }
      })
      await Promise.all(workers)
      context.diagnostic(JSON.stringify(outcomes))
      const hasExclusions = resource.listFilters.some(({ test }) => test === 'not')
      assert.ok(!hasExclusions || Number(outcomes.exclusions) > 0, 'no case excludes values')
      assert.ok(Number(outcomes.found) > Number(outcomes.empty) / 2, 'too few cases find any rows')
    })
  }
})
