/**
 * Sends the same requests without a token before and after all personal values change. Every response must stay the
 * same, so that no personal value can be derived from any of them.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NamedField, Resource } from '@muster/model'
import { isCountable, maxSearchLength, relationFilters, reports, resources, searchedResources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { generateGroupings, generateListQuery, queryString } from '../../../../tests/support/list-query-generator.ts'
import type { ReferenceQuery } from '../../../../tests/support/list-reference.ts'
import { visibilityOf } from '../../../../tests/support/list-reference.ts'
import { probeCount } from '../../../../tests/support/probes.ts'
import type { Random } from '../../../../tests/support/random.ts'
import { pick, randomNumbers } from '../../../../tests/support/random.ts'
import type { Rows } from '../../../../tests/support/reference.ts'
import { readRows } from '../../../../tests/support/reference.ts'
import { generateComputedValue, generateReportQuery } from '../../../../tests/support/report-query-generator.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

const seed = 20_261_116
const probesPerKind = probeCount(5_000, 120)
const minProbes = probeCount(20_000, 120)

/** Values that replace all personal ones and occur nowhere else. */
const replacements = { text: 'zqzq', year: '1907', digits: '77031' }
const replacementPattern = /zqzq|\b1907-|77031/i

const personalFields = resources.flatMap((resource) =>
  resource.allFields.filter(({ personal }) => personal).map((field) => ({ resource, field })),
)

const replacementOf = ({ kind }: NamedField): string => {
  switch (kind) {
    case 'number':
      return `${replacements.digits}000 + id % 9`
    case 'date':
      return `date '${replacements.year}-01-01' + (id % 300)::int`
    default:
      return `'${replacements.text} ' || md5(id::text)`
  }
}

const replaceStatements = [...Map.groupBy(personalFields, ({ resource }) => resource.table)].map(
  ([table, fields]) =>
    `update ${table} set ${fields.map(({ field }) => `${field.name} = ${replacementOf(field)}`).join(', ')}`,
)

type Probe = { readonly kind: string; readonly path: string }

/** All words of personal values, and values of public text fields. */
const wordsIn = (rows: Rows, isPersonal: boolean): string[] => {
  const values = resources.flatMap((resource) =>
    resource.allFields
      .filter(({ kind, personal }) => kind === 'text' && Boolean(personal) === isPersonal)
      .flatMap(({ name }) =>
        rows
          .of(resource.path)
          .slice(0, 200)
          .map((row) => row[name]),
      ),
  )
  return [...new Set(values.filter((value) => typeof value === 'string' && value.trim() !== ''))] as string[]
}

const generateProbes = (rows: Rows): Probe[] => {
  const random = randomNumbers(seed)
  const [personalWords, publicWords] = [wordsIn(rows, true), wordsIn(rows, false)]
  const words = (): string[] => (random(3) === 0 ? personalWords : publicWords)
  const listQuery = (resource: Resource): ReferenceQuery =>
    generateListQuery(visibilityOf(resource, rows, false), random)
  const withRelations = resources.filter((resource) => relationFilters(resource).length > 0)
  const withComputed = resources.filter(({ computedFilters }) => computedFilters.length > 0)
  const generators: Record<string, () => string> = {
    reports: () => {
      const report = pick(random, reports)
      return `reports/${report.name}?${generateReportQuery(report, words(), random)}${pick(random, ['', '&format=csv'])}`
    },
    'relation filters': () => {
      const resource = pick(random, withRelations)
      for (;;) {
        const query = listQuery(resource)
        if (query.filters.some(({ relation }) => relation !== undefined)) return listPath(resource, query, random)
      }
    },
    counts: () => {
      const resource = pick(random, resources.filter(isCountable))
      const { q, filters } = listQuery(resource)
      const by = generateGroupings(resource, random).map(({ name }) => name)
      const query: ReferenceQuery = { filters: filters.slice(0, random(3)), ...(random(3) === 0 && q ? { q } : {}) }
      return `counts/${resource.path}?by=${by.join(',')}&${queryString(query)}`
    },
    searches: () => {
      const texts = Array.from({ length: 1 + random(2) }, () => partOf(pick(random, words()), random))
      const resource = pick(random, ['', ...searchedResources.map(({ path }) => path)])
      return `search?${new URLSearchParams({ q: texts.join(' ').slice(0, maxSearchLength), resource, limit: '50' })}`
    },
    lists: () => {
      const resource = pick(random, resources)
      return listPath(resource, listQuery(resource), random)
    },
    ...(withComputed.length === 0
      ? {}
      : {
          'computed filters': () => {
            const resource = pick(random, withComputed)
            const filter = pick(random, resource.computedFilters)
            const value = encodeURIComponent(generateComputedValue(filter, words(), random))
            const isCount = random(3) === 0 && isCountable(resource)
            const by = generateGroupings(resource, random).map(({ name }) => name)
            const filters = random(2) === 0 ? '' : queryString({ filters: listQuery(resource).filters.slice(0, 1) })
            return `${isCount ? 'counts/' : ''}${resource.path}?${isCount ? `by=${by}` : 'limit=200'}&${filter.parameter}=${value}&${filters}`
          },
        }),
  }
  const expandedLists = resources
    .filter(({ relations }) => relations.length > 0)
    .map(({ path, relations }) => ({
      kind: 'lists',
      path: `${path}?limit=200&expand=${relations.map(({ name }) => name).join(',')}`,
    }))
  const generated = Object.entries(generators).flatMap(([kind, generate]) => {
    const paths = new Set<string>()
    for (let attempt = 0; paths.size < probesPerKind && attempt < 10 * probesPerKind; attempt += 1)
      paths.add(generate())
    return [...paths].map((path) => ({ kind, path }))
  })
  return [...expandedLists, ...generated]
}

/** A value as somebody types it into a search: all of it, its beginning, or one of its words. */
const partOf = (value: string, random: Random): string => {
  const text = value.slice(0, maxSearchLength / 2)
  const parts = [text, text.slice(0, 1 + random(text.length)), pick(random, text.trim().split(/\s+/u))]
  return pick(random, parts)
}

const listPath = ({ path }: Resource, query: ReferenceQuery, random: Random): string =>
  `${path}?${queryString({ ...query, limit: 200 })}${pick(random, ['', '', '', '&format=csv&expand=', '&format=ndjson'])}`

/** Reports and exports have few database connections, and further requests would get 503. */
const concurrencyOf = ({ kind, path }: Probe): number => {
  if (kind === 'reports') return 2
  return path.includes('&format=') ? 1 : 6
}

const requestIdPattern = /"request_id":"[^"]+"/g

/** What a client can observe: status, number of records, page links and body. On a busy machine 503 is possible. */
const observe = async (baseUrl: string, { path }: Probe, init: RequestInit): Promise<string> => {
  const url = `${baseUrl}/v1/${path}`
  let response = await sendRequest(url, init)
  if (response.status === 503)
    await waitUntil(path, async () => {
      response = await sendRequest(url, init)
      return response.status !== 503
    })
  const { status, headers, text } = response
  assert.ok(status === 200 || status === 422, `${path}: ${status} ${text.slice(0, 300)}`)
  const total = headers.get('x-total-count')
  return [status, total, headers.get('link'), text.replaceAll(requestIdPattern, '')].join('\n')
}

describe('responses without a token', () => {
  let database: TestDatabase
  let service: RunningService
  let probes: readonly Probe[]
  /** The e-mail addresses of employees and candidates, in lower case. */
  let emails: ReadonlySet<string>
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { reads: 'redacted', poolSize: 10 })
    const rows = await readRows(database.url)
    probes = generateProbes(rows)
    emails = new Set(
      [...rows.of('employees'), ...rows.of('candidates')].map(({ email }) => String(email).toLowerCase()),
    )
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const observeAll = async (chosen: readonly Probe[], init: RequestInit = {}): Promise<Map<string, string>> => {
    const observed = new Map<string, string>()
    for (const [workers, group] of Map.groupBy(chosen, concurrencyOf)) {
      const remaining = group.values()
      const worker = async (): Promise<void> => {
        for (const probe of remaining) observed.set(probe.path, await observe(service.baseUrl, probe, init))
      }
      await Promise.all(Array.from({ length: workers }, worker))
    }
    return observed
  }

  const countByKind = (paths: Iterable<string>): Record<string, number> => {
    const kinds = new Map(probes.map(({ kind, path }) => [path, kind]))
    const counts: Record<string, number> = {}
    for (const path of paths) {
      const kind = kinds.get(path) ?? ''
      counts[kind] = (counts[kind] ?? 0) + 1
    }
    return counts
  }

  it(`stay the same when every personal value changes, in at least ${minProbes} requests`, async (context) => {
    const withToken = { headers: { authorization: `Bearer ${token}` } }
    const controls = probes.filter((_, index) => index % probeCount(8) === 0)
    const [before, controlsBefore] = [await observeAll(probes), await observeAll(controls, withToken)]
    for (const statement of replaceStatements) await database.execute(statement)
    const [after, controlsAfter] = [await observeAll(probes), await observeAll(controls, withToken)]
    const differing = [...before].filter(([path, text]) => after.get(path) !== text).map(([path]) => path)
    context.diagnostic(`${before.size} requests: ${JSON.stringify(countByKind(before.keys()))}`)
    assert.deepEqual(differing.slice(0, 20), [])
    assert.ok(before.size >= minProbes, `only ${before.size} requests`)
    const accepted = [...before].filter(([, text]) => text.startsWith('200')).map(([path]) => path)
    context.diagnostic(`200: ${JSON.stringify(countByKind(accepted))}`)
    assert.ok(accepted.length > before.size / 3, `only ${accepted.length} requests were accepted`)

    // The requests were generated before the replacements, so none of them contains one.
    const revealing = [...after].filter(([, text]) => replacementPattern.test(text)).map(([path]) => path)
    assert.deepEqual(revealing.slice(0, 20), [])
    assert.deepEqual(personalEmailsIn(before, emails), [])
    assert.notDeepEqual(personalEmailsIn(controlsBefore, emails), [])

    // The same requests with a token show that the values did change.
    const changed = [...controlsBefore].filter(([path, text]) => controlsAfter.get(path) !== text)
    const counts = countByKind(changed.map(([path]) => path))
    context.diagnostic(`${controls.length} requests with a token, of which changed: ${JSON.stringify(counts)}`)
    for (const kind of kindsWithPersonalData) assert.ok(Number(counts[kind]) > 0, `no response of ${kind} changed`)
    assert.ok([...controlsAfter.values()].some((text) => replacementPattern.test(text)))
  })
})

const kindsWithPersonalData = [
  'relation filters',
  'counts',
  'lists',
  'searches',
  ...(reports.some(({ allColumns }) => allColumns.some(({ personal }) => personal)) ? ['reports'] : []),
  ...(resources.some(({ computedFilters }) => computedFilters.length > 0) ? ['computed filters'] : []),
]

/** E-mail addresses of people in the responses, except those that the request itself contains. */
const personalEmailsIn = (observed: ReadonlyMap<string, string>, emails: ReadonlySet<string>): string[] =>
  [...observed].flatMap(([path, text]) => {
    const sent = decodeURIComponent(path).toLowerCase()
    const found = text.toLowerCase().match(/[\w.+-]+@[\w-]+\.[\w.-]+/g) ?? []
    return found.filter((email) => emails.has(email) && !sent.includes(email))
  })
