import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { listedResources, reports, resources, trackedResources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { callMessage, messageIn, postMessage } from '../../../../tests/support/mcp.ts'
import type { RunningService, ServiceSettings } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { noTokens } from '../../src/config/tokens.ts'
import type { NamedToken } from '../../src/http/access/callers.ts'
import { openCallers } from '../../src/http/access/callers.ts'

const readToken = 'a-read-token-of-more-than-32-characters'
const secretOf = (name: string): string => `token-of-${name}-with-more-than-32-characters`
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

const named = (name: string, rights: Partial<NamedToken>): NamedToken => ({
  ...{ name, sha256: hash('sha256', secretOf(name)), read: [], personal: false, create: [], expires: undefined },
  ...rights,
})

const leaveApp = named('leave-app', { read: ['employees', 'leave'], create: ['leave'], expires: '2099-12-31' })
const payroll = named('payroll', { read: ['employees', 'headcount'], personal: true })
const auditor = named('auditor', { read: 'all', personal: true })
const expired = named('expired', { read: 'all', personal: true, create: ['leave'], expires: '2020-01-01' })
const namedTokens = [leaveApp, payroll, auditor, expired]

const paths = listedResources.map(({ path }) => path)
const everything = [...paths, ...reports.map(({ name }) => name).filter((name) => !paths.includes(name))]
const tracked = trackedResources.map(({ path }) => path)
const creatable = resources.filter((resource) => resource.creatable).map(({ path }) => path)

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

const withService = async (settings: ServiceSettings, use: (service: RunningService) => Promise<void>) => {
  const service = await startService(database.url, { readTokens: [readToken], namedTokens, ...settings })
  try {
    await use(service)
  } finally {
    await service.stop()
  }
}

const codeOf = ({ status, json }: HttpResponse): string => `${status} ${json.error.code}`

describe('a create', () => {
  it('needs the right to its resource, which 403 names before the body is read', async () => {
    await withService({ tokens: [] }, async ({ baseUrl, port }) => {
      const created = await post(`${baseUrl}/v1/leave`, { leave_type: 'annual' }, bearer(secretOf('leave-app')))
      assert.equal(created.status, 201)
      const refused = await post(`${baseUrl}/v1/organizations`, 'x'.repeat(2_000_000), bearer(secretOf('leave-app')))
      assert.equal(codeOf(refused), '403 forbidden')
      assert.deepEqual(refused.json.error.details.missing, { create: ['organizations'] })
      assert.equal(refused.headers.get('www-authenticate'), null)
      const socket = connect(port, '127.0.0.1')
      socket.write(
        `POST /api/v1/organizations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secretOf('leave-app')}\r\nContent-Length: 1000\r\n\r\n`,
      )
      const [firstChunk] = (await once(socket, 'data')) as [Buffer]
      assert.match(firstChunk.toString(), /^HTTP\/1\.1 403 /)
      socket.destroy()
    })
  })

  it('gets 401 with a wrong or expired token and with the read token, as without one', async () => {
    await withService({}, async ({ baseUrl }) => {
      for (const secret of ['wrong', secretOf('expired'), readToken])
        assert.equal(codeOf(await post(`${baseUrl}/v1/leave`, {}, bearer(secret))), '401 unauthorized')
      assert.equal(codeOf(await post(`${baseUrl}/v1/leave`, {}, bearer(secretOf('payroll')))), '403 forbidden')
    })
  })

  it('is allowed for every resource with the write token, also if the access file has the same token', async () => {
    const same = { ...named('same', {}), sha256: hash('sha256', token) }
    await withService({ namedTokens: [same], reads: 'token' }, async ({ baseUrl }) => {
      for (const path of creatable)
        assert.equal(codeOf(await post(`${baseUrl}/v1/${path}`, {})), '422 validation_error')
      assert.equal((await sendRequest(`${baseUrl}/v1/jobs`, { headers: bearer(token) })).status, 200)
    })
  })

  for (const [title, entries, isEnabled] of [
    ['an entry may create', [leaveApp, payroll], true],
    ['no entry may create', [payroll], false],
    ['the only entry that may create has expired', [payroll, expired], false],
  ] as const)
    it(`is ${isEnabled ? 'enabled' : 'disabled'} without a write token if ${title}`, async () => {
      await withService({ tokens: [], namedTokens: entries }, async ({ baseUrl }) => {
        assert.equal((await sendRequest(`${baseUrl}/v1/health`)).json.writes_enabled, isEnabled)
        const response = await post(`${baseUrl}/v1/leave`, {})
        assert.equal(codeOf(response), isEnabled ? '401 unauthorized' : '503 writes_disabled')
      })
    })
})

describe('a token with an expiry', () => {
  const request = {
    rawHeaders: ['authorization', 'x'],
    headers: bearer(secretOf('leave-app')),
  } as unknown as IncomingMessage
  for (const [now, name] of [
    ['2099-12-31T23:59:59.999Z', 'leave-app'],
    ['2100-01-01T00:00:00.000Z', undefined],
  ] as const)
    it(`is ${name === undefined ? 'wrong' : 'valid'} at ${now} if the last day is 2099-12-31`, (context) => {
      context.mock.timers.enable({ apis: ['Date'], now: Date.parse(now) })
      const callers = openCallers('token', { ...noTokens, named: [leaveApp] })
      assert.equal(callers.of(request).name, name)
      assert.equal(callers.createsEnabled, name !== undefined)
    })

  it('ends its event streams when it expires', async (context) => {
    await withService({ reads: 'token', namedTokens: [{ ...auditor, expires: '2099-12-31' }] }, async ({ baseUrl }) => {
      const headers = { accept: 'text/event-stream', ...bearer(secretOf('auditor')) }
      const stream = await fetch(`${baseUrl}/v1/changes`, { headers })
      assert.equal(stream.status, 200)
      context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2100-01-01') })
      assert.match(await stream.text(), /^: \nid: \S+\n\n/)
      assert.equal((await fetch(`${baseUrl}/v1/changes`, { headers })).status, 401)
      context.mock.timers.reset()
    })
  })
})

describe('a read', () => {
  it('names the resources to which the token has no right, if every read needs a token', async () => {
    await withService({ reads: 'token' }, async ({ baseUrl }) => {
      const missing = async (path: string) => {
        const response = await sendRequest(`${baseUrl}/v1/${path}`, { headers: bearer(secretOf('payroll')) })
        return response.status === 403 ? response.json.error.details.missing.read : response.status
      }
      assert.equal(await missing('employees'), 200)
      assert.deepEqual(await missing('leave'), ['leave'])
      assert.deepEqual(await missing('leave?limit=x'), ['leave'])
      assert.equal(await missing('employees?limit=x'), 422)
      assert.deepEqual(await missing('employees?expand=department'), ['departments'])
      assert.deepEqual(await missing('employees?department.name=x'), ['departments'])
      assert.deepEqual(await missing('employees?values_on=2025-01-01'), ['history'])
      assert.deepEqual(await missing('counts/employees?by=department.name'), ['departments'])
      assert.equal(await missing('reports/headcount?by=dept_id'), 200)
      assert.deepEqual(await missing('reports/org-chart'), ['departments'])
      assert.deepEqual(await missing('search?q=an&resource=jobs'), ['departments', 'jobs'])
      assert.deepEqual(await missing('changes?resource=employees,leave'), ['leave'])
      assert.equal(await missing('reports'), 200)
    })
  })

  it('shows the part of the history and of the feed to which the token has the right, whatever is cached', async () => {
    await database.execute(`insert into leave_requests (leave_type, status) values ('annual', 'pending');
      insert into candidates (first_name, status) values ('A', 'active');
      update leave_requests set status = 'approved'; update candidates set status = 'hired'`)
    const archive = named('archive', { read: ['history', 'leave'], personal: true })
    const alone = named('alone', { read: ['history'], personal: true })
    await withService({ reads: 'token', namedTokens: [archive, alone] }, async ({ baseUrl }) => {
      const send = (path: string, secret: string, headers = {}) =>
        sendRequest(`${baseUrl}/v1/${path}`, { headers: { ...bearer(secret), ...headers } })
      const resourcesIn = ({ json }: HttpResponse): readonly string[] => [
        ...new Set<string>(json.data.map(({ resource }: { resource: string }) => resource)),
      ]
      for (const path of ['history', 'counts/history?by=resource', 'changes?since=2020-01-01']) {
        // A response is cached when it is requested for the second time, and sent from the cache the third time.
        for (let count = 0; count < 3; count += 1) {
          const complete = await send(path, token)
          assert.deepEqual(resourcesIn(complete).toSorted(), ['candidates', 'leave'], path)
          const etag = complete.headers.get('etag') ?? 'none'
          const part = await send(path, secretOf('archive'), { 'if-none-match': etag })
          assert.deepEqual(resourcesIn(part), ['leave'], path)
        }
      }
      const csv = await send('history?format=csv', secretOf('archive'))
      assert.match(csv.text, /,leave,/)
      assert.doesNotMatch(csv.text, /candidates/)
      assert.equal(csv.headers.get('x-total-count'), String(csv.text.trim().split('\n').length - 1))
      for (const [path, secret, missing] of [
        ['history?resource=leave,CANDIDATES', 'archive', ['candidates']],
        ['history/1', 'archive', tracked.filter((path) => path !== 'leave')],
        ['candidates/1/history', 'archive', ['candidates']],
        ['changes?resource=history', 'archive', tracked.filter((path) => path !== 'leave')],
        ['history?resource=leave', 'alone', ['leave']],
        ['history', 'alone', tracked],
        ['reports/movements', 'alone', ['employees']],
      ] as const) {
        const response = await send(path, secretOf(secret))
        assert.equal(codeOf(response), '403 forbidden', path)
        assert.deepEqual(response.json.error.details.missing, { read: missing }, path)
      }
      assert.deepEqual(resourcesIn(await send('history?resource=Leave', secretOf('archive'))), ['leave'])
      assert.equal((await send('leave/1/history', secretOf('archive'))).status, 200)
    })
  })

  it('is refused although the response is cached, and although the ETag is current', async () => {
    await withService({ reads: 'token' }, async ({ baseUrl }) => {
      const url = `${baseUrl}/v1/leave?limit=3`
      for (let count = 0; count < 3; count += 1) {
        const complete = await sendRequest(url, { headers: bearer(token) })
        const headers = { ...bearer(secretOf('payroll')), 'if-none-match': complete.headers.get('etag') ?? 'none' }
        assert.equal(codeOf(await sendRequest(url, { headers })), '403 forbidden')
        assert.equal((await sendRequest(url, { headers: { ...headers, ...bearer(token) } })).status, 304)
      }
    })
  })

  it('without personal fields, or beyond the rights of the token, is redacted if reads are redacted', async () => {
    await database.execute(`insert into employees (code, email, status) values ('e1', 'ada@example.com', 'active')`)
    await withService({ reads: 'redacted' }, async ({ baseUrl }) => {
      const read = (path: string, secret?: string) =>
        sendRequest(`${baseUrl}/v1/${path}`, { headers: secret === undefined ? {} : bearer(secret) })
      for (let count = 0; count < 3; count += 1) {
        for (const [path, full] of [
          ['employees', ['payroll', 'auditor']],
          ['employees?expand=department', ['auditor']],
          ['candidates', ['auditor']],
        ] as const) {
          const redacted = (await read(path)).text
          const complete = (await read(path, token)).text
          for (const name of ['leave-app', 'payroll', 'auditor', 'expired'])
            assert.equal(
              (await read(path, secretOf(name))).text,
              full.includes(name as never) ? complete : redacted,
              name,
            )
        }
      }
      assert.equal((await read('employees?email=ada@example.com', secretOf('payroll'))).json.meta?.total, 1)
      assert.equal((await read('employees?email=ada@example.com', secretOf('leave-app'))).status, 422)
    })
  })

  it('does not get the report attendance by its name, which stands for the resource', async () => {
    const clocks = named('clocks', { read: ['attendance'] })
    await withService({ reads: 'token', namedTokens: [clocks] }, async ({ baseUrl }) => {
      const response = await sendRequest(`${baseUrl}/v1/reports/attendance`, { headers: bearer(secretOf('clocks')) })
      assert.deepEqual(response.json.error.details.missing, { read: ['employees', 'leave'] })
    })
  })

  it('with a wrong token counts as a failed authentication, but not one whose token shows no personal fields', async () => {
    await withService({ reads: 'redacted', limits: { authFailures: 2 } }, async ({ baseUrl }) => {
      const statusWith = async (secret: string) =>
        (await sendRequest(`${baseUrl}/v1/employees`, { headers: bearer(secret) })).status
      for (let count = 0; count < 4; count += 1) assert.equal(await statusWith(secretOf('leave-app')), 200)
      assert.deepEqual([await statusWith('a'), await statusWith('b'), await statusWith('c')], [200, 200, 429])
    })
  })
})

describe('an agent', () => {
  it('is offered the tool that creates if its token may create anything', async () => {
    await withService({ mcp: { writes: true } }, async ({ baseUrl }) => {
      const origin = baseUrl.replace(/\/api$/, '')
      const toolsWith = async (name: string) => {
        const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
        const response = await postMessage(origin, list, bearer(secretOf(name)))
        return messageIn(response).result.tools.map((tool: { name: string }) => tool.name)
      }
      assert.ok((await toolsWith('leave-app')).includes('create'))
      assert.ok(!(await toolsWith('payroll')).includes('create'))
      const create = callMessage('create', { resource: 'organizations', record: {} })
      const { result } = messageIn(await postMessage(origin, create, bearer(secretOf('leave-app'))))
      assert.match(result.content[0].text, /"error":"forbidden"/)
    })
  })
})

describe('GET /v1/session', () => {
  const nobody = { name: null, by: 'none', create: [], expires: null }
  const sessions = async (service: RunningService) => {
    const sessionOf = async (secret?: string) => {
      const headers = secret === undefined ? {} : bearer(secret)
      const response = await sendRequest(`${service.baseUrl}/v1/session`, { headers })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.equal(response.headers.get('etag'), null)
      return response.json
    }
    return {
      none: await sessionOf(),
      wrong: await sessionOf('wrong'),
      expired: await sessionOf(secretOf('expired')),
      leaveApp: await sessionOf(secretOf('leave-app')),
      payroll: await sessionOf(secretOf('payroll')),
      write: await sessionOf(token),
      read: await sessionOf(readToken),
    }
  }
  const digestName = (secret: string) => hash('sha256', secret).slice(0, 8)
  const write = {
    name: digestName(token),
    by: 'token',
    reads: 'full',
    read: everything,
    create: creatable,
    expires: null,
  }
  const read = { ...write, name: digestName(readToken), create: [] }
  const leaveSession = { name: 'leave-app', by: 'token', create: ['leave'], expires: '2099-12-31' }
  const payrollSession = { name: 'payroll', by: 'token', reads: 'full', create: [], expires: null }

  for (const [reads, others, named] of [
    [
      'public',
      { reads: 'full', read: everything },
      { leaveApp: { reads: 'full', read: everything }, payroll: everything },
    ],
    [
      'redacted',
      { reads: 'redacted', read: everything },
      { leaveApp: { reads: 'redacted', read: everything }, payroll: ['employees', 'headcount'] },
    ],
    [
      'token',
      { reads: 'none', read: [] },
      { leaveApp: { reads: 'redacted', read: ['employees', 'leave'] }, payroll: ['employees', 'headcount'] },
    ],
  ] as const)
    it(`says what each caller may do if reads are ${reads}, and never fails`, async () => {
      await withService({ reads }, async (service) => {
        assert.deepEqual(await sessions(service), {
          none: { ...nobody, ...others },
          wrong: { ...nobody, ...others },
          expired: { ...nobody, ...others },
          leaveApp: { ...leaveSession, ...named.leaveApp },
          payroll: { ...payrollSession, read: named.payroll },
          write,
          read,
        })
      })
    })

  it('counts a wrong token as a failed authentication', async () => {
    await withService({ limits: { authFailures: 1 } }, async ({ baseUrl }) => {
      const statusWith = async (secret: string) =>
        (await sendRequest(`${baseUrl}/v1/session`, { headers: bearer(secret) })).status
      const statuses = [await statusWith('a'), await statusWith('b'), await statusWith(secretOf('payroll'))]
      assert.deepEqual(statuses, [200, 429, 200])
    })
  })
})
