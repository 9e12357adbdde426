/** A request can be shown as a line for a shell, and kept without its token. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { withUniqueText } from '../case.ts'
import { instantOf, isWithinYears } from '../record-model.ts'
import type { Request } from '../request.ts'
import { bearer, curlLine, json, uniquePlace, write } from '../request.ts'

/** What curl would be called with. */
const wordsOf = (request: Request): string[] => {
  const line = `curl() { printf '%s\\0' "$@"; }\n${curlLine('http://host', request)}`
  const env = { PATH: process.env.PATH, MUSTER_API_TOKEN: 'the token' }
  return execFileSync('sh', ['-c', line], { env, encoding: 'utf8' }).split('\0')
}

describe('a curl line', () => {
  it('carries method, address, headers and body through a shell unchanged', () => {
    const body = '{"name":"it\'s $HOME `x` \\"é\\" \\\\"}'
    const words = wordsOf(write("/api/v1/leave?a='%zz", body))
    assert.ok(words.includes("http://host/api/v1/leave?a='%zz"))
    assert.ok(words.includes('POST'))
    assert.ok(words.includes('Content-Type: application/json'))
    assert.equal(words[words.indexOf('--data-binary') + 1], body)
  })

  it('takes the token from the environment', () => {
    assert.ok(wordsOf(write('/x', '')).includes('Authorization: Bearer the token'))
    assert.ok(!curlLine('http://host', write('/x', '')).includes('the token'))
  })

  it('sends bytes that are no text', () => {
    const bytes = Buffer.from([0xff, 0x00]).toString('base64')
    assert.match(curlLine('http://host', { method: 'POST', target: '/x', headers: [bearer, json], bytes }), /base64 -d/)
  })
})

describe('a text of its own', () => {
  it('is as long as its place, never the same twice, and the same in request and expectation', () => {
    const asked = {
      source: 'test',
      about: 'test',
      request: write('/x', JSON.stringify({ slug: uniquePlace })),
      expect: { record: { slug: uniquePlace } },
    }
    const [one, two] = [withUniqueText(asked), withUniqueText(asked)]
    assert.equal(one.request.body?.length, asked.request.body?.length)
    assert.notEqual(one.request.body, two.request.body)
    assert.equal(one.request.body, JSON.stringify(one.expect.record))
  })
})

describe('the instant of a date-time', () => {
  for (const [text, instant] of [
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['2024-02-29 23:59', '2024-02-29T23:59:00Z'],
    ['2024-02-29T23:59:59.120000Z', '2024-02-29T23:59:59.12Z'],
    ['2024-02-29t23:59:59.123456789z', '2024-02-29T23:59:59.123456Z'],
    ['2024-03-01T00:30:00+0130', '2024-02-29T23:00:00Z'],
    ['2024-02-29T23:00:00-01:30', '2024-03-01T00:30:00Z'],
  ] as const) {
    it(`${text} is ${instant}`, () => assert.equal(instantOf(text), instant))
  }

  it('may fall off the calendar', () => {
    assert.equal(isWithinYears('0001-01-01T00:00:00+01:00'), false)
    assert.equal(isWithinYears('9999-12-31T23:30:00-01:00'), false)
    assert.equal(isWithinYears('9999-12-31T23:30:00+01:00'), true)
  })
})
