import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { errorAt, resourceAt } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { token } from '../../../../tests/support/service.ts'
import { noTokens } from '../../src/config/tokens.ts'
import { databaseUnavailable, ParameterProblem, Problem } from '../../src/errors.ts'
import { openCallers } from '../../src/http/access/callers.ts'
import { openContexts, requestIds } from '../../src/http/request/context.ts'
import { sendError } from '../../src/http/response/error-response.ts'
import { createRecord } from '../../src/queries/create/create.ts'

const errorWithCode = (code: unknown): Error => Object.assign(new Error('private'), { code })

describe('a thrown error', () => {
  let app: FastifyInstance
  let baseUrl: string
  let thrownValue: unknown
  let loggedLines: string[] = []
  before(async () => {
    const logStream = { write: (line: string) => loggedLines.push(line) }
    const contexts = openContexts(openCallers('public', noTokens), requestIds())
    app = Fastify({
      logger: { level: 'warn', stream: logStream },
      bodyLimit: 10,
      genReqId: (request) => contexts(request).id,
    })
    app.setErrorHandler(sendError)
    app.get('/', async () => {
      throw thrownValue
    })
    app.post('/', async () => 'stored')
    await app.listen({ host: '127.0.0.1', port: 0 })
    baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  after(() => app.close())
  const responseTo = async (error: unknown): Promise<Awaited<ReturnType<typeof sendRequest>>> => {
    thrownValue = error
    loggedLines = []
    return sendRequest(baseUrl)
  }

  for (const [title, error] of [
    ['a TypeError', new TypeError('private')],
    ['an error with an unknown code', errorWithCode('ENOENT')],
    ['an error whose code is not a string', errorWithCode(17)],
  ] as const)
    it(`that is ${title} becomes 500 without its message, and is logged`, async () => {
      const response = await responseTo(error)
      assert.equal(response.status, 500)
      assert.equal(response.json.error.code, 'internal_error')
      assert.doesNotMatch(response.text, /private|TypeError|ENOENT|error-mapping/)
      assert.equal(response.json.error.details.request_id, response.headers.get('x-request-id'))
      assert.equal(loggedLines.length, 1)
      assert.match(loggedLines[0] ?? '', /"level":50.*private.*a request failed/)
    })

  it('becomes 500 and is logged even if the thrown value is not an Error', async () => {
    for (const value of ['private', null, { code: 'FST_ERR_CTP_BODY_TOO_LARGE' }]) {
      const response = await responseTo(value)
      assert.equal(response.json.error.code, 'internal_error')
      assert.doesNotMatch(response.text, /private/)
      assert.equal(loggedLines.length, 1)
    }
  })

  it('of class Problem becomes the response that it describes, with its headers, and is logged only if it has a cause', async () => {
    const unauthorizedResponse = await responseTo(
      new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } }),
    )
    assert.deepEqual(
      [unauthorizedResponse.status, unauthorizedResponse.headers.get('www-authenticate')],
      [401, 'Bearer'],
    )
    assert.deepEqual(loggedLines, [])
    const unavailableResponse = await responseTo(databaseUnavailable(errorWithCode('57P01')))
    assert.deepEqual([unavailableResponse.status, unavailableResponse.headers.get('retry-after')], [503, '1'])
    assert.doesNotMatch(unavailableResponse.text, /private/)
    assert.match(loggedLines[0] ?? '', /"level":40.*private/)
  })

  it('of class ParameterProblem becomes 422 with a detail list', async () => {
    const response = await responseTo(new ParameterProblem([]))
    assert.deepEqual([response.status, response.text], [422, '{"detail":[]}'])
  })

  it('from Fastify about a body becomes the documented response', async () => {
    const post = (headers: Record<string, string>, body: string) =>
      sendRequest(baseUrl, { method: 'POST', headers, body })
    assert.equal(
      (await post({ 'content-type': 'application/json' }, '"123456789"')).json.error.code,
      'payload_too_large',
    )
    const unknownTypeResponse = await post({ 'content-type': 'text/odd' }, '1')
    assert.deepEqual(
      [unknownTypeResponse.status, unknownTypeResponse.json.error.details.errors[0].type],
      [422, 'content_type'],
    )
    const shortBodyResponse = await app.inject({
      method: 'POST',
      url: '/',
      payload: '1',
      headers: { 'content-type': 'application/json', 'content-length': '5' },
    })
    assert.deepEqual([shortBodyResponse.statusCode, shortBodyResponse.json().error.code], [400, 'bad_request'])
  })

  it('caused by a reset connection gets the error code bad_request', async () => {
    assert.equal((await responseTo(errorWithCode('ECONNRESET'))).json.error.code, 'bad_request')
  })

  it('always has Cache-Control: no-store and a request id in its response', async () => {
    for (const error of [new Error(), new Problem('not_found'), new ParameterProblem([])]) {
      const { headers } = await responseTo(error)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.ok(headers.get('x-request-id'))
    }
  })
})

describe('an invalid body', () => {
  it('gets 422 while the database is down, although a valid one gets 503', async () => {
    const settings = { PORT: '0', DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nowhere', MUSTER_API_TOKEN: token }
    const service = runCommand('muster.ts', ['serve'], settings)
    const [, origin] = await service.waitForOutput(/Server listening at (http:\/\/[\d.:]+)/)
    const invalidResponse = await post(`${origin}/api/v1/leave`, { leave_type: 'annual', employee_id: 1, days: 'two' })
    assert.deepEqual([invalidResponse.status, invalidResponse.json.error.details.errors.length], [422, 1])
    const validResponse = await post(`${origin}/api/v1/leave`, { leave_type: 'annual', employee_id: 1 })
    assert.deepEqual([validResponse.status, validResponse.headers.get('retry-after')], [503, '1'])
    service.signal('SIGTERM')
    assert.equal(await service.exitPromise, 0)
  })

  it('does not hide an exception that is thrown during the check for further errors', async () => {
    const leave = resourceAt('leave')
    const fieldsWithBadReference = leave.writableFields.map((field) => ({
      ...field,
      references: { resource: 'nowhere' },
    }))
    const body = { values: new Map([['employee_id', 1]]), errors: [errorAt(['body', 'days'], { type: 'float_type' })] }
    const neverUsed = undefined as never
    await assert.rejects(
      createRecord(neverUsed, { ...leave, writableFields: fieldsWithBadReference }, body, neverUsed),
      /no resource is declared at nowhere/,
    )
  })
})
