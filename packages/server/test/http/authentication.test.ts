/** Tests every way to send a token, valid or not, on every create route with zero, one and two configured tokens. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendMessage } from '../../../../tests/support/raw-connection.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

const currentToken = 'the-token-in-use-today-0123456789abcdef'
const previousToken = 'the-token-of-yesterday-0123456789abcdef'

/** The expected status of an authorized request: its body lacks all required fields, so nothing is stored. */
const authorizedStatus = 422
const unauthorizedStatus = 401

interface Variant {
  readonly title: string
  readonly headerLines: readonly string[]
  readonly query?: string
  readonly body?: string
  /** The expected status if only the current token is configured. */
  readonly statusWithOneToken: number
  /** The expected status if the current and the previous token are configured. */
  readonly statusWithTwoTokens: number
}

const variantWith = (
  title: string,
  headerLines: readonly string[],
  statusWithOneToken: number,
  statusWithTwoTokens = statusWithOneToken,
): Variant => ({ title, headerLines, statusWithOneToken, statusWithTwoTokens })
const headerVariant = (
  title: string,
  value: string,
  statusWithOneToken: number,
  statusWithTwoTokens = statusWithOneToken,
): Variant => variantWith(title, [`Authorization: ${value}`], statusWithOneToken, statusWithTwoTokens)

const variants: readonly Variant[] = [
  headerVariant('a correct header', `Bearer ${currentToken}`, authorizedStatus),
  headerVariant('the previous token', `Bearer ${previousToken}`, unauthorizedStatus, authorizedStatus),
  headerVariant('the scheme in lower case', `bearer ${currentToken}`, authorizedStatus),
  headerVariant('the scheme in upper case', `BEARER ${currentToken}`, authorizedStatus),
  headerVariant('the scheme in mixed case', `bEaReR ${previousToken}`, unauthorizedStatus, authorizedStatus),
  headerVariant('two spaces', `Bearer  ${currentToken}`, authorizedStatus),
  headerVariant('ten spaces', `Bearer          ${currentToken}`, authorizedStatus),
  headerVariant('spaces around the value', `   Bearer ${currentToken}   `, authorizedStatus),
  variantWith('the header name in lower case', [`authorization: Bearer ${currentToken}`], authorizedStatus),
  variantWith('the header name in upper case', [`AUTHORIZATION: Bearer ${currentToken}`], authorizedStatus),
  variantWith('no space after the colon', [`Authorization:Bearer ${currentToken}`], authorizedStatus),
  variantWith('no header', [], unauthorizedStatus),
  headerVariant('an empty header', '', unauthorizedStatus),
  headerVariant('a scheme alone', 'Bearer', unauthorizedStatus),
  headerVariant('a scheme and spaces', 'Bearer    ', unauthorizedStatus),
  headerVariant('a token alone', currentToken, unauthorizedStatus),
  headerVariant('no space', `Bearer${currentToken}`, unauthorizedStatus),
  headerVariant('a tab after the scheme', `Bearer\t${currentToken}`, unauthorizedStatus),
  headerVariant('a colon after the scheme', `Bearer: ${currentToken}`, unauthorizedStatus),
  headerVariant('a comma after the scheme', `Bearer, ${currentToken}`, unauthorizedStatus),
  headerVariant('Basic', `Basic ${currentToken}`, unauthorizedStatus),
  headerVariant(
    'Basic with base64',
    `Basic ${Buffer.from(`user:${currentToken}`).toString('base64')}`,
    unauthorizedStatus,
  ),
  headerVariant('Token', `Token ${currentToken}`, unauthorizedStatus),
  headerVariant('Digest', `Digest username="a", response="${currentToken}"`, unauthorizedStatus),
  headerVariant('the token in quotes', `Bearer "${currentToken}"`, unauthorizedStatus),
  headerVariant('the token as a parameter', `Bearer token=${currentToken}`, unauthorizedStatus),
  headerVariant('the token without its last character', `Bearer ${currentToken.slice(0, -1)}`, unauthorizedStatus),
  headerVariant('the token without its first character', `Bearer ${currentToken.slice(1)}`, unauthorizedStatus),
  headerVariant('the token with an additional character', `Bearer ${currentToken}x`, unauthorizedStatus),
  headerVariant('the token in upper case', `Bearer ${currentToken.toUpperCase()}`, unauthorizedStatus),
  headerVariant('the token twice in a row', `Bearer ${currentToken}${currentToken}`, unauthorizedStatus),
  headerVariant('two tokens', `Bearer ${currentToken} ${previousToken}`, unauthorizedStatus),
  headerVariant('two tokens with a comma', `Bearer ${currentToken},${previousToken}`, unauthorizedStatus),
  headerVariant('a token of 8 KiB', `Bearer ${'x'.repeat(8_192)}`, unauthorizedStatus),
  headerVariant('bytes beyond ASCII', `Bearer ${currentToken}\xff`, unauthorizedStatus),
  variantWith(
    'two correct headers',
    [`Authorization: Bearer ${currentToken}`, `Authorization: Bearer ${currentToken}`],
    unauthorizedStatus,
  ),
  variantWith(
    'a correct header and a wrong one',
    [`Authorization: Bearer ${currentToken}`, 'authorization: Bearer wrong'],
    unauthorizedStatus,
  ),
  variantWith(
    'the token in other headers',
    [`Proxy-Authorization: Bearer ${currentToken}`, `X-Api-Key: ${currentToken}`, `Cookie: token=${currentToken}`],
    unauthorizedStatus,
  ),
  {
    ...variantWith('the token in the query', [], unauthorizedStatus),
    query: `?access_token=${currentToken}&token=${currentToken}`,
  },
  {
    ...variantWith('the token in the body', [], unauthorizedStatus),
    body: JSON.stringify({ access_token: currentToken }),
  },
]

const creatablePaths = resources.filter(({ creatable }) => creatable).map(({ path }) => path)

/** The first variant and the one without a header are sent to every path, and each of the others to one of them. */
const pathsOf = ({ title }: Variant, index: number): string[] =>
  index === 0 || title === 'no header' ? creatablePaths : [creatablePaths[index % creatablePaths.length] as string]

const createMessage = (path: string, { headerLines, query = '', body = '{}' }: Variant): string =>
  [
    `POST /api/v1/${path}${query} HTTP/1.1`,
    'Host: x',
    ...headerLines,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')

describe('authentication', () => {
  const configurations: { title: string; tokens: string[]; expected: (variant: Variant) => number }[] = [
    { title: 'no token', tokens: [], expected: () => 503 },
    { title: 'one token', tokens: [currentToken], expected: ({ statusWithOneToken }) => statusWithOneToken },
    {
      title: 'two tokens',
      tokens: [currentToken, previousToken],
      expected: ({ statusWithTwoTokens }) => statusWithTwoTokens,
    },
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
    services = await Promise.all(configurations.map(({ tokens }) => startService(database.url, { tokens })))
  })
  after(async () => {
    for (const service of services) await service.stop()
    await database.drop()
  })

  for (const [index, { title, expected }] of configurations.entries()) {
    for (const [variantIndex, variant] of variants.entries()) {
      it(`responds ${expected(variant)} to a request with ${variant.title} (${title} configured)`, async () => {
        for (const path of pathsOf(variant, variantIndex)) {
          const [response] = await sendMessage(services[index]?.port ?? 0, createMessage(path, variant))
          assert.equal(response?.status, expected(variant), path)
          assert.equal(JSON.parse(response?.body ?? '').error.code, codes.get(expected(variant)))
          assert.equal(
            response?.headers.get('www-authenticate'),
            expected(variant) === unauthorizedStatus ? 'Bearer' : undefined,
          )
        }
      })
    }
  }

  it('stores nothing in any of these cases', async () => {
    for (const { table, creatable } of resources) {
      if (!creatable) continue
      const { rows } = await (services[0] as RunningService).database.readPool.query(
        `select count(*)::int as n from ${table}`,
      )
      assert.equal(rows[0].n, 0, table)
    }
  })
})
