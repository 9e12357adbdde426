/** What a fault becomes: the answer to everything that can be thrown, and what is logged of it. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { faultAt, resourceAt } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { databaseUnavailable, ParameterProblem, Problem } from '../src/errors.ts'
import { sendError } from '../src/http/error-handler.ts'
import { create } from '../src/operations/create.ts'
import { ask, post } from './support/http.ts'
import { runCommand } from './support/process.ts'
import { token } from './support/service.ts'

const withCode = (code: unknown): Error => Object.assign(new Error('private'), { code })

describe('what is thrown', () => {
  let app: FastifyInstance
  let base: string
  let thrown: unknown
  let logged: string[] = []
  before(async () => {
    const stream = { write: (line: string) => logged.push(line) }
    app = Fastify({ logger: { level: 'warn', stream }, bodyLimit: 10 })
    app.setErrorHandler(sendError)
    app.get('/', async () => {
      throw thrown
    })
    app.post('/', async () => 'stored')
    await app.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  after(() => app.close())
  const answerTo = async (error: unknown): Promise<Awaited<ReturnType<typeof ask>>> => {
    thrown = error
    logged = []
    return ask(base)
  }

  for (const [what, error] of [
    ['an error of our own making', new TypeError('private')],
    ['an error with a code nobody knows', withCode('ENOENT')],
    ['an error whose code is no text', withCode(17)],
  ] as const)
    it(`is answered 500 without a word of it, and logged as a failure: ${what}`, async () => {
      const answer = await answerTo(error)
      assert.equal(answer.status, 500)
      assert.equal(answer.json.error.code, 'internal_error')
      assert.doesNotMatch(answer.text, /private|TypeError|ENOENT|error-mapping/)
      assert.equal(answer.json.error.details.request_id, answer.headers.get('x-request-id'))
      assert.equal(logged.length, 1)
      assert.match(logged[0] ?? '', /"level":50.*private.*a request failed/)
    })

  it('is answered and logged the same where it is not even an error', async () => {
    for (const value of ['private', null, { code: 'FST_ERR_CTP_BODY_TOO_LARGE' }]) {
      const answer = await answerTo(value)
      assert.equal(answer.json.error.code, 'internal_error')
      assert.doesNotMatch(answer.text, /private/)
      assert.equal(logged.length, 1)
    }
  })

  it('is answered as the problem it is, with its headers, and logged only with a cause', async () => {
    const quiet = await answerTo(new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } }))
    assert.deepEqual([quiet.status, quiet.headers.get('www-authenticate')], [401, 'Bearer'])
    assert.deepEqual(logged, [])
    const away = await answerTo(databaseUnavailable(withCode('57P01')))
    assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '1'])
    assert.doesNotMatch(away.text, /private/)
    assert.match(logged[0] ?? '', /"level":40.*private/)
  })

  it('is answered as detail where the parameters are at fault', async () => {
    const answer = await answerTo(new ParameterProblem([]))
    assert.deepEqual([answer.status, answer.text], [422, '{"detail":[]}'])
  })

  it('by the framework over a body is answered as the interface says', async () => {
    const post = (headers: Record<string, string>, body: string) => ask(base, { method: 'POST', headers, body })
    assert.equal(
      (await post({ 'content-type': 'application/json' }, '"123456789"')).json.error.code,
      'payload_too_large',
    )
    const odd = await post({ 'content-type': 'text/odd' }, '1')
    assert.deepEqual([odd.status, odd.json.error.details.errors[0].type], [422, 'content_type'])
    const short = await app.inject({
      method: 'POST',
      url: '/',
      payload: '1',
      headers: { 'content-type': 'application/json', 'content-length': '5' },
    })
    assert.deepEqual([short.statusCode, short.json().error.code], [400, 'bad_request'])
  })

  it('by a connection that broke off is answered as a bad request', async () => {
    assert.equal((await answerTo(withCode('ECONNRESET'))).json.error.code, 'bad_request')
  })

  it('always carries no-store and the id of the request', async () => {
    for (const error of [new Error(), new Problem('not_found'), new ParameterProblem([])]) {
      const { headers } = await answerTo(error)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.ok(headers.get('x-request-id'))
    }
  })
})

describe('a body that is wrong by itself', () => {
  it('is told so while the database is away, and a right one to come again', async () => {
    const settings = { PORT: '0', DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nowhere', MUSTER_API_TOKEN: token }
    const service = runCommand('muster.ts', ['serve'], settings)
    const [, host] = await service.says(/Server listening at (http:\/\/[\d.:]+)/)
    const wrong = await post(`${host}/api/v1/leave`, { leave_type: 'annual', employee_id: 1, days: 'two' })
    assert.deepEqual([wrong.status, wrong.json.error.details.errors.length], [422, 1])
    const right = await post(`${host}/api/v1/leave`, { leave_type: 'annual', employee_id: 1 })
    assert.deepEqual([right.status, right.headers.get('retry-after')], [503, '1'])
    service.signal('SIGTERM')
    assert.equal(await service.ended, 0)
  })

  it('is not told so where the search for what else is wrong meets a mistake of our own', async () => {
    const leave = resourceAt('leave')
    const writable = leave.writable.map((field) => ({ ...field, references: { resource: 'nowhere' } }))
    const body = { values: new Map([['employee_id', 1]]), faults: [faultAt(['body', 'days'], { type: 'float_type' })] }
    const neverAsked = undefined as never
    await assert.rejects(
      create(neverAsked, { ...leave, writable }, body, neverAsked),
      /no resource is declared at nowhere/,
    )
  })
})
