/** Every method of the client against a running service with the demo company. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@muster/client'
import { createClient, MusterError } from '@muster/client'
import { groupingsOf, listedResources, resources } from '@muster/model'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../tests/support/database.ts'
import type { RunningService } from '../../../tests/support/service.ts'
import { startService, token } from '../../../tests/support/service.ts'
import { recordRequests } from './support/recorded-fetch.ts'

const nameOf = (path: string): string => path.replace(/-./g, (match) => match.slice(1).toUpperCase())

const collect = async <T>(records: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const record of records) all.push(record)
  return all
}

// biome-ignore lint/suspicious/noExplicitAny: clients in loops over all resources, whose types differ, and JSON
type Untyped = any

describe('a client', () => {
  let database: TestDatabase
  let service: RunningService
  let muster: Client

  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
    muster = createClient({ baseUrl: service.baseUrl, token })
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
  })

  const json = async (path: string): Promise<Untyped> => (await fetch(`${service.baseUrl}/v1/${path}`)).json()

  it('tells the release, the reading mode and whether creates are enabled', async () => {
    const { product, reads } = await muster.info()
    assert.deepEqual({ product, reads }, { product: 'Muster', reads: 'public' })
    assert.deepEqual((await muster.health()).status, 'ok')
  })

  it('tells what its token may do', async () => {
    const { by, reads, create } = await muster.session()
    assert.deepEqual({ by, reads }, { by: 'token', reads: 'full' })
    assert.ok(create.includes('leave'))
    assert.equal((await createClient({ baseUrl: service.baseUrl }).session()).name, null)
  })

  it('has a property for every resource, with create and count only if the service has them for that resource', () => {
    assert.deepEqual(Object.keys(muster), [
      ...listedResources.map(({ path }) => nameOf(path)),
      'reports',
      'careerVisibility',
      'search',
      'changes',
      'liveChanges',
      'resource',
      'info',
      'health',
      'session',
    ])
    for (const resource of resources) {
      const client: Untyped = muster[nameOf(resource.path) as keyof Client]
      assert.equal('create' in client, resource.creatable, resource.path)
      assert.equal('count' in client, groupingsOf(resource).length > 0, resource.path)
    }
  })

  it('reads resources by their path in the API', async () => {
    for (const resource of resources) {
      const { path } = resource
      const client = muster.resource(path)
      const page = await client.list({ limit: 3, offset: 1, sort: '-id', fields: ['id'] })
      assert.deepEqual(page, await json(`${path}?limit=3&offset=1&sort=-id&fields=id`), path)
      const id = page.data[0]?.id ?? 0
      assert.deepEqual(await client.get(id), await json(`${path}/${id}`), path)
      const [by] = groupingsOf(resource)
      if (by !== undefined)
        assert.deepEqual(await client.count({ by: by.name }), await json(`counts/${path}?by=${by.name}`), path)
    }
  })

  it('returns the data of the service for list, get, count and each of every resource', async () => {
    for (const resource of resources) {
      const { path } = resource
      const client: Untyped = muster[nameOf(path) as keyof Client]
      assert.deepEqual(await client.list(), await json(path), path)
      const page = await client.list({ limit: 3, offset: 1, sort: '-id' })
      assert.deepEqual(page, await json(`${path}?limit=3&offset=1&sort=-id`), path)
      assert.deepEqual(await client.get(page.data[0].id), page.data[0], path)
      const records = await collect(client.each())
      assert.equal(records.length, page.meta.total, path)
      assert.deepEqual(records.slice(0, 50), (await json(path)).data, path)
      const [by] = groupingsOf(resource)
      if (by !== undefined) {
        assert.deepEqual(await client.count({ by: by.name }), await json(`counts/${path}?by=${by.name}`), path)
      }
    }
  })

  it('filters by single values, lists, excluded values, ranges and null, and searches with q', async () => {
    const cases = [
      [{ status: 'active', limit: 200 }, 'status=active&limit=200'],
      [{ status: ['active', 'on_leave'], dept_id: 2 }, 'status=active,on_leave&dept_id=2'],
      [{ id: [3, 1, 2] }, 'id=3,1,2'],
      [
        { date_of_joining_from: '2020-01-01', date_of_joining_to: '2022-12-31' },
        'date_of_joining_from=2020-01-01&date_of_joining_to=2022-12-31',
      ],
      [{ base_salary_from: 60_000.5 }, 'base_salary_from=60000.5'],
      [{ manager_id_is_null: true }, 'manager_id_is_null=true'],
      [{ status_not: 'active' }, 'status_not=active'],
      [{ status_not: ['active', 'a,b'], dept_id: [1, 2, 3, 4] }, 'status_not=active,a,,b&dept_id=1,2,3,4'],
      [{ q: 'é a', sort: ['-date_of_joining', 'last_name'] }, 'q=%C3%A9%20a&sort=-date_of_joining,last_name'],
      [{ dept_id: undefined, q: '', sort: [], expand: [] }, ''],
    ] as const
    for (const [query, expected] of cases) {
      const page = await json(`employees?${expected}`)
      assert.deepEqual(await muster.employees.list(query), page, expected)
      assert.ok(page.meta.total > 0, expected)
    }
  })

  it('sends every filter whose condition is a query, with a comma in a text unchanged', async () => {
    const { fetch, requests } = recordRequests()
    const watchedClient = createClient({ baseUrl: service.baseUrl, token, fetch })
    const sampleValues = { date: '2026-01-01', 'month-day': '03-01', id: 1, text: 'interview, final' }
    for (const { path, computedFilters } of resources) {
      const client: Untyped = watchedClient[nameOf(path) as keyof Client]
      for (const { parameter, kind, values = [] } of computedFilters) {
        const value = kind === 'choice' ? values[0] : sampleValues[kind]
        const page = await client.list({ [parameter]: value })
        assert.equal(new URL(requests.at(-1)?.url ?? '').searchParams.get(parameter), String(value), parameter)
        assert.deepEqual(page, await json(`${path}?${new URLSearchParams({ [parameter]: String(value) })}`), parameter)
      }
    }
  })

  it('searches, in all resources and in some', async () => {
    const page = await muster.search({ q: 'róża ostrowska' })
    assert.deepEqual(page, await json(`search?${new URLSearchParams({ q: 'róża ostrowska' })}`))
    const [first] = page.data
    assert.equal(first?.resource === 'employees' && first.department?.name, 'Engineering')
    const jobs = await muster.search({ q: 'engineer, data', resource: ['jobs', 'candidates'], limit: 3 })
    assert.deepEqual(jobs, await json('search?q=engineer%2C+data&resource=jobs%2Ccandidates&limit=3'))
  })

  it('finds texts that contain commas', async () => {
    await database.execute(`update employees set code = 'a,b' where id = 1; update employees set code = 'b,' where id = 2;
      update employees set code = ',c' where id = 3; update employees set code = 'a' where id = 4`)
    const idsOf = async (code: string | string[]) => (await muster.employees.list({ code })).data.map(({ id }) => id)
    assert.deepEqual(await idsOf('a,b'), [1])
    assert.deepEqual(await idsOf(['b,', 'a']), [2, 4])
    assert.deepEqual(await idsOf([',c', 'a,b']), [1, 3])
    await assert.rejects(idsOf(['a', ',c']), TypeError)
  })

  it('refuses filters without a value, which the service would ignore', async () => {
    for (const query of [{ id: [] }, { status: '' }, { status: [] }, { status: ['active', ' '] }, { fields: [] }])
      await assert.rejects(async () => muster.employees.list(query), TypeError, JSON.stringify(query))
    // @ts-expect-error null is no value
    await assert.rejects(muster.employees.list({ dept_id: null }), TypeError)
    assert.throws(() => muster.employees.each({ id: [] }), TypeError)
  })

  it('returns only the selected fields and adds the related records', async () => {
    const page = await muster.applications.list({ fields: ['stage', 'id'], expand: ['job', 'candidate'], limit: 2 })
    assert.deepEqual(page, await json('applications?fields=id,stage&expand=candidate,job&limit=2'))
    assert.deepEqual(Object.keys(page.data[0] ?? {}), ['id', 'stage', 'candidate', 'job'])
    const { id = 0, job } = page.data[0] ?? {}
    assert.ok(job?.title)
    assert.deepEqual(
      await muster.applications.get(id, { fields: ['stage', 'id'], expand: ['job', 'candidate'] }),
      page.data[0],
    )
    const first = await muster.applications.each({ fields: ['id'], expand: ['job'] }).next()
    assert.deepEqual(Object.keys(first.value ?? {}), ['id', 'job'])
  })

  it('counts the records that match a filter, grouped by two fields', async () => {
    const counts = await muster.applications.count({ by: ['stage', 'month(applied_on)'], status: 'active' })
    assert.deepEqual(counts, await json('counts/applications?by=stage,month(applied_on)&status=active'))
    const sum = counts.data.reduce((total, { count }) => total + count, 0)
    assert.equal(sum, counts.meta.total)
    assert.equal(typeof counts.data[0]?.stage, 'string')
    assert.match(counts.data[0]?.['month(applied_on)'] ?? '', /^\d{4}-\d\d$/)
  })

  it('creates one record per idempotency key, and uses a new key for each call without one', async () => {
    const body = { employee_id: 7, leave_type: 'annual', days: 2.5, reason: null }
    const before = (await muster.leave.list()).meta.total
    const first = await muster.leave.create(body)
    assert.deepEqual(first, await json(`leave/${first.id}`))
    assert.equal(first.days, 2.5)
    assert.notEqual((await muster.leave.create(body)).id, first.id)
    const idempotencyKey = 'import-2026-11-15-line-7'
    const recordWithOwnKey = await muster.leave.create(body, { idempotencyKey })
    assert.deepEqual(await muster.leave.create(body, { idempotencyKey }), recordWithOwnKey)
    assert.equal((await muster.leave.list()).meta.total, before + 3)
    await assert.rejects(muster.leave.create({ ...body, days: 3 }, { idempotencyKey }), {
      name: 'MusterError',
      status: 422,
      code: 'idempotency_key_reused',
    })
  })

  it('takes a base URL with or without a slash at its end', async () => {
    const clientWithSlash = createClient({ baseUrl: `${service.baseUrl}/` })
    assert.deepEqual(await clientWithSlash.departments.list(), await json('departments'))
  })

  it('throws the reason of its signal if the signal is aborted before or during the request', async () => {
    const { fetch, requests } = recordRequests()
    const watchedClient = createClient({ baseUrl: service.baseUrl, fetch, retry: { attempts: 1 } })
    const aborted = AbortSignal.abort(new Error('changed my mind'))
    await assert.rejects(watchedClient.employees.list({}, { signal: aborted }), /changed my mind/)
    await assert.rejects(watchedClient.employees.each({}, { signal: aborted }).next(), /changed my mind/)
    assert.deepEqual(
      requests.map(({ status }) => status),
      [undefined, undefined],
    )
    const controller = new AbortController()
    const runningRequest = watchedClient.employees.get(1, {}, { signal: controller.signal })
    controller.abort()
    await assert.rejects(runningRequest, { name: 'AbortError' })
  })

  describe('with a cache', () => {
    it('sends the ETag, and returns the kept record if the service responds 304, and the new one after a change', async () => {
      const { fetch, requests } = recordRequests()
      const cached = createClient({ baseUrl: service.baseUrl, token, cache: 10, fetch })
      const statuses = () => requests.splice(0).map(({ status }) => status)
      const first = await cached.departments.get(1)
      const kept = { ...first }
      first.name = 'changed by the caller'
      assert.deepEqual(await cached.departments.get(1), kept)
      assert.deepEqual(await cached.departments.list({ limit: 1 }), await json('departments?limit=1'))
      assert.deepEqual(await cached.departments.list({ limit: 1 }), await json('departments?limit=1'))
      await cached.employees.count({ by: 'status' })
      assert.deepEqual(await cached.employees.count({ by: 'status' }), await json('counts/employees?by=status'))
      assert.deepEqual(statuses(), [200, 304, 200, 304, 200, 304])
      await database.execute(`update departments set name = 'Renamed' where id = 1`)
      assert.equal((await cached.departments.get(1)).name, 'Renamed')
      assert.equal((await cached.departments.get(1)).name, 'Renamed')
      assert.deepEqual(statuses(), [200, 304])
    })

    it('keeps only the given number of most recently used responses', async () => {
      const { fetch, requests } = recordRequests()
      const cached = createClient({ baseUrl: service.baseUrl, cache: 2, fetch })
      for (const id of [1, 2, 1, 3, 1, 2]) await cached.departments.get(id)
      assert.deepEqual(
        requests.map(({ status }) => status),
        [200, 200, 304, 200, 304, 200],
      )
    })

    it('is off by default', async () => {
      const { fetch, requests } = recordRequests()
      const uncached = createClient({ baseUrl: service.baseUrl, fetch })
      await uncached.departments.get(1)
      await uncached.departments.get(1)
      assert.deepEqual(
        requests.map(({ status }) => status),
        [200, 200],
      )
    })
  })

  describe('reports errors', () => {
    const errorOf = async (work: Promise<unknown>): Promise<MusterError> => {
      const error = await work.then(
        () => assert.fail('nothing was thrown'),
        (error: unknown) => error,
      )
      assert.ok(error instanceof MusterError, String(error))
      return error
    }

    it('in the same form for an invalid query and an invalid body', async () => {
      const query = await errorOf(muster.employees.list({ limit: 201, offset: -1 }))
      const body = await errorOf(muster.leave.create({ leave_type: ' ', days: 1, employee_id: 1.5 }))
      for (const error of [query, body]) {
        assert.equal(error.status, 422)
        assert.equal(error.code, 'validation_error')
        assert.match(error.requestId ?? '', /^[\w-]+$/)
      }
      assert.deepEqual(
        query.problems.map(({ type, loc }) => [type, ...loc]),
        [
          ['less_than_equal', 'query', 'limit'],
          ['greater_than_equal', 'query', 'offset'],
        ],
      )
      assert.deepEqual(
        body.problems.map(({ type, loc }) => [type, ...loc]),
        [
          ['int_from_float', 'body', 'employee_id'],
          ['string_too_short', 'body', 'leave_type'],
        ],
      )
      assert.match(query.message, /query\.limit: Input should be less than or equal to 200/)
    })

    it('for parameters that the service does not know, unless strict is false', async () => {
      const misspelt = { stauts: 'active' } as object
      const error = await errorOf(muster.employees.list(misspelt))
      assert.equal(error.problems[0]?.ctx?.did_you_mean, 'status')
      const streamed = await errorOf(muster.employees.each(misspelt).next())
      assert.equal(streamed.problems[0]?.type, 'unexpected_parameter')
      const lenientClient = createClient({ baseUrl: service.baseUrl, strict: false })
      assert.deepEqual(await lenientClient.employees.list(misspelt), await json('employees'))
    })

    it('for a missing record and for a missing token', async () => {
      const missing = await errorOf(muster.employees.get(999_999))
      assert.deepEqual([missing.status, missing.code, missing.problems], [404, 'not_found', []])
      assert.equal(missing.message, `Nothing exists at this URL.\n  GET ${service.baseUrl}/v1/employees/999999: 404`)
      const clientWithoutToken = createClient({ baseUrl: service.baseUrl })
      const refused = await errorOf(clientWithoutToken.leave.create({ leave_type: 'annual' }))
      assert.deepEqual([refused.status, refused.code], [401, 'unauthorized'])
      assert.deepEqual([refused.method, refused.url], ['POST', `${service.baseUrl}/v1/leave`])
    })

    it('with a hint if the base URL does not end in /api', async () => {
      const clientAtHost = createClient({ baseUrl: service.baseUrl.replace(/\/api$/, '') })
      const error = await errorOf(clientAtHost.employees.list())
      assert.equal(error.reason, 'Nothing exists at this URL. The base URL should end in /api.')
    })

    it('for a connection that fails', async () => {
      const client = createClient({ baseUrl: 'http://127.0.0.1:1/api', retry: { attempts: 1 } })
      const { message, reason } = await errorOf(client.employees.get(1))
      assert.equal(message, `${reason}\n  GET http://127.0.0.1:1/api/v1/employees/1: no response`)
    })

    it('for responses that are not from Muster', async () => {
      const clientOfDocsPage = createClient({ baseUrl: service.baseUrl.replace(/\/api$/, '/api/docs?') })
      const error = await errorOf(clientOfDocsPage.employees.list())
      assert.deepEqual([error.status, error.code], [200, 'unexpected_response'])
    })
  })
})
