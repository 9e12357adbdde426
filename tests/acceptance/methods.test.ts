// Covers methods and paths: what is not found, what is not allowed, HEAD and OPTIONS.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatable, readOnly, resources } from '../contract/contract.ts'
import { mark, marked, markedBody } from './bodies.ts'
import { type Answer, bearer, get, hostUrl, post, send, speak } from './http.ts'
import { firstRow } from './pages.ts'
import { expectEnvelope } from './refusals.ts'

function allowed(answer: Answer): string[] {
  return (answer.headers.get('allow') ?? '').split(',').map((method) => method.trim())
}

function expectNotAllowed(answer: Answer, method: string, others: string[]): void {
  expectEnvelope(answer, 405, 'method_not_allowed')
  for (const other of others) assert.ok(allowed(answer).includes(other), `Allow names ${other}`)
  assert.ok(!allowed(answer).includes(method), `Allow does not name ${method}`)
}

const json = { authorization: bearer, 'content-type': 'application/json' }

for (const resource of readOnly) {
  test(`${resource} cannot be created, with or without the token`, async () => {
    for (const headers of [json, { 'content-type': 'application/json' }]) {
      const answer = await send('POST', `/v1/${resource}`, { headers, body: '{}' })
      expectNotAllowed(answer, 'POST', ['GET', 'HEAD'])
    }
  })
}

for (const resource of resources) {
  test(`the list of ${resource} allows no PUT, PATCH or DELETE`, async () => {
    const others = creatable.includes(resource) ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expectNotAllowed(await send(method, `/v1/${resource}`), method, others)
      expectNotAllowed(await send(method, `/v1/${resource}/`, { headers: json, body: '{}' }), method, others)
    }
  })

  test(`a record of ${resource} allows no POST, PUT, PATCH or DELETE and stays as it is`, async () => {
    const { id } = await firstRow(resource)
    const before = await get(`/v1/${resource}/${id}`)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await send(method, `/v1/${resource}/${id}`, { headers: json, body: '{"status":"approved"}' })
      expectNotAllowed(answer, method, ['GET', 'HEAD'])
    }
    assert.equal((await get(`/v1/${resource}/${id}`)).text, before.text)
  })

  test(`HEAD on ${resource} answers as GET does, without the body`, async () => {
    const { id } = await firstRow(resource)
    for (const path of [
      `/v1/${resource}`,
      `/v1/${resource}/${id}`,
      `/v1/${resource}/none`,
      `/v1/${resource}?limit=x`,
    ]) {
      const [head, full] = [await send('HEAD', path), await get(path)]
      assert.equal(head.text, '')
      assert.equal(head.status, full.status, path)
      assert.equal(head.headers.get('content-type'), full.headers.get('content-type'))
    }
  })
}

for (const path of ['/v1/health', '', '/', '/openapi.json', '/docs', `${hostUrl}/swagger.json`]) {
  test(`"${path.replace(hostUrl, '')}" allows GET and HEAD alone`, async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expectNotAllowed(await send(method, path, { headers: json, body: '{}' }), method, ['GET', 'HEAD'])
    }
    const head = await send('HEAD', path)
    assert.deepEqual([head.status, head.text], [(await get(path)).status, ''])
  })
}

for (const method of ['TRACE', 'PROPFIND', 'PURGE', 'SEARCH']) {
  test(`${method} on a known path is not allowed`, async () => {
    expectNotAllowed(await speak({ method, path: '/v1/employees' }), method, ['GET', 'HEAD'])
  })
}

const unknown = [
  '/v1',
  '/v1/',
  '/v2/employees',
  '/v1/nothing',
  '/v1/nothing/1',
  '/v1/employees/1/manager',
  '/v1/Employees',
  '/V1/employees',
  '/v1/leave_requests',
  '/v1/career_sites',
  '/v1/health/deep',
  '/employees',
  '/v1/__proto__',
  `${hostUrl}/v1/employees`,
  `${hostUrl}/nothing-here`,
]
for (const path of unknown) {
  test(`"${path.replace(hostUrl, 'host:')}" is not found, whatever the method`, async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'GET' ? {} : { body: '{}' }
      expectEnvelope(await send(method, path, { headers: json, ...body }), 404, 'not_found')
    }
  })
}

test('no method override turns a read or a create into something else', async () => {
  const word = mark()
  const override = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE', 'x-http-method': 'DELETE' }
  assert.equal(
    (await post('/v1/organizations?_method=DELETE', await markedBody('organizations', word), override)).status,
    201,
  )
  assert.equal(await marked('organizations', word), 1)
})

test('OPTIONS is answered', async () => {
  for (const path of ['/v1/employees', '/v1/leave', '/v1/health']) {
    const { status } = await send('OPTIONS', path)
    assert.ok([200, 204].includes(status), `${path} answers ${status}`)
  }
})

test('a page of an origin nobody configured is not told that it may create', async () => {
  const headers: [string, string][] = [
    ['Origin', 'https://nobody-configured-this.example'],
    ['Access-Control-Request-Method', 'POST'],
    ['Access-Control-Request-Headers', 'authorization,content-type'],
  ]
  const answer = await speak({ method: 'OPTIONS', path: '/v1/leave', headers })
  const methods = answer.headers.get('access-control-allow-methods') ?? ''
  assert.ok(answer.headers.get('access-control-allow-origin') === null || !/\bPOST\b|\*/.test(methods), methods)
})
