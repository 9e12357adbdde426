import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NamedField, ReadMode, Resource } from '@muster/model'
import { resources } from '@muster/model'
import { Validator } from '@seriousme/openapi-schema-validator'
import { fieldsOf } from '../../../../tests/contract/contract.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, createTestDatabase } from '../../../../tests/support/database.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { post, sendRequest, sendUntilServed } from '../../../../tests/support/http.ts'
import { probeCount } from '../../../../tests/support/probes.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { hasRealEmails } from '../../src/privacy/real-emails.ts'

const readToken = 'a-token-for-reads-alone-of-more-than-32-characters'
const withToken = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })

/** The fields that need a token, as the contract files say. */
const personalFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  resources.flatMap(({ path }) => {
    const names = fieldsOf(path).filter(({ personal }) => personal)
    return names.length === 0 ? [] : [[path, names.map(({ field }) => field)]]
  }),
)
/** Replaces the leave types of a database without personal data, because they cannot be null. No search finds it. */
const noLeaveType = '\ue000'
const personalResources = resources.filter(({ path }) => Object.hasOwn(personalFields, path))

describe('personal fields', () => {
  it('are declared exactly as the contract says', () => {
    const declaredFields = resources.flatMap(({ path, allFields: all }) => {
      const names = all.filter((field) => field.personal).map(({ name }) => name)
      return names.length === 0 ? [] : [[path, names]]
    })
    assert.deepEqual(Object.fromEntries(declaredFields), personalFields)
  })
})

describe('redacted reads', () => {
  let database: TestDatabase
  let anonymizedDatabase: TestDatabase
  let service: RunningService
  let publicService: RunningService
  /** Serves a database without personal data: the redacted service must be indistinguishable from it. */
  let anonymizedService: RunningService
  before(async () => {
    database = await createSeededDatabase()
    anonymizedDatabase = await createSeededDatabase()
    for (const { table, path } of personalResources)
      await anonymizedDatabase.execute(
        `update ${table} set ${personalFields[path]?.map((name) => `${name} = ${name === 'leave_type' ? `'${noLeaveType}'` : 'null'}`).join(', ')}`,
      )
    const settings = { cacheBytes: 0 }
    service = await startService(database.url, {
      reads: 'redacted',
      readTokens: [readToken],
      poolSize: 10,
      ...settings,
    })
    publicService = await startService(database.url, { poolSize: 10, ...settings })
    anonymizedService = await startService(anonymizedDatabase.url, { poolSize: 10, ...settings })
  })
  after(async () => {
    for (const runningService of [service, publicService, anonymizedService]) await runningService.stop()
    await database.drop()
    await anonymizedDatabase.drop()
  })

  const readFromBoth = async (path: string): Promise<[HttpResponse, HttpResponse]> => {
    const [redactedResponse, anonymizedResponse] = await Promise.all([
      sendUntilServed(`${service.baseUrl}${path}`),
      sendUntilServed(`${anonymizedService.baseUrl}${path}`),
    ])
    const text = anonymizedResponse.text.replaceAll(`"leave_type":"${noLeaveType}"`, '"leave_type":"withheld"')
    return [redactedResponse, { ...anonymizedResponse, text }]
  }

  it('are the same as those of a service whose database contains no personal data, for every list and every single record', async () => {
    for (const { path, allFields: all, relations } of resources) {
      const projection = `fields=${all.map(({ name }) => name)}&expand=${relations.map(({ name }) => name)}`
      for (const query of [
        '',
        '?limit=200&offset=100',
        '?offset=1000',
        '?q=e',
        '?status=active',
        '?q=an%20e&limit=3',
        '/1',
        '/7',
        `?limit=200&${projection}`,
        `?q=e&offset=3&${projection}`,
        `/7?${projection}`,
      ]) {
        const [redactedResponse, expectedResponse] = await readFromBoth(`/v1/${path}${query}`)
        assert.equal(
          redactedResponse.text.replaceAll(requestIdPattern, ''),
          expectedResponse.text.replaceAll(requestIdPattern, ''),
          path + query,
        )
      }
    }
  })

  const searchCount = probeCount(5_000)
  it(`do not search personal fields: ${searchCount} searches find only what a service without personal data finds`, async () => {
    const searchPaths = new Set<string>()
    const publicSearchPaths = new Set<string>()
    for (const { path } of personalResources) {
      const fields = personalFields[path] ?? []
      for (let offset = 0; offset < 600; offset += 200) {
        const { json } = await sendRequest(`${publicService.baseUrl}/v1/${path}?limit=200&offset=${offset}`)
        for (const record of json.data) {
          publicSearchPaths.add(`${path}?q=${encodeURIComponent(record.status)}`)
          for (const name of fields) {
            const text = String(record[name] ?? '')
            searchPaths.add(`${path}?q=${encodeURIComponent(text.slice(0, 100))}`)
            for (const word of text.split(/[\s@/.]+/).slice(0, 4))
              searchPaths.add(`${path}?q=${encodeURIComponent(word)}`)
          }
        }
      }
    }
    assert.ok(searchPaths.size >= 5_000)
    const step = Math.floor(searchPaths.size / searchCount)
    const searches = [...searchPaths].filter((_, index) => index % step === 0).slice(0, searchCount)
    assert.equal(searches.length, searchCount)
    const differingSearches: string[] = []
    let matchCount = 0
    await runConcurrently([...searches, ...publicSearchPaths], async (search) => {
      const [redactedResponse, expectedResponse] = await readFromBoth(`/v1/${search}&limit=1`)
      if (redactedResponse.text !== expectedResponse.text) differingSearches.push(search)
      matchCount += redactedResponse.json.meta.total > 0 ? 1 : 0
    })
    assert.deepEqual(differingSearches, [])
    // Statuses are public and are found, which shows that the searches work. So are words that also occur in public fields.
    assert.ok(matchCount >= publicSearchPaths.size && matchCount < searchCount / 5, String(matchCount))
    const sample = searches.filter((_, at) => at % 5 === 0)
    const totals: number[] = []
    await runConcurrently(sample, async (search) => {
      totals.push((await sendRequest(`${publicService.baseUrl}/v1/${search}`)).json.meta.total)
    })
    // The public service finds all these values except numbers and dates, which are not searchable.
    assert.ok(totals.filter((total) => total > 0).length > sample.length / 2)
  })

  it('search all fields with a token', async () => {
    const { json } = await sendRequest(`${publicService.baseUrl}/v1/candidates/1`)
    const path = `/v1/candidates?q=${encodeURIComponent(json.email)}`
    assert.equal((await sendRequest(service.baseUrl + path)).json.meta.total, 0)
    for (const validToken of [token, readToken])
      assert.equal(
        (await sendRequest(service.baseUrl + path, withToken(validToken))).text,
        (await sendRequest(publicService.baseUrl + path)).text,
      )
  })

  const filters = personalResources.flatMap((resource: Resource) =>
    resource.filterableFields
      .filter((field: NamedField) => field.personal)
      .map(({ name }) => [resource.path, name] as const),
  )
  for (const [path, name] of filters) {
    it(`cannot be filtered by ${name} of ${path} without a token`, async () => {
      const url = `${service.baseUrl}/v1/${path}?${name}=Ada@example.com&limit=x`
      const rejectedResponse = await sendRequest(url)
      assert.equal(rejectedResponse.status, 422)
      assert.deepEqual(rejectedResponse.json, {
        detail: [
          {
            type: 'int_parsing',
            loc: ['query', 'limit'],
            msg: 'Input should be a valid integer, unable to parse string as an integer',
            input: 'x',
          },
          {
            type: 'field_redacted',
            loc: ['query', name],
            msg: 'Filtering or sorting by this field needs a token',
            input: 'Ada@example.com',
          },
        ],
      })
      const allowedUrl = `${service.baseUrl}/v1/${path}?${name}=nobody@example.com`
      assert.equal((await sendRequest(allowedUrl, withToken(readToken))).status, 200)
      assert.equal((await sendRequest(allowedUrl, withToken('wrong'))).status, 422)
      // A filter with a blank value is ignored, so it needs no token.
      assert.equal((await sendRequest(`${service.baseUrl}/v1/${path}?${name}=%20`)).status, 200)
    })
  }

  it('cannot be filtered or sorted by any personal field without a token', async () => {
    const values = { equals: 'a', not: 'a', from: '1', to: 'x', is_null: 'true' }
    for (const resource of personalResources) {
      const personalFilters = resource.listFilters.filter(({ field }) => field.personal)
      assert.ok(personalFilters.length > 0, resource.path)
      const query = personalFilters.map(({ parameter, test }) => `${parameter}=${values[test]}`).join('&')
      const rejectedResponse = await sendRequest(`${service.baseUrl}/v1/${resource.path}?${query}`)
      assert.deepEqual(
        rejectedResponse.json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc]),
        personalFilters.map(({ parameter }) => ['field_redacted', 'query', parameter]),
      )
      for (const { name, personal: isPersonal } of resource.sortableFields) {
        const sortedResponse = await sendRequest(`${service.baseUrl}/v1/${resource.path}?sort=-${name}&limit=1`)
        assert.equal(sortedResponse.status, isPersonal ? 422 : 200, name)
        if (isPersonal) assert.equal(sortedResponse.json.detail[0].type, 'field_redacted')
      }
      const blankFilters = personalFilters.map(({ parameter }) => `${parameter}=`).join('&')
      assert.equal((await sendRequest(`${service.baseUrl}/v1/${resource.path}?${blankFilters}`)).status, 200)
    }
  })

  it('are complete with a token, and a wrong token counts as no token', async () => {
    for (const path of ['/v1/employees?limit=5', '/v1/candidates/3', '/v1/leave?q=a', '/v1/applications?limit=200']) {
      const completeText = (await sendRequest(publicService.baseUrl + path)).text
      const redactedText = (await sendRequest(service.baseUrl + path)).text
      assert.notEqual(redactedText, completeText, path)
      for (const validToken of [token, readToken])
        assert.equal((await sendRequest(service.baseUrl + path, withToken(validToken))).text, completeText)
      assert.equal((await sendRequest(service.baseUrl + path, withToken(`${readToken}x`))).text, redactedText)
    }
  })

  it('have the leave type `withheld`, in every format, and it is not searched, filtered, sorted or counted', async () => {
    const readLeave = (query: string) => sendUntilServed(`${service.baseUrl}/v1/leave${query}`)
    const { data } = (await readLeave('?limit=200')).json
    assert.ok(data.length > 100)
    assert.ok(data.every((record: Record<string, unknown>) => record.leave_type === 'withheld'))
    for (const query of ['/1', '/1?fields=leave_type', '/1?fields=leave_type&expand=employee'])
      assert.equal((await readLeave(query)).json.leave_type, 'withheld', query)
    const records = (await readLeave('?format=ndjson')).text.trimEnd().split('\n')
    assert.ok(records.every((line) => JSON.parse(line).leave_type === 'withheld'))
    const csv = (await readLeave('?format=csv&fields=leave_type')).text.trimEnd().split('\n')
    assert.deepEqual([...new Set(csv)], ['leave_type', 'withheld'])
    for (const word of ['annual', 'sick', 'withheld'])
      assert.equal((await readLeave(`?q=${word}`)).json.meta.total, 0, word)
    for (const path of [
      'leave?leave_type=sick',
      'leave?leave_type=withheld',
      'leave?sort=leave_type',
      'leave?leave_type=sick&format=csv',
      'counts/leave?by=leave_type',
      'counts/leave?by=status&leave_type=sick',
    ]) {
      const { status, json } = await sendUntilServed(`${service.baseUrl}/v1/${path}`)
      assert.deepEqual([status, json.detail[0].type], [422, 'field_redacted'], path)
    }
  })

  it('do not allow creates with the read token', async () => {
    const response = await post(`${service.baseUrl}/v1/leave`, { leave_type: 'annual' }, withToken(readToken).headers)
    assert.equal(response.status, 401)
  })
})

describe('cached responses', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into employees (first_name, status) values ('Ada', 'active')`)
    service = await startService(database.url, { reads: 'redacted', readTokens: [readToken] })
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  for (const path of ['/v1/employees', '/v1/employees/1']) {
    it(`of ${path} are used only for requests with the same visibility`, async () => {
      const url = service.baseUrl + path
      const showsName = async (init?: RequestInit) => (await sendRequest(url, init)).text.includes('Ada')
      for (let round = 0; round < 3; round += 1) {
        assert.equal(await showsName(withToken(readToken)), true)
        assert.equal(await showsName(), false)
        assert.equal(await showsName(withToken('wrong')), false)
        assert.equal(await showsName({ ...withToken(token), method: 'GET' }), true)
      }
      const completeResponse = await sendRequest(url, withToken(readToken))
      const redactedResponse = await sendRequest(url)
      const [completeEtag, redactedEtag] = [
        completeResponse.headers.get('etag') ?? '',
        redactedResponse.headers.get('etag') ?? '',
      ]
      assert.notEqual(completeEtag, redactedEtag)
      const getWithTag = async (etag: string, headers = {}) =>
        sendRequest(url, { headers: { 'if-none-match': etag, ...headers } })
      assert.equal((await getWithTag(completeEtag)).text, redactedResponse.text)
      assert.equal((await getWithTag(redactedEtag)).status, 304)
      assert.equal((await getWithTag(redactedEtag, withToken(token).headers)).text, completeResponse.text)
      assert.equal((await getWithTag(completeEtag, withToken(token).headers)).status, 304)
      for (const response of [completeResponse, redactedResponse, await getWithTag(redactedEtag)])
        assert.equal(response.headers.get('cache-control'), 'private, no-store')
    })
  }

  it('of searches are used only for requests with the same visibility', async () => {
    const total = async (query: string, init?: RequestInit): Promise<number> =>
      (await sendRequest(`${service.baseUrl}/v1/employees?q=ada&${query}`, init)).json.meta.total
    // The URLs differ, so that only the cached ids of the search are used and no cached response.
    for (const query of ['limit=1', 'limit=2', 'fields=id', 'expand=manager']) {
      assert.equal(await total(query, withToken(readToken)), 1, query)
      assert.equal(await total(query), 0, query)
    }
  })
})

describe('MUSTER_READS=token', () => {
  let database: TestDatabase
  let service: RunningService
  let origin: string
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('Research')`)
    service = await startService(database.url, { tokens: [], reads: 'token', readTokens: [readToken] })
    origin = service.baseUrl.replace(/\/api$/, '')
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  it('rejects every read without a token', async () => {
    await sendRequest(`${origin}/api/v1/departments`, withToken(readToken))
    const suffixes = ['', '/1', '/', '/999', '/nobody', '?limit=x', `?token=${readToken}`]
    for (const [index, { path }] of resources.entries()) {
      // Other resources have the same routes.
      for (const suffix of index < 2 ? suffixes : suffixes.slice(0, 2)) {
        for (const method of ['GET', 'HEAD']) {
          for (const init of [{}, withToken('wrong')]) {
            const response = await sendRequest(`${origin}/api/v1/${path}${suffix}`, { method, ...init })
            assert.equal(response.status, 401, `${method} ${path}${suffix}`)
            assert.equal(response.headers.get('www-authenticate'), 'Bearer')
            assert.equal(response.headers.get('etag'), null)
            if (method === 'GET') assert.equal(response.json.error.code, 'unauthorized')
          }
        }
      }
    }
  })

  it('serves reads with a token, also from the cache', async () => {
    for (let round = 0; round < 3; round += 1) {
      const response = await sendRequest(`${origin}/api/v1/departments`, withToken(readToken))
      assert.equal(response.json.data[0].name, 'Research')
      assert.equal(response.headers.get('cache-control'), 'private, no-store')
    }
    assert.equal((await sendRequest(`${origin}/api/v1/departments/2`, withToken(readToken))).status, 404)
  })

  it('leaves documentation and health checks public', async () => {
    for (const path of [
      '/',
      '/api',
      '/api/',
      '/api/v1/health',
      '/api/docs',
      '/api/openapi.json',
      '/swagger.json',
      '/livez',
      '/readyz',
    ])
      assert.equal((await sendRequest(origin + path)).status, 200, path)
    assert.equal((await sendRequest(`${origin}/nowhere`)).status, 404)
  })

  it('leaves writes disabled if only a read token is configured', async () => {
    const response = await post(`${origin}/api/v1/leave`, {}, withToken(readToken).headers)
    assert.equal(response.status, 503)
    assert.equal((await sendRequest(`${origin}/api/v1/health`)).json.writes_enabled, false)
  })
})

describe('public reads', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into employees (status) values ('active')`)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  it('ignore an Authorization header, and may be cached by clients', async () => {
    for (const init of [{}, withToken('wrong'), withToken(token)]) {
      const response = await sendUntilServed(`${service.baseUrl}/v1/employees`, init)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('cache-control'), 'no-cache')
    }
  })

  const emails: [email: string | null, isReal: boolean][] = [
    [null, false],
    ['ada@example.com', false],
    ['ada@mail.EXAMPLE.org', false],
    ['ada@norrgrund.example', false],
    ['ada@x.test', false],
    ['ada@notexample.com', true],
    ['ada@example.com.evil.dev', true],
    ['ada', true],
  ]
  for (const [email, isReal] of emails) {
    it(`contain real e-mail addresses (hasRealEmails): ${isReal} for ${email}`, async () => {
      await database.query('update employees set email = $1', [email])
      assert.equal(await hasRealEmails(service.database), isReal)
    })
  }
})

describe('the OpenAPI document', () => {
  /** Compiles the schema of each version only once. */
  const validator = new Validator()
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  const expectations: [reads: ReadMode, security: unknown, declares401: boolean, aboutPattern: RegExp][] = [
    ['public', [], false, /Reads are public; creates/],
    ['redacted', [{}, { readToken: [] }], false, /public except personal fields/],
    ['token', [{ readToken: [] }], true, /Reads require a bearer token/],
  ]
  for (const [reads, security, declares401, aboutPattern] of expectations) {
    it(`declares the security of reads for MUSTER_READS=${reads}`, async (t) => {
      const service = await startService(database.url, { reads })
      t.after(() => service.stop())
      const { json } = await sendRequest(`${service.baseUrl}/openapi.json`)
      for (const { path } of resources) {
        for (const operation of [json.paths[`/v1/${path}`].get, json.paths[`/v1/${path}/{item_id}`].get]) {
          assert.deepEqual(operation.security, security)
          assert.equal('401' in operation.responses, declares401)
          assert.equal(
            operation.description.includes('Without a token'),
            reads === 'redacted' && path in personalFields,
          )
        }
      }
      for (const { path, creatable } of resources)
        if (creatable) assert.deepEqual(json.paths[`/v1/${path}`].post.security, [{ writeToken: [] }])
      assert.equal(
        json.paths['/v1/leave'].get.description.includes('`leave_type` is `withheld`, and `reason` is null.'),
        reads === 'redacted',
      )
      for (const [name, note] of [
        ['today', '`out` is one row for all leave types, whose `group` is null.'],
        ['leave-days', '`leave_type` needs a token.'],
      ] as const)
        assert.equal(json.paths[`/v1/reports/${name}`].get.description.includes(note), reads === 'redacted', name)
      assert.deepEqual(await validator.validate(json).then(({ valid, errors }) => [valid, errors]), [true, undefined])
      const origin = service.baseUrl.replace(/\/api$/, '')
      assert.equal((await validator.validate((await sendRequest(`${origin}/swagger.json`)).json)).valid, true)
      assert.match((await sendRequest(service.baseUrl)).json.about, aboutPattern)
    })
  }
})

const requestIdPattern = /"request_id":"[^"]+"/g

/** Runs `work` for eight items at a time. */
const runConcurrently = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const remainingItems = [...items]
  const worker = async (): Promise<void> => {
    for (let item = remainingItems.pop(); item !== undefined; item = remainingItems.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
