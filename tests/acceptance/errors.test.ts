// Covers the error envelope itself, faults of framing, and that no odd request ends in a 500.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mark, markedBody } from './bodies.ts'
import { basePath, baseUrl, get, object, post, type Row, send, speakBytes } from './http.ts'
import { expectEnvelope } from './refusals.ts'

const { host } = new URL(baseUrl)

function messageOf(body: Row): string {
  return (body.error as { message: string }).message
}

test('each refusal has its code, and no message shows SQL, a path or a version', async () => {
  const refusals: [number, string, Awaited<ReturnType<typeof get>>][] = [
    [401, 'unauthorized', await post('/v1/leave', {}, { authorization: null })],
    [404, 'not_found', await get('/v1/leave/none')],
    [404, 'not_found', await get('/v1/leave/0')],
    [404, 'not_found', await get('/v1/unknown')],
    [405, 'method_not_allowed', await send('PATCH', '/v1/leave/1')],
    [422, 'validation_error', await post('/v1/leave', {})],
  ]
  for (const [status, code, answer] of refusals) {
    expectEnvelope(answer, status, code)
    const text = messageOf(object(answer))
    assert.doesNotMatch(
      text,
      /select |insert |postgres|fastify|node_modules|\.[jt]s\b|\d+\.\d+\.\d+|\/(usr|home|srv)\//i,
    )
  }
})

test('a refused parameter list has no other key and no envelope', async () => {
  assert.deepEqual(Object.keys(object(await get('/v1/leave?limit=x'))), ['detail'])
  assert.deepEqual(Object.keys(object(await get(`/v1/leave/${'x'.repeat(256)}`))), ['detail'])
})

test('no answer names the software beneath', async () => {
  for (const path of ['/v1/employees', '/v1/unknown', '/v1/health']) {
    const { headers } = await get(path)
    assert.equal(headers.get('x-powered-by'), null)
    assert.doesNotMatch(headers.get('server') ?? '', /fastify|node|\d/i)
  }
})

const framings: [string, string][] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a header line without a colon', `GET ${basePath}/v1/health HTTP/1.1\r\nHost: ${host}\r\nnonsense\r\n\r\n`],
  ['a length that is no number', `POST ${basePath}/v1/leave HTTP/1.1\r\nHost: ${host}\r\nContent-Length: abc\r\n\r\n`],
  [
    'both a length and chunks',
    `POST ${basePath}/v1/leave HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'two different lengths',
    `POST ${basePath}/v1/leave HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
  ],
]
for (const [what, text] of framings) {
  test(`a request with ${what} is a bad request`, async () => {
    expectEnvelope(await speakBytes(Buffer.from(text)), 400, 'bad_request')
  })
}

test('headers beyond every measure are refused for their size', async () => {
  const text = `GET ${basePath}/v1/health HTTP/1.1\r\nHost: ${host}\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`
  expectEnvelope(await speakBytes(Buffer.from(text)), 431, 'headers_too_large')
})

const oddQueries = [
  'limit=%',
  'limit=%zz',
  'limit=%FF',
  'offset=%C3%28',
  'q=%00',
  'q=%ED%A0%80',
  'status=%FF',
  'status=%00',
  'dept_id=%FF',
  'limit=1&limit',
  'limit[]=1',
  'limit[$gt]=1',
  'q[]=a',
  'q=a&q=b',
  'status=,',
  'status=,,,',
  'status[]=a',
  "q='",
  'q=\\',
  "status=' or 1=1 --",
  `q=${'%20a'.repeat(100)}`,
  `status=${'a,'.repeat(2000)}`,
  'offset=0&__proto__[limit]=5',
  '?',
  '%00=%00',
]
for (const query of oddQueries) {
  test(`the query ${query.slice(0, 40)} is answered or refused, never an error of the service`, async () => {
    for (const resource of ['employees', 'applications']) {
      const { status, text } = await get(`/v1/${resource}?${query}`)
      assert.ok(status === 200 || status === 422, `${status} ${text.slice(0, 300)}`)
    }
  })
}

test('odd texts in every text of a create are stored or refused, never an error of the service', async () => {
  const odd = [
    "'",
    '"',
    '\\',
    '$1',
    '%s',
    '{}',
    '\ufeff',
    '\ufffe',
    '\uffff',
    '\u007f',
    '\u0085',
    '\u2028',
    '💥'.repeat(40),
  ]
  for (const text of odd) {
    const answer = await post('/v1/organizations', { ...(await markedBody('organizations', mark())), name: `${text}a` })
    assert.equal(answer.status, 201, JSON.stringify(text))
    assert.equal(object(answer).name, `${text}a`)
  }
})
