// Covers how a create is refused whose body cannot be read at all: syntax, kind, encoding, content type, size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { creatable } from '../contract/contract.ts'
import { mark, marked, markedBody } from './bodies.ts'
import { bearer, type HeaderChange, type Payload, post, speak } from './http.ts'
import { entriesOf, expectEnvelope, expectFaults } from './refusals.ts'

const path = '/v1/organizations'

/** The body's faults are all of one type; where they lie is open unless told. */
async function refusedAs(type: string, payload: Payload, headers: HeaderChange = {}): Promise<void> {
  const entries = entriesOf(await post(path, payload, headers))
  assert.deepEqual(
    entries.map((entry) => entry.type),
    [type],
  )
}

const malformed = [
  '{',
  '}',
  '{"name"}',
  '{"name":}',
  '{"name":"a",}',
  "{'name':'a'}",
  '{name:"a"}',
  '{"name":"a"} x',
  '{"name":"a"}{"name":"b"}',
  '{"name":"\\x41"}',
  '{"name":"a\nb"}',
  '{"name":"a',
  '{"name":01}',
  '{"name":.5}',
  '{"name":5.}',
  '{"name":+5}',
  '{"name":NaN}',
  '{"name":Infinity}',
  '{"name":undefined}',
  '{"name":0x10}',
  '// text\n{}',
  '{"name":"a" "slug":"b"}',
  '[1,2',
  'nope',
  '\u0000',
  '{"name":"a"}\u0000',
  '\u00a0{}',
]
for (const text of malformed) {
  test(`the body ${JSON.stringify(text)} is refused as malformed JSON`, async () => {
    const answer = await post(path, text)
    expectFaults(answer, [{ type: 'json_invalid', loc: ['body'] }])
    const ctx = entriesOf(answer)[0]?.ctx
    assert.ok(typeof ctx?.error === 'string' && ctx.error.length > 0, 'ctx.error says what is wrong')
  })
}

for (const text of ['[]', '[{"name":"a"}]', '"text"', '5', '0', 'true', 'false', 'null', ' null ']) {
  test(`the body ${text} is refused as no object`, async () => {
    expectFaults(await post(path, text), [{ type: 'model_type', loc: ['body'] }])
  })
}

test('a body that is absent or empty is refused as missing', async () => {
  expectFaults(await post(path, ''), [{ type: 'body_missing', loc: ['body'] }])
  const headers: [string, string][] = [
    ['Authorization', bearer],
    ['Content-Type', 'application/json'],
  ]
  const bare = await speak({ method: 'POST', path, headers })
  expectFaults(bare, [{ type: 'body_missing', loc: ['body'] }])
  const chunked = await speak({ method: 'POST', path, headers, chunked: true, body: '' })
  expectFaults(chunked, [{ type: 'body_missing', loc: ['body'] }])
})

test('a body of white space alone is refused', async () => {
  const types = entriesOf(await post(path, '  \n')).map(({ type }) => type)
  assert.ok(['body_missing', 'json_invalid'].includes(types.join()), types.join())
})

const foreignTypes = [
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonx',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/octet-stream',
  'json',
  '*/*',
  'text/plain; application/json',
]
for (const contentType of foreignTypes) {
  test(`a body sent as ${contentType} is refused for its content type`, async () => {
    const word = mark()
    await refusedAs('content_type', await markedBody('organizations', word), { 'content-type': contentType })
    assert.equal(await marked('organizations', word), 0)
  })
}

test('a body without a content type is refused for it', async () => {
  await refusedAs('content_type', await markedBody('organizations', mark()), { 'content-type': null })
})

const brokenBytes: [string, number[]][] = [
  ['a lone 0xFF', [0xff]],
  ['a lone continuation byte', [0x80]],
  ['a broken pair', [0xc3, 0x28]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a cut character', [0xf0, 0x9f, 0xa6]],
  ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ['Latin-1', [0xe9]],
]
for (const [what, bytes] of brokenBytes) {
  test(`a body with ${what} is refused for its encoding`, async () => {
    const word = mark()
    const text = Buffer.from(`{"slug":"${word}","name":"`)
    await refusedAs('encoding', Buffer.concat([text, Buffer.from(bytes), Buffer.from('"}')]))
    assert.equal(await marked('organizations', word), 0)
  })
}

test('a body that starts with a byte order mark is refused for its encoding', async () => {
  const text = JSON.stringify(await markedBody('organizations', mark()))
  await refusedAs('encoding', `\ufeff${text}`)
  await refusedAs('encoding', Buffer.from(`\ufeff${text}`, 'utf16le'))
})

test('a body under any Content-Encoding is refused for its encoding', async () => {
  const text = JSON.stringify(await markedBody('organizations', mark()))
  await refusedAs('encoding', gzipSync(text), { 'content-encoding': 'gzip' })
  await refusedAs('encoding', brotliCompressSync(text), { 'content-encoding': 'br' })
  for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'identity', 'nonsense']) {
    await refusedAs('encoding', text, { 'content-encoding': coding })
  }
})

for (const resource of creatable) {
  test(`a create of ${resource} reports an unreadable body in the error envelope, never as 400 or 415`, async () => {
    const at = `/v1/${resource}`
    const body = await markedBody(resource, mark())
    for (const answer of [
      await post(at, '{'),
      await post(at, ''),
      await post(at, '[]'),
      await post(at, body, { 'content-type': 'text/plain' }),
      await post(at, body, { 'content-type': null }),
      await post(at, Buffer.from([0x22, 0xff, 0x22])),
      await post(at, body, { 'content-encoding': 'gzip' }),
    ]) {
      expectEnvelope(answer, 422, 'validation_error')
    }
  })
}

function oversized(body: string, extra: { token?: boolean; chunked?: boolean; contentType?: string } = {}) {
  const headers: [string, string][] = [['Content-Type', extra.contentType ?? 'application/json']]
  if (extra.token !== false) headers.push(['Authorization', bearer])
  return speak({ method: 'POST', path, headers, body, chunked: extra.chunked ?? false })
}

test('a body of one byte more than a mebibyte is refused as too large', async () => {
  const word = mark()
  const text = JSON.stringify(await markedBody('organizations', word)).padEnd(1_048_577, ' ')
  expectEnvelope(await oversized(text), 413, 'payload_too_large')
  expectEnvelope(await oversized(text, { chunked: true }), 413, 'payload_too_large')
  assert.equal(await marked('organizations', word), 0)
})

test('size is judged before content', async () => {
  const text = '{'.repeat(1_048_577)
  expectEnvelope(await oversized(text), 413, 'payload_too_large')
  expectEnvelope(await oversized(text, { contentType: 'text/plain' }), 413, 'payload_too_large')
})

test('the token is judged before size', async () => {
  expectEnvelope(await oversized(' '.repeat(1_048_577), { token: false }), 401, 'unauthorized')
})

test('arrays and objects nested a hundred thousand deep never break the service', async () => {
  const depth = 100_000
  const arrays = `${'['.repeat(depth)}${']'.repeat(depth)}`
  const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const bodies = [arrays, objects, `{"name":${arrays},"slug":"a"}`, `{"name":"a","slug":"a","x":${objects}}`]
  for (const text of [...bodies, '['.repeat(depth), '{"a":'.repeat(depth)]) {
    expectEnvelope(await post(path, text), 422, 'validation_error')
  }
  const nested = await post(path, { name: 'Deep', slug: mark(), settings_json: arrays })
  assert.ok([201, 422].includes(nested.status), `${nested.status}`)
})

test('a body of very many unknown keys never breaks the service', async () => {
  const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at]))
  expectEnvelope(await post(path, keys), 422, 'validation_error')
})

test('a very long number never breaks the service', async () => {
  const digits = '1'.repeat(500_000)
  for (const text of [`{"name":${digits},"slug":"a"}`, `{"name":0.${digits},"slug":"a"}`, digits]) {
    expectEnvelope(await post(path, text), 422, 'validation_error')
  }
})
