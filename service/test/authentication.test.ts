/** Every way to carry a token, or something like one, at every create, with none, one and two tokens configured. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import { converse } from './support/conversation.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

const current = 'the-token-in-use-today-0123456789abcdef'
const previous = 'the-token-of-yesterday-0123456789abcdef'

/** Sent with a body that lacks everything: 422 is said to those who were let in, and nothing is ever stored. */
const letIn = 422
const refused = 401

interface Form {
  readonly about: string
  /** Header lines. */
  readonly lines: readonly string[]
  readonly query?: string
  readonly body?: string
  /** With the current token configured, and with the current and the previous one. */
  readonly one: number
  readonly two: number
}

const form = (about: string, lines: readonly string[], one: number, two = one): Form => ({ about, lines, one, two })
const given = (about: string, value: string, one: number, two = one): Form =>
  form(about, [`Authorization: ${value}`], one, two)

const forms: readonly Form[] = [
  given('as usual', `Bearer ${current}`, letIn),
  given('the previous token', `Bearer ${previous}`, refused, letIn),
  given('the scheme in small letters', `bearer ${current}`, letIn),
  given('the scheme in capitals', `BEARER ${current}`, letIn),
  given('the scheme in mixed letters', `bEaReR ${previous}`, refused, letIn),
  given('two blanks', `Bearer  ${current}`, letIn),
  given('ten blanks', `Bearer          ${current}`, letIn),
  given('blanks around it', `   Bearer ${current}   `, letIn),
  form('the name in small letters', [`authorization: Bearer ${current}`], letIn),
  form('the name in capitals', [`AUTHORIZATION: Bearer ${current}`], letIn),
  form('no blank after the colon', [`Authorization:Bearer ${current}`], letIn),
  form('no header', [], refused),
  given('nothing', '', refused),
  given('a scheme alone', 'Bearer', refused),
  given('a scheme and blanks', 'Bearer    ', refused),
  given('a token alone', current, refused),
  given('no blank', `Bearer${current}`, refused),
  given('a tab', `Bearer\t${current}`, refused),
  given('a colon after the scheme', `Bearer: ${current}`, refused),
  given('a comma after the scheme', `Bearer, ${current}`, refused),
  given('Basic', `Basic ${current}`, refused),
  given('Basic, encoded', `Basic ${Buffer.from(`user:${current}`).toString('base64')}`, refused),
  given('Token', `Token ${current}`, refused),
  given('Digest', `Digest username="a", response="${current}"`, refused),
  given('in quotes', `Bearer "${current}"`, refused),
  given('as a parameter', `Bearer token=${current}`, refused),
  given('without its last character', `Bearer ${current.slice(0, -1)}`, refused),
  given('without its first character', `Bearer ${current.slice(1)}`, refused),
  given('and one character more', `Bearer ${current}x`, refused),
  given('in capitals', `Bearer ${current.toUpperCase()}`, refused),
  given('twice in a row', `Bearer ${current}${current}`, refused),
  given('two tokens', `Bearer ${current} ${previous}`, refused),
  given('two tokens with a comma', `Bearer ${current},${previous}`, refused),
  given('a token of eight kibibytes', `Bearer ${'x'.repeat(8_192)}`, refused),
  given('bytes beyond ASCII', `Bearer ${current}\xff`, refused),
  form(
    'two headers that are both right',
    [`Authorization: Bearer ${current}`, `Authorization: Bearer ${current}`],
    refused,
  ),
  form('a right header and a wrong one', [`Authorization: Bearer ${current}`, 'authorization: Bearer wrong'], refused),
  form(
    'other header fields',
    [`Proxy-Authorization: Bearer ${current}`, `X-Api-Key: ${current}`, `Cookie: token=${current}`],
    refused,
  ),
  { ...form('in the query', [], refused), query: `?access_token=${current}&token=${current}` },
  { ...form('in the body', [], refused), body: JSON.stringify({ access_token: current }) },
]

const paths = resources.filter(({ creatable }) => creatable).map(({ path }) => path)

const message = (path: string, { lines, query = '', body = '{}' }: Form): string =>
  [
    `POST /api/v1/${path}${query} HTTP/1.1`,
    'Host: x',
    ...lines,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')

describe('authentication', () => {
  const configured: { about: string; tokens: string[]; expected: (asked: Form) => number }[] = [
    { about: 'no token', tokens: [], expected: () => 503 },
    { about: 'one token', tokens: [current], expected: ({ one }) => one },
    { about: 'two tokens', tokens: [current, previous], expected: ({ two }) => two },
  ]
  const codes = new Map([
    [503, 'writes_disabled'],
    [401, 'unauthorized'],
    [422, 'validation_error'],
  ])
  let database: TestDatabase
  let services: RunningService[]
  before(async () => {
    database = await createTestDatabase()
    services = await Promise.all(configured.map(({ tokens }) => startService(database.url, { tokens })))
  })
  after(async () => {
    for (const service of services) await service.stop()
    await database.drop()
  })

  it('has 840 cases', () => assert.equal(forms.length * paths.length * configured.length, 840))

  for (const [index, { about, expected }] of configured.entries()) {
    for (const asked of forms) {
      it(`${about} configured, ${asked.about}: ${expected(asked)} at every create`, async () => {
        for (const path of paths) {
          const [answer] = await converse(services[index]?.port ?? 0, message(path, asked))
          assert.equal(answer?.status, expected(asked), path)
          assert.equal(JSON.parse(answer?.body ?? '').error.code, codes.get(expected(asked)))
          assert.equal(answer?.headers.get('www-authenticate'), expected(asked) === refused ? 'Bearer' : undefined)
        }
      })
    }
  }

  it('stored nothing', async () => {
    for (const { table, creatable } of resources) {
      if (!creatable) continue
      const { rows } = await (services[0] as RunningService).database.pool.query(
        `select count(*)::int as n from ${table}`,
      )
      assert.equal(rows[0].n, 0, table)
    }
  })
})
