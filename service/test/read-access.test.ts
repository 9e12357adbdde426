/** Who may read what: everything, all that is not personal, or nothing; and nobody by way of an answer kept for another. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NamedField, ReadMode, Resource } from '@muster/model'
import { resources } from '@muster/model'
import { Validator } from '@seriousme/openapi-schema-validator'
import { holdsRealAddresses } from '../src/operations/real-addresses.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase, createTestDatabase } from './support/database.ts'
import type { Answer } from './support/http.ts'
import { ask, post } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

const readToken = 'a-token-for-reads-alone-of-more-than-32-characters'
const bearing = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })

/** Written by hand: what must not be shown. */
const personalFields: Readonly<Record<string, readonly string[]>> = {
  employees: ['first_name', 'last_name', 'email', 'gender', 'base_salary', 'probation_end', 'termination_date'],
  candidates: [
    ...['first_name', 'last_name', 'email', 'phone', 'location', 'current_employer', 'linkedin_url', 'notes'],
  ],
  leave: ['reason'],
  applications: ['rating', 'rejection_reason'],
}
const personal = resources.filter(({ path }) => Object.hasOwn(personalFields, path))

describe('personal fields', () => {
  it('are declared', () => {
    const declared = resources.flatMap(({ path, all }) => {
      const names = all.filter((field) => field.personal).map(({ name }) => name)
      return names.length === 0 ? [] : [[path, names]]
    })
    assert.deepEqual(Object.fromEntries(declared), personalFields)
  })
})

describe('redacted reads', () => {
  let database: TestDatabase
  let emptied: TestDatabase
  let service: RunningService
  let open: RunningService
  /** Serves a database in which nothing personal was ever stored: what the redacted service must be taken for. */
  let ignorant: RunningService
  before(async () => {
    database = await createSeededDatabase()
    emptied = await createSeededDatabase()
    for (const { table, path } of personal)
      await emptied.execute(`update ${table} set ${personalFields[path]?.map((name) => `${name} = null`).join(', ')}`)
    const settings = { cacheBytes: 0 }
    service = await startService(database.url, {
      reads: 'redacted',
      readTokens: [readToken],
      poolSize: 10,
      ...settings,
    })
    open = await startService(database.url, { poolSize: 10, ...settings })
    ignorant = await startService(emptied.url, { poolSize: 10, ...settings })
  })
  after(async () => {
    for (const each of [service, open, ignorant]) await each.stop()
    await database.drop()
    await emptied.drop()
  })

  const both = async (path: string): Promise<[Answer, Answer]> =>
    Promise.all([ask(`${service.base}${path}`), ask(`${ignorant.base}${path}`)])

  it('are, in every list and get, those of a service that never knew', async () => {
    for (const { path, all, relations } of resources) {
      const shape = `fields=${all.map(({ name }) => name)}&expand=${relations.map(({ name }) => name)}`
      for (const query of [
        '',
        '?limit=200&offset=100',
        '?offset=1000',
        '?q=e',
        '?status=active',
        '?q=an%20e&limit=3',
        '/1',
        '/7',
        `?limit=200&${shape}`,
        `?q=e&offset=3&${shape}`,
        `/7?${shape}`,
      ]) {
        const [shown, unknowing] = await both(`/v1/${path}${query}`)
        assert.equal(shown.text.replaceAll(requestIds, ''), unknowing.text.replaceAll(requestIds, ''), path + query)
      }
    }
  })

  it('cannot be searched for what is withheld: 5,000 searches find what a service that never knew finds', async () => {
    const words = new Set<string>()
    for (const { path } of personal) {
      const fields = personalFields[path] ?? []
      for (let offset = 0; offset < 600; offset += 200) {
        const { json } = await ask(`${open.base}/v1/${path}?limit=200&offset=${offset}`)
        for (const record of json.data) {
          for (const name of fields) {
            const text = String(record[name] ?? '')
            words.add(`${path}?q=${encodeURIComponent(text.slice(0, 100))}`)
            for (const word of text.split(/[\s@/.]+/).slice(0, 4)) words.add(`${path}?q=${encodeURIComponent(word)}`)
          }
        }
      }
    }
    const searches = [...words].slice(0, 5_000)
    assert.equal(searches.length, 5_000)
    const differing: string[] = []
    let found = 0
    await inTurns(searches, async (search) => {
      const [shown, unknowing] = await both(`/v1/${search}&limit=1`)
      if (shown.text !== unknowing.text) differing.push(search)
      found += shown.json.meta.total > 0 ? 1 : 0
    })
    assert.deepEqual(differing, [])
    // Words that also stand in fields that are shown are found there: the searches were real.
    assert.ok(found > 20 && found < 1_000, String(found))
    const sample = searches.filter((_, at) => at % 50 === 0)
    const totals: number[] = []
    await inTurns(sample, async (search) => {
      totals.push((await ask(`${open.base}/v1/${search}`)).json.meta.total)
    })
    // Numbers and dates are nowhere searched for; all else is found where everything is shown.
    assert.ok(totals.filter((total) => total > 0).length > sample.length / 2)
  })

  it('can be searched for everything by holders of a token', async () => {
    const { json } = await ask(`${open.base}/v1/candidates/1`)
    const path = `/v1/candidates?q=${encodeURIComponent(json.email)}`
    assert.equal((await ask(service.base + path)).json.meta.total, 0)
    for (const each of [token, readToken])
      assert.equal((await ask(service.base + path, bearing(each))).text, (await ask(open.base + path)).text)
  })

  const filters = personal.flatMap((resource: Resource) =>
    resource.filters.filter((field: NamedField) => field.personal).map(({ name }) => [resource.path, name] as const),
  )
  for (const [path, name] of filters) {
    it(`cannot be filtered by ${name} of ${path} without a token`, async () => {
      const url = `${service.base}/v1/${path}?${name}=Ada@example.com&limit=x`
      const refused = await ask(url)
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.json, {
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
      const allowed = `${service.base}/v1/${path}?${name}=nobody@example.com`
      assert.equal((await ask(allowed, bearing(readToken))).status, 200)
      assert.equal((await ask(allowed, bearing('wrong'))).status, 422)
      // A blank filter asks for nothing.
      assert.equal((await ask(`${service.base}/v1/${path}?${name}=%20`)).status, 200)
    })
  }

  it('cannot be filtered or sorted by in any way without a token', async () => {
    const values = { equals: 'a', from: '1', to: 'x', is_null: 'true' }
    for (const resource of personal) {
      const asked = resource.listFilters.filter(({ field }) => field.personal)
      assert.ok(asked.length > 0, resource.path)
      const query = asked.map(({ parameter, test }) => `${parameter}=${values[test]}`).join('&')
      const refused = await ask(`${service.base}/v1/${resource.path}?${query}`)
      assert.deepEqual(
        refused.json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc]),
        asked.map(({ parameter }) => ['field_redacted', 'query', parameter]),
      )
      for (const { name, personal: isPersonal } of resource.sortable) {
        const sorted = await ask(`${service.base}/v1/${resource.path}?sort=-${name}&limit=1`)
        assert.equal(sorted.status, isPersonal ? 422 : 200, name)
        if (isPersonal) assert.equal(sorted.json.detail[0].type, 'field_redacted')
      }
      const blank = asked.map(({ parameter }) => `${parameter}=`).join('&')
      assert.equal((await ask(`${service.base}/v1/${resource.path}?${blank}`)).status, 200)
    }
  })

  it('are whole for holders of a token, and a wrong token counts as none', async () => {
    for (const path of ['/v1/employees?limit=5', '/v1/candidates/3', '/v1/leave?q=a', '/v1/applications?limit=200']) {
      const whole = (await ask(open.base + path)).text
      const without = (await ask(service.base + path)).text
      assert.notEqual(without, whole, path)
      for (const each of [token, readToken]) assert.equal((await ask(service.base + path, bearing(each))).text, whole)
      assert.equal((await ask(service.base + path, bearing(`${readToken}x`))).text, without)
    }
  })

  it('do not let the read token create', async () => {
    const answer = await post(`${service.base}/v1/leave`, { leave_type: 'annual' }, bearing(readToken).headers)
    assert.equal(answer.status, 401)
  })
})

describe('answers kept in memory', () => {
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
    it(`are not shown to callers with another view of ${path}`, async () => {
      const url = service.base + path
      const names = async (init?: RequestInit) => (await ask(url, init)).text.includes('Ada')
      for (let round = 0; round < 3; round += 1) {
        assert.equal(await names(bearing(readToken)), true)
        assert.equal(await names(), false)
        assert.equal(await names(bearing('wrong')), false)
        assert.equal(await names({ ...bearing(token), method: 'GET' }), true)
      }
      const whole = await ask(url, bearing(readToken))
      const without = await ask(url)
      const [tag, other] = [whole.headers.get('etag') ?? '', without.headers.get('etag') ?? '']
      assert.notEqual(tag, other)
      const asked = async (held: string, headers = {}) => ask(url, { headers: { 'if-none-match': held, ...headers } })
      assert.equal((await asked(tag)).text, without.text)
      assert.equal((await asked(other)).status, 304)
      assert.equal((await asked(other, bearing(token).headers)).text, whole.text)
      assert.equal((await asked(tag, bearing(token).headers)).status, 304)
      for (const answer of [whole, without, await asked(other)])
        assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    })
  }

  it('nor is what a search found for a caller with another view', async () => {
    const total = async (query: string, init?: RequestInit): Promise<number> =>
      (await ask(`${service.base}/v1/employees?q=ada&${query}`, init)).json.meta.total
    // Each an address of its own, so that none is answered whole from memory.
    for (const query of ['limit=1', 'limit=2', 'fields=id', 'expand=manager']) {
      assert.equal(await total(query, bearing(readToken)), 1, query)
      assert.equal(await total(query), 0, query)
    }
  })
})

describe('reads with a token', () => {
  let database: TestDatabase
  let service: RunningService
  let host: string
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('Research')`)
    service = await startService(database.url, { tokens: [], reads: 'token', readTokens: [readToken] })
    host = service.base.replace(/\/api$/, '')
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  it('are refused without one, whatever is asked for', async () => {
    await ask(`${host}/api/v1/departments`, bearing(readToken))
    for (const { path } of resources) {
      for (const rest of ['', '/', '/1', '/999', '/nobody', '?limit=x', `?token=${readToken}`]) {
        for (const method of ['GET', 'HEAD']) {
          for (const init of [{}, bearing('wrong')]) {
            const answer = await ask(`${host}/api/v1/${path}${rest}`, { method, ...init })
            assert.equal(answer.status, 401, `${method} ${path}${rest}`)
            assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
            assert.equal(answer.headers.get('etag'), null)
            if (method === 'GET') assert.equal(answer.json.error.code, 'unauthorized')
          }
        }
      }
    }
  })

  it('are answered with one, from memory too', async () => {
    for (let round = 0; round < 3; round += 1) {
      const answer = await ask(`${host}/api/v1/departments`, bearing(readToken))
      assert.equal(answer.json.data[0].name, 'Research')
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    }
    assert.equal((await ask(`${host}/api/v1/departments/2`, bearing(readToken))).status, 404)
  })

  it('leave open what speaks of the service itself', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/v1/health',
      '/api/docs',
      '/api/openapi.json',
      '/swagger.json',
      '/livez',
      '/readyz',
    ])
      assert.equal((await ask(host + path)).status, 200, path)
    assert.equal((await ask(`${host}/nowhere`)).status, 404)
  })

  it('leave writes as they are: disabled here, since only a read token is configured', async () => {
    const answer = await post(`${host}/api/v1/leave`, {}, bearing(readToken).headers)
    assert.equal(answer.status, 503)
    assert.equal((await ask(`${host}/api/v1/health`)).json.writes_enabled, false)
  })
})

describe('public reads', () => {
  it('overlook an Authorization header, and may be kept by their readers', async () => {
    const database = await createTestDatabase()
    const service = await startService(database.url)
    for (const init of [{}, bearing('wrong'), bearing(token)]) {
      const answer = await ask(`${service.base}/v1/employees`, init)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('cache-control'), 'no-cache')
    }
    await service.stop()
    await database.drop()
  })
})

describe('addresses of real people', () => {
  const addresses: [email: string | null, real: boolean][] = [
    [null, false],
    ['ada@example.com', false],
    ['ada@mail.EXAMPLE.org', false],
    ['ada@norrgrund.example', false],
    ['ada@x.test', false],
    ['ada@notexample.com', true],
    ['ada@example.com.evil.dev', true],
    ['ada', true],
  ]
  for (const [email, real] of addresses) {
    it(`${email} is ${real ? '' : 'not '}one`, async () => {
      const database = await createTestDatabase()
      const service = await startService(database.url)
      await database.execute(
        `insert into employees (email, status) values (${email === null ? 'null' : `'${email}'`}, 'active')`,
      )
      assert.equal(await holdsRealAddresses(service.database), real)
      await service.stop()
      await database.drop()
    })
  }
})

describe('the description', () => {
  const expected: [reads: ReadMode, security: unknown, declares401: boolean, index: RegExp][] = [
    ['public', [], false, /Reads are public; creates/],
    ['redacted', [{}, { readToken: [] }], false, /public but for personal fields/],
    ['token', [{ readToken: [] }], true, /Reads carry a bearer token/],
  ]
  for (const [reads, security, declares401, index] of expected) {
    it(`tells who may read where reads are ${reads}`, async () => {
      const database = await createTestDatabase()
      const service = await startService(database.url, { reads })
      const { json } = await ask(`${service.base}/openapi.json`)
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
      assert.deepEqual(await new Validator().validate(json).then(({ valid, errors }) => [valid, errors]), [
        true,
        undefined,
      ])
      const host = service.base.replace(/\/api$/, '')
      assert.equal((await new Validator().validate((await ask(`${host}/swagger.json`)).json)).valid, true)
      assert.match((await ask(service.base)).json.about, index)
      await service.stop()
      await database.drop()
    })
  }
})

const requestIds = /"request_id":"[^"]+"/g

/** Eight at a time. */
const inTurns = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
