// Checks the two shapes a refusal may have: the error envelope and the list of parameter faults.
import assert from 'node:assert/strict'
import { type Answer, object, type Row } from './http.ts'

export const messages: Record<string, string> = {
  missing: 'Field required',
  extra_forbidden: 'Extra inputs are not permitted',
  int_type: 'Input should be a valid integer',
  int_from_float: 'Input should be a valid integer, got a number with a fractional part',
  int_out_of_range: 'Input should be within the range of a safe integer',
  float_type: 'Input should be a valid number',
  finite_number: 'Input should be a finite number',
  string_type: 'Input should be a valid string',
  string_unicode: 'Input should be a valid string, unable to parse raw data as a unicode string',
  model_type: 'Input should be an object',
}

export type Entry = { type: string; loc: (string | number)[]; msg: string; input?: unknown; ctx?: Row }
export type Fault = { type: string; loc?: (string | number)[]; msg?: string; ctx?: Row }

const entryKeys = ['type', 'loc', 'msg', 'input', 'ctx']

/** The answer is an error envelope of this status and code; its request id is the one in the header. */
export function expectEnvelope(answer: Answer, status: number, code: string): Row {
  assert.equal(answer.status, status, answer.text.slice(0, 500))
  assert.equal(answer.headers.get('content-type'), 'application/json')
  const body = object(answer)
  assert.deepEqual(Object.keys(body), ['error'])
  const error = body.error as Row
  assert.equal(error.code, code)
  assert.ok(typeof error.message === 'string' && error.message.length > 0, 'a message is given')
  const strangers = Object.keys(error).filter((key) => !['code', 'message', 'details'].includes(key))
  assert.deepEqual(strangers, [])
  const details = error.details as Row
  assert.ok(answer.headers.get('x-request-id'), 'the answer carries X-Request-Id')
  assert.equal(details.request_id, answer.headers.get('x-request-id'))
  return details
}

/** The faults a refused create lists. */
export function entriesOf(answer: Answer, code = 'validation_error'): Entry[] {
  const { errors } = expectEnvelope(answer, 422, code)
  assert.ok(Array.isArray(errors) && errors.length > 0, `no faults listed: ${answer.text.slice(0, 500)}`)
  for (const entry of errors as Row[]) expectEntryShape(entry)
  return errors as Entry[]
}

function expectEntryShape(entry: Row): void {
  const keys = Object.keys(entry)
  assert.deepEqual(
    keys,
    entryKeys.filter((key) => keys.includes(key)),
    'the keys of a fault keep their order',
  )
  for (const key of ['type', 'loc', 'msg']) assert.ok(keys.includes(key), `a fault carries ${key}`)
  assert.ok(Array.isArray(entry.loc) && entry.loc.every((part) => ['string', 'number'].includes(typeof part)))
  assert.ok(typeof entry.msg === 'string' && entry.msg.length > 0)
}

/** The create was refused for exactly these faults, in this order. */
export function expectFaults(answer: Answer, faults: Fault[]): void {
  const entries = entriesOf(answer)
  const seen = entries.map(({ type, loc }) => ({ type, loc }))
  assert.deepEqual(
    seen,
    faults.map(({ type, loc }, at) => ({ type, loc: loc ?? entries[at]?.loc })),
  )
  faults.forEach((fault, at) => {
    const wanted = fault.msg ?? messages[fault.type]
    if (wanted !== undefined) assert.equal(entries[at]?.msg, wanted)
    if (fault.ctx !== undefined) assert.deepEqual(entries[at]?.ctx, fault.ctx)
  })
}

/** The read was refused with exactly this text. */
export function expectDetail(answer: Answer, entries: Entry[]): void {
  assert.equal(answer.status, 422, answer.text.slice(0, 500))
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.ok(answer.headers.get('x-request-id'), 'the answer carries X-Request-Id')
  assert.equal(answer.text, JSON.stringify({ detail: entries }))
}

export function notAnInteger(name: string, input: string): Entry {
  return {
    type: 'int_parsing',
    loc: ['query', name],
    msg: 'Input should be a valid integer, unable to parse string as an integer',
    input,
  }
}

export function tooSmall(name: string, input: string, ge: number): Entry {
  const msg = `Input should be greater than or equal to ${ge}`
  return { type: 'greater_than_equal', loc: ['query', name], msg, input, ctx: { ge } }
}

export function tooLarge(name: string, input: string, le: number): Entry {
  const msg = `Input should be less than or equal to ${le}`
  return { type: 'less_than_equal', loc: ['query', name], msg, input, ctx: { le } }
}

export function tooManyDigits(name: string, input: string): Entry {
  const msg = 'Unable to parse input string as an integer, exceeded maximum size'
  return { type: 'int_parsing_size', loc: ['query', name], msg, input }
}

export function tooLong(loc: string[], input: string, longest: number): Entry {
  const msg = `String should have at most ${longest} characters`
  return { type: 'string_too_long', loc, msg, input, ctx: { max_length: longest } }
}
