import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRawBytes, sendRawRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { readConfig } from '../../src/config/config.ts'

const allowedOrigin = 'https://hr.example.com'
const otherOrigin = 'https://elsewhere.example.com'

describe('CORS', () => {
  let database: TestDatabase
  let service: RunningService
  let readOnlyService: RunningService
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { corsOrigins: [allowedOrigin, 'http://localhost:3000'] })
    readOnlyService = await startService(database.url, { tokens: [] })
  })
  after(async () => {
    await service.stop()
    await readOnlyService.stop()
    await database.drop()
  })
  const corsResponseTo = async (url: string, method: string, headers: Record<string, string> = {}) => {
    const response = await sendRawRequest(url, { method, headers })
    const { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary } = response.headers
    return { status: response.status, origin, exposed, vary, headers: response.headers }
  }

  it('allows every origin to see every response to a read, including errors and 304', async () => {
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
    for (const [path, expected, extraHeaders] of reads) {
      for (const origin of [allowedOrigin, otherOrigin, 'null', undefined]) {
        for (const method of ['GET', 'HEAD']) {
          const headers = { ...extraHeaders, ...(origin === undefined ? {} : { origin }) }
          const response = await corsResponseTo(`${service.baseUrl}${path}`, method, headers)
          assert.deepEqual([response.status, response.origin], [expected, '*'], `${method} ${path} from ${origin}`)
          assert.match(response.exposed ?? '', /\bETag\b.*\bLink\b.*\bX-Request-Id\b.*\bRetry-After\b/)
          assert.ok(!/origin/i.test(response.vary ?? ''))
          assert.equal(response.headers['access-control-allow-credentials'], undefined)
        }
      }
    }
    assert.match(await sendRawBytes(service.port, 'no HTTP\r\n\r\n'), /\r\naccess-control-allow-origin: \*\r\n/)
  })

  it('allows only configured origins to see responses to creates', async () => {
    for (const [origin, expectedOrigin] of [
      [allowedOrigin, allowedOrigin],
      [otherOrigin, undefined],
      ['null', undefined],
      [`${allowedOrigin}/`, undefined],
      [allowedOrigin.toUpperCase(), undefined],
      [`${allowedOrigin}, ${otherOrigin}`, undefined],
    ] as const) {
      const unauthorizedResponse = await corsResponseTo(`${service.baseUrl}/v1/leave`, 'POST', { origin })
      assert.deepEqual(
        [unauthorizedResponse.status, unauthorizedResponse.origin, unauthorizedResponse.vary],
        [401, expectedOrigin, 'origin'],
        origin,
      )
      const invalidResponse = await corsResponseTo(`${service.baseUrl}/v1/leave`, 'POST', {
        origin,
        authorization: `Bearer ${token}`,
      })
      assert.deepEqual([invalidResponse.status, invalidResponse.origin], [422, expectedOrigin])
    }
    const disabledResponse = await corsResponseTo(`${readOnlyService.baseUrl}/v1/leave`, 'POST', {
      origin: allowedOrigin,
    })
    assert.deepEqual(
      [disabledResponse.status, disabledResponse.origin, disabledResponse.vary],
      [503, undefined, undefined],
    )
  })

  it('responds to preflight requests with the allowed methods and headers', async () => {
    const sendPreflight = (baseUrl: string, origin: string, method: string) =>
      corsResponseTo(`${baseUrl}/v1/leave`, 'OPTIONS', {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      })
    for (const [base, origin, method, expectedOrigin, methods] of [
      [service.baseUrl, otherOrigin, 'GET', '*', 'GET, HEAD'],
      [service.baseUrl, allowedOrigin, 'GET', '*', 'GET, HEAD'],
      [service.baseUrl, allowedOrigin, 'DELETE', '*', 'GET, HEAD'],
      [service.baseUrl, allowedOrigin, 'POST', allowedOrigin, 'GET, HEAD, POST'],
      [service.baseUrl, otherOrigin, 'POST', undefined, undefined],
      [service.baseUrl, 'null', 'POST', undefined, undefined],
      [readOnlyService.baseUrl, allowedOrigin, 'POST', undefined, undefined],
    ] as const) {
      const response = await sendPreflight(base, origin, method)
      assert.deepEqual(
        [response.status, response.origin, response.headers['access-control-allow-methods']],
        [204, expectedOrigin, methods],
        `${method} from ${origin}`,
      )
      const allowedHeaders =
        expectedOrigin && 'authorization, content-type, idempotency-key, if-none-match, last-event-id, prefer'
      assert.equal(response.headers['access-control-allow-headers'], allowedHeaders)
      assert.equal(response.headers['access-control-max-age'], expectedOrigin && '7200')
      assert.equal(response.vary, method === 'POST' && base === service.baseUrl ? 'origin' : undefined)
    }
    const plainOptionsResponse = await corsResponseTo(`${service.baseUrl}/v1/leave`, 'OPTIONS')
    assert.deepEqual(
      [
        plainOptionsResponse.status,
        plainOptionsResponse.headers.allow,
        plainOptionsResponse.headers['access-control-allow-methods'],
      ],
      [204, 'GET, HEAD, POST, OPTIONS', undefined],
    )
  })
})

describe('MUSTER_CORS_ORIGINS', () => {
  const originsFrom = (origins: string) =>
    readConfig({ DATABASE_URL: 'postgres://127.0.0.1/none', MUSTER_CORS_ORIGINS: origins }).corsOrigins

  it('is a comma-separated list of origins as browsers send them', () => {
    assert.deepEqual(originsFrom(` ${allowedOrigin},, http://localhost:3000 `), [
      allowedOrigin,
      'http://localhost:3000',
    ])
    assert.deepEqual(originsFrom(''), [])
  })

  for (const invalidOrigin of [
    '*',
    'null',
    `${allowedOrigin}/`,
    'hr.example.com',
    'HTTPS://hr.example.com',
    'https://hr.example.com:443',
  ])
    it(`rejects "${invalidOrigin}"`, () => {
      assert.throws(() => originsFrom(invalidOrigin), /MUSTER_CORS_ORIGINS must contain origins as browsers send them/)
    })
})
