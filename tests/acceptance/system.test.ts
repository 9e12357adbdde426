// Covers the index, the health check, the probes and what every answer carries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOnly, resources } from '../contract/contract.ts'
import { mark, markedBody } from './bodies.ts'
import { type Answer, get, hostUrl, json, object, post, send, speak, token } from './http.ts'
import { firstRow } from './pages.ts'

test('the health check names the product, its version, its state and whether writes are enabled', async () => {
  const answer = await get('/v1/health')
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '{"status":"ok","product":"Muster","version":"1.0.0","writes_enabled":true}')
})

test('the health check is never stored by caches and has no entity tag', async () => {
  const answer = await get('/v1/health')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('etag'), null)
})

for (const path of ['', '/']) {
  test(`the index at "${path}" answers a JSON object`, async () => {
    const answer = await get(path)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json')
    object(answer)
  })
}

test('the index says who may read and whether e-mail addresses may be real', async () => {
  const index = object(await get('/'))
  assert.equal(index.reads, 'public')
  assert.ok([true, false, null].includes(index.real_email_domains as boolean | null))
})

test('the root of the host redirects browsers and answers an index to other clients', async () => {
  const redirect = await get(`${hostUrl}/`, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  assert.equal(redirect.status, 302)
  // The second one is for a service whose console is off.
  assert.ok(['console/', 'api/docs'].includes(redirect.headers.get('location') ?? ''))
  assert.equal(redirect.headers.get('vary'), 'accept')
  const index = await get(`${hostUrl}/`, { accept: '*/*' })
  assert.equal(index.status, 200)
  assert.equal(index.headers.get('content-type'), 'application/json')
  assert.equal(object(index).product, 'Muster')
  assert.match(index.headers.get('vary') ?? '', /\baccept\b/)
})

for (const probe of ['/livez', '/readyz']) {
  test(`${probe} answers 200 on the host while the service can work`, async () => {
    const answer = await get(`${hostUrl}${probe}`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('etag'), null)
  })
}

async function everyPath(): Promise<string[]> {
  const items = await Promise.all(resources.map(async (name) => `/v1/${name}/${(await firstRow(name)).id}`))
  return ['/v1/health', ...resources.map((name) => `/v1/${name}`), ...items]
}

test('a trailing slash is accepted on every path', async () => {
  for (const path of await everyPath()) {
    const answer = await get(`${path}/`)
    assert.equal(answer.status, 200, path)
  }
  for (const path of ['/openapi.json', `${hostUrl}/swagger.json`]) {
    assert.equal((await get(`${path}/`)).status, 200, path)
  }
  assert.ok((await get('/v1/employees/?limit=2')).text.endsWith('"limit":2,"offset":0}}'))
})

test('a path without and with its trailing slash answers the same body', async () => {
  for (const resource of readOnly) {
    assert.equal((await get(`/v1/${resource}/?limit=3`)).text, (await get(`/v1/${resource}?limit=3`)).text)
  }
})

test('a create accepts a trailing slash', async () => {
  assert.equal((await post('/v1/organizations/', await markedBody('organizations', mark()))).status, 201)
})

test('every JSON answer carries exactly application/json', async () => {
  const paths = [
    '',
    '/openapi.json',
    `${hostUrl}/swagger.json`,
    '/v1/employees?limit=x',
    '/v1/employees/none',
    '/v1/no',
  ]
  for (const path of [...(await everyPath()), ...paths]) {
    const answer = await get(path)
    assert.equal(answer.headers.get('content-type'), 'application/json', path)
    json(answer)
  }
  const answer = await post('/v1/organizations', await markedBody('organizations', mark()))
  assert.equal(answer.headers.get('content-type'), 'application/json')
})

test('no Accept header leads to a refusal', async () => {
  for (const accept of ['text/html', 'application/xml', 'application/json;q=0', 'nonsense', 'image/*;q=0.1']) {
    const answer = await get('/v1/departments', { accept })
    assert.equal(answer.status, 200, accept)
    assert.equal(answer.headers.get('content-type'), 'application/json', accept)
  }
})

async function oneOfEach(): Promise<Record<string, Answer>> {
  return {
    index: await get('/'),
    health: await get('/v1/health'),
    list: await get('/v1/departments'),
    one: await get(`/v1/departments/${(await firstRow('departments')).id}`),
    head: await send('HEAD', '/v1/departments'),
    options: await send('OPTIONS', '/v1/departments'),
    created: await post('/v1/organizations', await markedBody('organizations', mark())),
    unauthorized: await post('/v1/organizations', {}, { authorization: null }),
    notFound: await get('/v1/departments/none'),
    unknownPath: await get('/v1/nothing'),
    unknownOnHost: await get(`${hostUrl}/nothing-here`),
    otherMethod: await send('DELETE', '/v1/departments'),
    badParameter: await get('/v1/departments?limit=x'),
    badBody: await post('/v1/organizations', {}),
    tooLarge: await speak({
      method: 'POST',
      path: '/v1/organizations',
      headers: [
        ['Authorization', `Bearer ${token}`],
        ['Content-Type', 'application/json'],
      ],
      body: ' '.repeat(1_048_577),
    }),
    document: await get('/openapi.json'),
    docs: await get('/docs'),
    swagger: await get(`${hostUrl}/swagger.json`),
    livez: await get(`${hostUrl}/livez`),
    readyz: await get(`${hostUrl}/readyz`),
  }
}

test('every answer carries a request id of its own and none carries the write token', async () => {
  const answers = await oneOfEach()
  const seen = new Set<string>()
  for (const [name, answer] of Object.entries(answers)) {
    const id = answer.headers.get('x-request-id')
    assert.ok(id, `${name} has no X-Request-Id`)
    assert.ok(!seen.has(id), `${name} repeats a request id`)
    seen.add(id)
    assert.ok(!answer.text.includes(token), `${name} shows the token`)
    assert.ok(answer.status < 500, `${name} answers ${answer.status}`)
  }
})

test('a read ignores an Authorization header, right, wrong or odd', async () => {
  const plain = await get('/v1/departments')
  for (const authorization of [`Bearer ${token}`, 'Bearer wrong', 'Basic eDp5', 'Bearer', '???']) {
    const answer = await get('/v1/departments', { authorization })
    assert.equal(answer.status, 200)
    assert.equal(answer.text, plain.text)
  }
})
