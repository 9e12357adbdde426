import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Case, Expectation } from '../case.ts'
import type { HttpResponse } from '../http-client.ts'
import { openOracle } from '../oracle.ts'
import { getRequest, postRequest } from '../request.ts'
import { openValidators } from '../response-validators.ts'
import { committedContract } from './support.ts'

const contract = committedContract()
const validators = openValidators(contract)
const token = '0123456789abcdef0123456789abcdef'

const makeCase = (expect: Expectation = {}, operation = 'listDepartments'): Case => ({
  source: 'test',
  about: 'test',
  operation,
  request: operation.startsWith('create') ? postRequest('/api/v1/leave', '{}') : getRequest('/api/v1/departments'),
  expect,
})

const page = { data: [{ id: 1, name: 'One' }], meta: { total: 1, limit: 50, offset: 0 } }

const readHeaders: [string, string][] = [
  ['etag', '"tag"'],
  ['cache-control', 'no-cache'],
  ['vary', 'accept-encoding'],
]

const makeResponse = (
  change: Partial<HttpResponse> & { body?: unknown; header?: [string, string] } = {},
): HttpResponse => ({
  status: change.status ?? 200,
  headers: new Map([
    ['content-type', 'application/json'],
    ['x-request-id', 'one'],
    ...((change.status ?? 200) === 200 ? readHeaders : []),
    ...(change.header === undefined ? [] : [change.header]),
  ]),
  text: change.text ?? JSON.stringify(change.body ?? page),
  ms: change.ms ?? 1,
})

const failedChecks = (response: HttpResponse, testCase: Case = makeCase()): string[] =>
  openOracle(contract, validators, token)
    .check(testCase, response)
    .map(({ check }) => check)

const makeEnvelope = (errors: unknown[]) => ({
  error: { code: 'validation_error', message: 'No.', details: { errors, request_id: 'one' } },
})
const noStoreHeader: [string, string] = ['cache-control', 'no-store']
const leave = {
  id: 7,
  employee_id: null,
  leave_type: 'annual',
  from_date: null,
  to_date: null,
  days: 1,
  status: 'pending',
  reason: null,
  applied_on: null,
}
const makeCreatedResponse = (change: object = {}, location = '/api/v1/leave/7') =>
  makeResponse({ status: 201, body: { ...leave, ...change }, header: ['location', location] })

describe('the oracle', () => {
  it('accepts a correct response', () => {
    assert.deepEqual(failedChecks(makeResponse()), [])
    assert.deepEqual(
      failedChecks(makeCreatedResponse(), makeCase({ status: [201], record: { days: 1 } }, 'createLeave')),
      [],
    )
  })

  it('detects an undeclared status', () => {
    assert.deepEqual(failedChecks(makeResponse({ status: 206 })), ['status declared'])
  })

  it('detects a server error even if it is declared', () => {
    const body = { error: { code: 'internal_error', message: 'No.', details: { request_id: 'one' } } }
    assert.ok(failedChecks(makeResponse({ status: 500, body, header: noStoreHeader })).includes('no server error'))
  })

  it('detects null in a field that is not nullable', () => {
    assert.deepEqual(failedChecks(makeResponse({ body: { ...page, data: [{ id: 1, name: null }] } })), ['body schema'])
  })

  it('detects an undeclared property', () => {
    assert.deepEqual(failedChecks(makeResponse({ body: { ...page, data: [{ id: 1, name: 'x', secret: 1 }] } })), [
      'no undeclared key',
    ])
  })

  it('detects records that do not match the requested projection', () => {
    const caseFor = (operation: string, target: string): Case => ({
      ...makeCase({}, operation),
      request: getRequest(target),
    })
    const checksOnList = (query: string, record: object): string[] =>
      failedChecks(
        makeResponse({ body: { ...page, data: [record] } }),
        caseFor('listDepartments', `/api/v1/departments?${query}`),
      )
    assert.deepEqual(checksOnList('fields=name', { name: 'One' }), [])
    assert.deepEqual(checksOnList('fields=name&fields=', { id: 1, name: 'One' }), [])
    assert.deepEqual(checksOnList('fields=name', { id: 1, name: 'One' }), ['projection'])
    assert.deepEqual(checksOnList('fields=name,id', { name: 'One', id: 1 }), ['projection'])
    assert.deepEqual(checksOnList('fields=name', { name: null }), ['body schema'])
    const checksOnRecord = (query: string, record: object): string[] =>
      failedChecks(makeResponse({ body: record }), caseFor('getLeave', `/api/v1/leave/7${query}`))
    assert.deepEqual(checksOnRecord('?expand=employee', { ...leave, employee: null }), [])
    assert.deepEqual(checksOnRecord('?fields=id&expand=employee', { id: 7, employee: null }), [])
    assert.deepEqual(checksOnRecord('?expand=employee', leave), ['projection'])
    assert.deepEqual(checksOnRecord('', { ...leave, employee: null }), ['projection'])
    assert.ok(checksOnRecord('?expand=employee', { ...leave, employee: { id: 1 } }).includes('body schema'))
    assert.ok(checksOnRecord('?fields=id&expand=employee', { id: 7, employee: { id: 1 } }).includes('body schema'))
  })

  it('detects a body that is not JSON', () => {
    assert.deepEqual(failedChecks(makeResponse({ text: '{' })), ['body schema'])
  })

  it('detects a wrong content type', () => {
    const { headers, ...otherParts } = makeResponse()
    const headersWithCharset = new Map([...headers, ['content-type', 'application/json; charset=utf-8'] as const])
    assert.deepEqual(failedChecks({ ...otherParts, headers: headersWithCharset }), ['content type'])
  })

  it('detects undeclared and missing headers', () => {
    assert.deepEqual(failedChecks(makeResponse({ header: ['x-powered-by', 'hope'] })), ['headers declared'])
    assert.ok(failedChecks(makeResponse({ status: 422, body: { detail: [] } })).includes('headers declared'))
  })

  it('detects a request id that is missing, repeated, or different in header and error envelope', () => {
    const oracle = openOracle(contract, validators, token)
    assert.deepEqual(oracle.check(makeCase(), makeResponse()), [])
    assert.equal(oracle.check(makeCase(), makeResponse())[0]?.check, 'request id')
    assert.ok(
      failedChecks({ ...makeResponse(), headers: new Map([['content-type', 'application/json']]) }).includes(
        'request id',
      ),
    )
    const body = { error: { code: 'not_found', message: 'No.', details: { request_id: 'two' } } }
    assert.ok(
      failedChecks(makeResponse({ status: 404, body, header: noStoreHeader }), makeCase({}, 'getDepartment')).includes(
        'request id',
      ),
    )
  })

  it('detects a response that contains a part of the token or a password hash', () => {
    const body = { ...page, data: [{ id: 1, name: token.slice(0, 30) }] }
    assert.deepEqual(failedChecks(makeResponse({ body })), ['no secret'])
    assert.ok(failedChecks(makeResponse({ text: '{"password_hash":"x"}' })).includes('no secret'))
  })

  it('detects slow responses', () => {
    assert.deepEqual(failedChecks(makeResponse({ ms: 10_001 })), ['in time'])
  })

  it('detects a page whose records do not fit its meta or are not ordered by id', () => {
    assert.deepEqual(failedChecks(makeResponse({ body: { ...page, meta: { total: 2, limit: 50, offset: 0 } } })), [
      'page',
    ])
    const data = [
      { id: 2, name: 'Two' },
      { id: 1, name: 'One' },
    ]
    assert.deepEqual(failedChecks(makeResponse({ body: { data, meta: { total: 2, limit: 50, offset: 0 } } })), ['page'])
  })

  it('detects a missing error and an error at the wrong location', () => {
    const expect: Expectation = {
      status: [422],
      errors: [{ loc: ['body', 'days'], type: ['float_type'] }],
      noOtherErrors: true,
    }
    const makeRejection = (...errors: unknown[]) =>
      makeResponse({ status: 422, body: makeEnvelope(errors), header: noStoreHeader })
    const error = { type: 'float_type', loc: ['body', 'days'], msg: 'No.' }
    assert.deepEqual(failedChecks(makeRejection(error), makeCase(expect, 'createLeave')), [])
    assert.deepEqual(failedChecks(makeRejection(), makeCase(expect, 'createLeave')), ['error named'])
    assert.deepEqual(
      failedChecks(makeRejection({ ...error, loc: ['body'] }), makeCase(expect, 'createLeave')).slice(0, 1),
      ['error named'],
    )
    assert.deepEqual(
      failedChecks(makeRejection(error, { ...error, loc: ['body', 'x'] }), makeCase(expect, 'createLeave')),
      ['error named'],
    )
  })

  it('detects a record that differs from the request, and a wrong Location', () => {
    const expect: Expectation = { status: [201], record: { reason: 'é' } }
    assert.deepEqual(failedChecks(makeCreatedResponse({ reason: 'e\u0301' }), makeCase(expect, 'createLeave')), [
      'stored exactly',
    ])
    assert.deepEqual(
      failedChecks(makeCreatedResponse({ reason: 'é' }, '/api/v1/leave/8'), makeCase(expect, 'createLeave')),
      ['location'],
    )
  })

  it('compares an offset of any length digit by digit', () => {
    const digits = '9'.repeat(400)
    const text = `{"data":[],"meta":{"total":1,"limit":50,"offset":${digits}}}`
    assert.deepEqual(failedChecks(makeResponse({ text }), makeCase({ meta: { offset: digits } })), [])
    assert.deepEqual(failedChecks(makeResponse({ text }), makeCase({ meta: { offset: digits.slice(1) } })), ['page'])
  })
})
