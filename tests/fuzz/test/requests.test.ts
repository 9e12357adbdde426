import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { withUniqueText } from '../case.ts'
import { hasFourDigitYear, toUtc } from '../record-model.ts'
import type { Request } from '../request.ts'
import { bearerToken, curlCommand, jsonContentType, postRequest, uniquePlaceholder } from '../request.ts'

/** Runs the command in a shell with a fake curl, and returns the arguments that curl gets. */
const curlArguments = (request: Request): string[] => {
  const shellScript = `curl() { printf '%s\\0' "$@"; }\n${curlCommand('http://host', request)}`
  const env = { PATH: process.env.PATH, MUSTER_API_TOKEN: 'the token' }
  return execFileSync('sh', ['-c', shellScript], { env, encoding: 'utf8' }).split('\0')
}

describe('a curl command', () => {
  it('passes method, URL, headers and body through a shell unchanged', () => {
    const body = '{"name":"it\'s $HOME `x` \\"é\\" \\\\"}'
    const args = curlArguments(postRequest("/api/v1/leave?a='%zz", body))
    assert.ok(args.includes("http://host/api/v1/leave?a='%zz"))
    assert.ok(args.includes('POST'))
    assert.ok(args.includes('Content-Type: application/json'))
    assert.equal(args[args.indexOf('--data-binary') + 1], body)
  })

  it('takes the token from MUSTER_API_TOKEN and does not contain it', () => {
    assert.ok(curlArguments(postRequest('/x', '')).includes('Authorization: Bearer the token'))
    assert.ok(!curlCommand('http://host', postRequest('/x', '')).includes('the token'))
  })

  it('sends binary bodies', () => {
    const bytes = Buffer.from([0xff, 0x00]).toString('base64')
    assert.match(
      curlCommand('http://host', { method: 'POST', target: '/x', headers: [bearerToken, jsonContentType], bytes }),
      /base64 -d/,
    )
  })
})

describe('a unique string', () => {
  it('is as long as its placeholder, different for each case, and the same in request and expectation', () => {
    const testCase = {
      source: 'test',
      about: 'test',
      request: postRequest('/x', JSON.stringify({ slug: uniquePlaceholder })),
      expect: { record: { slug: uniquePlaceholder } },
    }
    const [first, second] = [withUniqueText(testCase), withUniqueText(testCase)]
    assert.equal(first.request.body?.length, testCase.request.body?.length)
    assert.notEqual(first.request.body, second.request.body)
    assert.equal(first.request.body, JSON.stringify(first.expect.record))
  })
})

describe('a date-time converted to UTC', () => {
  for (const [text, utc] of [
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['2024-02-29 23:59', '2024-02-29T23:59:00Z'],
    ['2024-02-29T23:59:59.120000Z', '2024-02-29T23:59:59.12Z'],
    ['2024-02-29t23:59:59.123456789z', '2024-02-29T23:59:59.123456Z'],
    ['2024-03-01T00:30:00+0130', '2024-02-29T23:00:00Z'],
    ['2024-02-29T23:00:00-01:30', '2024-03-01T00:30:00Z'],
  ] as const) {
    it(`is ${utc} for ${text}`, () => assert.equal(toUtc(text), utc))
  }

  it('may have a year outside the range 1 to 9999', () => {
    assert.equal(hasFourDigitYear('0001-01-01T00:00:00+01:00'), false)
    assert.equal(hasFourDigitYear('9999-12-31T23:30:00-01:00'), false)
    assert.equal(hasFourDigitYear('9999-12-31T23:30:00+01:00'), true)
  })
})
