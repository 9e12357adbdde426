/** Every check of the oracle catches what it is there for, and lets a right answer pass. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Case, Expectation } from '../case.ts'
import { openOracle } from '../oracle.ts'
import { read, write } from '../request.ts'
import { openValidators } from '../response-validators.ts'
import type { Answer } from '../wire.ts'
import { committedContract } from './support.ts'

const contract = committedContract()
const validators = openValidators(contract)
const token = '0123456789abcdef0123456789abcdef'

const asked = (expect: Expectation = {}, operation = 'listDepartments'): Case => ({
  source: 'test',
  about: 'test',
  operation,
  request: operation.startsWith('create') ? write('/api/v1/leave', '{}') : read('/api/v1/departments'),
  expect,
})

const page = { data: [{ id: 1, name: 'One' }], meta: { total: 1, limit: 50, offset: 0 } }

const readHeaders: [string, string][] = [
  ['etag', '"tag"'],
  ['cache-control', 'no-cache'],
  ['vary', 'accept-encoding'],
]

const answer = (change: Partial<Answer> & { body?: unknown; header?: [string, string] } = {}): Answer => ({
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

const checksOn = (given: Answer, one: Case = asked()): string[] =>
  openOracle(contract, validators, token)
    .judge(one, given)
    .map(({ check }) => check)

const envelope = (errors: unknown[]) => ({
  error: { code: 'validation_error', message: 'No.', details: { errors, request_id: 'one' } },
})
const noStore: [string, string] = ['cache-control', 'no-store']
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
const created = (change: object = {}, location = '/api/v1/leave/7') =>
  answer({ status: 201, body: { ...leave, ...change }, header: ['location', location] })

describe('the oracle', () => {
  it('lets a right answer pass', () => {
    assert.deepEqual(checksOn(answer()), [])
    assert.deepEqual(checksOn(created(), asked({ status: [201], record: { days: 1 } }, 'createLeave')), [])
  })

  it('catches a status that is not declared', () => {
    assert.deepEqual(checksOn(answer({ status: 206 })), ['status declared'])
  })

  it('catches a server error even where it is declared', () => {
    const body = { error: { code: 'internal_error', message: 'No.', details: { request_id: 'one' } } }
    assert.ok(checksOn(answer({ status: 500, body, header: noStore })).includes('no server error'))
  })

  it('catches a null where none may be', () => {
    assert.deepEqual(checksOn(answer({ body: { ...page, data: [{ id: 1, name: null }] } })), ['body schema'])
  })

  it('catches a property that is not declared', () => {
    assert.deepEqual(checksOn(answer({ body: { ...page, data: [{ id: 1, name: 'x', secret: 1 }] } })), [
      'no undeclared key',
    ])
  })

  it('catches a record of another shape than was asked for', () => {
    const shapedCase = (operation: string, target: string): Case => ({ ...asked({}, operation), request: read(target) })
    const listed = (query: string, record: object): string[] =>
      checksOn(
        answer({ body: { ...page, data: [record] } }),
        shapedCase('listDepartments', `/api/v1/departments?${query}`),
      )
    assert.deepEqual(listed('fields=name', { name: 'One' }), [])
    assert.deepEqual(listed('fields=name&fields=', { id: 1, name: 'One' }), [])
    assert.deepEqual(listed('fields=name', { id: 1, name: 'One' }), ['shape'])
    assert.deepEqual(listed('fields=name,id', { name: 'One', id: 1 }), ['shape'])
    assert.deepEqual(listed('fields=name', { name: null }), ['body schema'])
    const one = (query: string, record: object): string[] =>
      checksOn(answer({ body: record }), shapedCase('getLeave', `/api/v1/leave/7${query}`))
    assert.deepEqual(one('?expand=employee', { ...leave, employee: null }), [])
    assert.deepEqual(one('?fields=id&expand=employee', { id: 7, employee: null }), [])
    assert.deepEqual(one('?expand=employee', leave), ['shape'])
    assert.deepEqual(one('', { ...leave, employee: null }), ['shape'])
    assert.ok(one('?expand=employee', { ...leave, employee: { id: 1 } }).includes('body schema'))
    assert.ok(one('?fields=id&expand=employee', { id: 7, employee: { id: 1 } }).includes('body schema'))
  })

  it('catches a body that is no JSON', () => {
    assert.deepEqual(checksOn(answer({ text: '{' })), ['body schema'])
  })

  it('catches another content type', () => {
    const { headers, ...rest } = answer()
    const charset = new Map([...headers, ['content-type', 'application/json; charset=utf-8'] as const])
    assert.deepEqual(checksOn({ ...rest, headers: charset }), ['content type'])
  })

  it('catches a header that is not declared, and one that is missing', () => {
    assert.deepEqual(checksOn(answer({ header: ['x-powered-by', 'hope'] })), ['headers declared'])
    assert.ok(checksOn(answer({ status: 422, body: { detail: [] } })).includes('headers declared'))
  })

  it('catches a request id that is missing, repeated, or not the one in the envelope', () => {
    const oracle = openOracle(contract, validators, token)
    assert.deepEqual(oracle.judge(asked(), answer()), [])
    assert.equal(oracle.judge(asked(), answer())[0]?.check, 'request id')
    assert.ok(
      checksOn({ ...answer(), headers: new Map([['content-type', 'application/json']]) }).includes('request id'),
    )
    const body = { error: { code: 'not_found', message: 'No.', details: { request_id: 'two' } } }
    assert.ok(
      checksOn(answer({ status: 404, body, header: noStore }), asked({}, 'getDepartment')).includes('request id'),
    )
  })

  it('catches a part of the token, and a password hash', () => {
    const body = { ...page, data: [{ id: 1, name: token.slice(0, 30) }] }
    assert.deepEqual(checksOn(answer({ body })), ['no secret'])
    assert.ok(checksOn(answer({ text: '{"password_hash":"x"}' })).includes('no secret'))
  })

  it('catches an answer that takes too long', () => {
    assert.deepEqual(checksOn(answer({ ms: 2_001 })), ['in time'])
  })

  it('catches a page that its own figures belie', () => {
    assert.deepEqual(checksOn(answer({ body: { ...page, meta: { total: 2, limit: 50, offset: 0 } } })), ['page'])
    const data = [
      { id: 2, name: 'Two' },
      { id: 1, name: 'One' },
    ]
    assert.deepEqual(checksOn(answer({ body: { data, meta: { total: 2, limit: 50, offset: 0 } } })), ['page'])
  })

  it('catches a refusal that does not name the place', () => {
    const expect: Expectation = {
      status: [422],
      faults: [{ loc: ['body', 'days'], type: ['float_type'] }],
      onlyThose: true,
    }
    const refusal = (...errors: unknown[]) => answer({ status: 422, body: envelope(errors), header: noStore })
    const fault = { type: 'float_type', loc: ['body', 'days'], msg: 'No.' }
    assert.deepEqual(checksOn(refusal(fault), asked(expect, 'createLeave')), [])
    assert.deepEqual(checksOn(refusal(), asked(expect, 'createLeave')), ['fault named'])
    assert.deepEqual(checksOn(refusal({ ...fault, loc: ['body'] }), asked(expect, 'createLeave')).slice(0, 1), [
      'fault named',
    ])
    assert.deepEqual(checksOn(refusal(fault, { ...fault, loc: ['body', 'x'] }), asked(expect, 'createLeave')), [
      'fault named',
    ])
  })

  it('catches a record that is not as sent, and a Location that leads elsewhere', () => {
    const expect: Expectation = { status: [201], record: { reason: 'é' } }
    assert.deepEqual(checksOn(created({ reason: 'e\u0301' }), asked(expect, 'createLeave')), ['kept exactly'])
    assert.deepEqual(checksOn(created({ reason: 'é' }, '/api/v1/leave/8'), asked(expect, 'createLeave')), ['location'])
  })

  it('compares an offset digit for digit, however many there are', () => {
    const digits = '9'.repeat(400)
    const text = `{"data":[],"meta":{"total":1,"limit":50,"offset":${digits}}}`
    assert.deepEqual(checksOn(answer({ text }), asked({ meta: { offset: digits } })), [])
    assert.deepEqual(checksOn(answer({ text }), asked({ meta: { offset: digits.slice(1) } })), ['page'])
  })
})
