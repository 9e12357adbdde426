/** Pages of any origin may read every answer, pages of named ones may create, and nothing else differs by origin. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../src/config.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { askRaw, exchange } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

const friend = 'https://hr.example.com'
const stranger = 'https://elsewhere.example.com'

describe('pages of other origins', () => {
  let database: TestDatabase
  let service: RunningService
  let closed: RunningService
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { corsOrigins: [friend, 'http://localhost:3000'] })
    closed = await startService(database.url, { tokens: [] })
  })
  after(async () => {
    await service.stop()
    await closed.stop()
    await database.drop()
  })
  const told = async (url: string, method: string, headers: Record<string, string> = {}) => {
    const answer = await askRaw(url, { method, headers })
    const { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary } = answer.headers
    return { status: answer.status, origin, exposed, vary, headers: answer.headers }
  }

  it('may see every answer to a read, errors and 304 included, whatever their origin', async () => {
    const reads: [path: string, status: number, headers?: Record<string, string>][] = [
      ['/v1/departments', 200],
      ['/v1/departments', 304, { 'if-none-match': '*' }],
      ['/v1/departments/1', 200],
      ['/v1/departments/none', 404],
      ['/v1/departments/%ff', 422],
      ['/v1/departments?limit=0', 422],
      ['/v1/health', 200],
      ['/nothing', 404],
      ['/openapi.json', 200],
      ['/docs', 200],
      ['/v1/departments', 400, { host: 'a b' }],
    ]
    for (const [path, expected, more] of reads) {
      for (const origin of [friend, stranger, 'null', undefined]) {
        for (const method of ['GET', 'HEAD']) {
          const headers = { ...more, ...(origin === undefined ? {} : { origin }) }
          const answer = await told(`${service.base}${path}`, method, headers)
          assert.deepEqual([answer.status, answer.origin], [expected, '*'], `${method} ${path} from ${origin}`)
          assert.match(answer.exposed ?? '', /\bETag\b.*\bLink\b.*\bX-Request-Id\b.*\bRetry-After\b/)
          assert.ok(!/origin/i.test(answer.vary ?? ''))
          assert.equal(answer.headers['access-control-allow-credentials'], undefined)
        }
      }
    }
    assert.match(await exchange(service.port, 'no HTTP\r\n\r\n'), /\r\naccess-control-allow-origin: \*\r\n/)
  })

  it('may see the answers to their creates only where they are named', async () => {
    for (const [origin, seen] of [
      [friend, friend],
      [stranger, undefined],
      ['null', undefined],
      [`${friend}/`, undefined],
      [friend.toUpperCase(), undefined],
      [`${friend}, ${stranger}`, undefined],
    ] as const) {
      const refused = await told(`${service.base}/v1/leave`, 'POST', { origin })
      assert.deepEqual([refused.status, refused.origin, refused.vary], [401, seen, 'origin'], origin)
      const faulty = await told(`${service.base}/v1/leave`, 'POST', { origin, authorization: `Bearer ${token}` })
      assert.deepEqual([faulty.status, faulty.origin], [422, seen])
    }
    const disabled = await told(`${closed.base}/v1/leave`, 'POST', { origin: friend })
    assert.deepEqual([disabled.status, disabled.origin, disabled.vary], [503, undefined, undefined])
  })

  it('are told before what they may send', async () => {
    const preflight = (base: string, origin: string, method: string) =>
      told(`${base}/v1/leave`, 'OPTIONS', {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      })
    for (const [base, origin, method, seen, methods] of [
      [service.base, stranger, 'GET', '*', 'GET, HEAD'],
      [service.base, friend, 'GET', '*', 'GET, HEAD'],
      [service.base, friend, 'DELETE', '*', 'GET, HEAD'],
      [service.base, friend, 'POST', friend, 'GET, HEAD, POST'],
      [service.base, stranger, 'POST', undefined, undefined],
      [service.base, 'null', 'POST', undefined, undefined],
      [closed.base, friend, 'POST', undefined, undefined],
    ] as const) {
      const answer = await preflight(base, origin, method)
      assert.deepEqual(
        [answer.status, answer.origin, answer.headers['access-control-allow-methods']],
        [204, seen, methods],
        `${method} from ${origin}`,
      )
      const allowed = seen && 'authorization, content-type, idempotency-key, if-none-match, prefer'
      assert.equal(answer.headers['access-control-allow-headers'], allowed)
      assert.equal(answer.headers['access-control-max-age'], seen && '7200')
      assert.equal(answer.vary, method === 'POST' && base === service.base ? 'origin' : undefined)
    }
    const plain = await told(`${service.base}/v1/leave`, 'OPTIONS')
    assert.deepEqual(
      [plain.status, plain.headers.allow, plain.headers['access-control-allow-methods']],
      [204, 'GET, HEAD, POST, OPTIONS', undefined],
    )
  })
})

describe('the origins that may create', () => {
  const read = (origins: string) =>
    readConfig({ DATABASE_URL: 'postgres://127.0.0.1/none', MUSTER_CORS_ORIGINS: origins }).corsOrigins

  it('are listed as browsers write them', () => {
    assert.deepEqual(read(` ${friend},, http://localhost:3000 `), [friend, 'http://localhost:3000'])
    assert.deepEqual(read(''), [])
  })

  for (const wrong of [
    '*',
    'null',
    `${friend}/`,
    'hr.example.com',
    'HTTPS://hr.example.com',
    'https://hr.example.com:443',
  ])
    it(`cannot be "${wrong}"`, () => {
      assert.throws(() => read(wrong), /MUSTER_CORS_ORIGINS should hold origins as browsers write them/)
    })
})
