// Covers who may create: the bearer token, every way of not having it, and the order of refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatable } from '../contract/contract.ts'
import { expectCreated, mark, marked, markedBody } from './bodies.ts'
import { type Answer, bearer, get, object, post, send, speak, token } from './http.ts'
import { expectEnvelope } from './refusals.ts'

const path = '/v1/organizations'

function expectUnauthorized(answer: Answer): void {
  const details = expectEnvelope(answer, 401, 'unauthorized')
  assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer\b/)
  assert.ok(!('errors' in details), 'nothing is said about the body')
}

const wrong: [string, string | null][] = [
  ['no Authorization header', null],
  ['an empty header', ''],
  ['the scheme alone', 'Bearer'],
  ['the scheme and a blank', 'Bearer '],
  ['the token without a scheme', token],
  ['another scheme', `Basic ${Buffer.from(`user:${token}`).toString('base64')}`],
  ['another scheme with the token', `Token ${token}`],
  ['a scheme that only starts like the right one', `Bearerx ${token}`],
  ['no blank between scheme and token', `Bearer${token}`],
  ['a colon after the scheme', `Bearer: ${token}`],
  ['a wrong token', 'Bearer wrong'],
  ['a token with one letter more', `Bearer ${token}x`],
  ['a token with one letter less', `Bearer ${token.slice(0, -1)}`],
  ['the token twice', `Bearer ${token} ${token}`],
  ['two credentials in one header', `Bearer ${token}, Bearer ${token}`],
  ['a quoted token', `Bearer "${token}"`],
  ['a word of another alphabet', 'Bearer é'],
]
for (const [what, authorization] of wrong) {
  test(`a create with ${what} is refused`, async () => {
    const word = mark()
    expectUnauthorized(await post(path, await markedBody('organizations', word), { authorization }))
    assert.equal(await marked('organizations', word), 0)
  })
}

for (const resource of creatable) {
  test(`a create of ${resource} without the token is refused and stores nothing`, async () => {
    const word = mark()
    const body = await markedBody(resource, word)
    expectUnauthorized(await post(`/v1/${resource}`, body, { authorization: null }))
    expectUnauthorized(await post(`/v1/${resource}`, body, { authorization: 'Bearer wrong' }))
    assert.equal(await marked(resource, word), 0)
  })
}

test('a create with two Authorization headers is refused, even if both are right', async () => {
  const body = JSON.stringify(await markedBody('organizations', mark()))
  for (const [first, second] of [
    [bearer, bearer],
    [bearer, 'Bearer wrong'],
    ['Bearer wrong', bearer],
  ] as const) {
    const headers: [string, string][] = [
      ['Content-Type', 'application/json'],
      ['Authorization', first],
      ['authorization', second],
    ]
    expectUnauthorized(await speak({ method: 'POST', path, headers, body }))
  }
})

test('a token in the address, the body or a cookie is never looked at', async () => {
  const body = await markedBody('organizations', mark())
  const encoded = encodeURIComponent(token)
  for (const name of ['token', 'access_token', 'api_token', 'authorization']) {
    expectUnauthorized(await post(`${path}?${name}=${encoded}`, body, { authorization: null }))
    expectUnauthorized(await post(path, { ...body, [name]: token }, { authorization: null }))
    expectUnauthorized(await post(path, body, { authorization: null, cookie: `${name}=${encoded}` }))
  }
  expectUnauthorized(await post(path, body, { authorization: null, 'x-api-key': token, 'x-api-token': token }))
})

for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
  for (const blanks of [' ', '   ']) {
    test(`"${scheme}" and ${blanks.length} blank before the token are accepted`, async () => {
      const body = await markedBody('organizations', mark())
      expectCreated(await post(path, body, { authorization: `${scheme}${blanks}${token}` }))
    })
  }
}

test('without the token every body is refused alike: right, wrong, malformed, of another type', async () => {
  const bodies = [await markedBody('organizations', mark()), '{', '', '[]', { extra: 1 }, Buffer.from([0xff])]
  const seen = new Set<string>()
  for (const body of bodies) {
    const answer = await post(path, body, { authorization: null })
    expectUnauthorized(answer)
    const { error } = object(answer) as { error: { message: string } }
    seen.add(error.message)
  }
  expectUnauthorized(await post(path, 'a=b', { authorization: null, 'content-type': 'text/plain' }))
  expectUnauthorized(await post(path, '{}', { authorization: null, 'content-encoding': 'gzip' }))
  assert.equal(seen.size, 1)
})

test('a missing token is refused before the body arrives', async () => {
  const headers: [string, string][] = [['Content-Type', 'application/json']]
  expectUnauthorized(await speak({ method: 'POST', path, headers, announcedLength: 1_000_000 }))
  expectUnauthorized(await speak({ method: 'POST', path, headers, announcedLength: 100_000_000 }))
})

test('a wrong token leaves the connection and the service usable', async () => {
  for (let round = 0; round < 20; round += 1) {
    expectUnauthorized(await send('POST', path, { headers: { authorization: 'Bearer wrong' }, body: '{}' }))
  }
  expectCreated(await post(path, await markedBody('organizations', mark())))
})

const closedUrl = process.env.BASE_URL_WITHOUT_TOKEN?.replace(/\/+$/, '')
if (closedUrl) {
  test('a deployment without a write token says so in its health check', async () => {
    const answer = await get(`${closedUrl}/v1/health`)
    assert.equal(object(answer).writes_enabled, false)
  })

  for (const resource of creatable) {
    test(`a deployment without a write token refuses a create of ${resource}, whatever it carries`, async () => {
      const at = `${closedUrl}/v1/${resource}`
      const body = await markedBody(resource, mark())
      const bodies = [body, '{', '', {}, 'x'.repeat(1000)]
      for (const each of bodies) {
        for (const authorization of [bearer, 'Bearer wrong', 'Bearer ', null]) {
          const answer = await post(at, each, { authorization })
          expectEnvelope(answer, 503, 'writes_disabled')
          assert.equal(answer.headers.get('retry-after'), null)
        }
      }
    })
  }

  test('a deployment without a write token still answers reads', async () => {
    assert.equal((await get(`${closedUrl}/v1/employees`)).status, 200)
  })
}
