import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

describe('the audit log', () => {
  let database: TestDatabase
  let service: RunningService
  let ownerClient: pg.Client
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url, { tokens: [token, 'the-token-of-another-client-of-32-letters'] })
    ownerClient = new pg.Client({ connectionString: database.url })
    await ownerClient.connect()
  })
  after(async () => {
    await ownerClient.end()
    await service.stop()
    await database.drop()
  })

  const queryRows = async (sql: string) => (await ownerClient.query(sql)).rows
  /** Returns the audit log entries that were added since the previous call. */
  let lastEntryNumber = 0
  const newEntries = async () => {
    const rows = await queryRows(
      `select entry::int, request_id, token, route, record_id::int, outcome, at between now() - interval '1 minute' and now() as just_now
       from muster_audit_log where entry > ${lastEntryNumber} order by entry`,
    )
    lastEntryNumber = rows.at(-1)?.entry ?? lastEntryNumber
    return rows.map(({ entry: _, ...entry }) => entry)
  }
  const tokenName = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 8)
  const organizationsUrl = () => `${service.baseUrl}/v1/organizations`

  it('has an entry for each created record, with request id, token, time, route and record id', async () => {
    const firstResponse = await post(organizationsUrl(), { name: 'First', slug: 'first' })
    const secondResponse = await post(
      organizationsUrl(),
      { name: 'Second', slug: 'second' },
      { authorization: 'bearer the-token-of-another-client-of-32-letters', 'idempotency-key': 'once' },
    )
    const expectedEntry = { route: 'POST /v1/organizations', outcome: 'created', just_now: true }
    assert.deepEqual(await newEntries(), [
      {
        ...expectedEntry,
        request_id: firstResponse.headers.get('x-request-id'),
        token: tokenName(token),
        record_id: firstResponse.json.id,
      },
      {
        ...expectedEntry,
        request_id: secondResponse.headers.get('x-request-id'),
        token: tokenName('the-token-of-another-client-of-32-letters'),
        record_id: secondResponse.json.id,
      },
    ])
  })

  it('has an entry for each rejected create, and for each replay', async () => {
    const body = { name: 'Third', slug: 'third' }
    const createdResponse = await post(organizationsUrl(), body, { 'idempotency-key': 'again' })
    const replayResponse = await post(organizationsUrl(), body, { 'idempotency-key': 'again' })
    const otherBodyResponse = await post(organizationsUrl(), { ...body, name: 'Other' }, { 'idempotency-key': 'again' })
    const conflictingResponse = await post(organizationsUrl(), body)
    const malformedResponse = await post(organizationsUrl(), '{')
    assert.deepEqual(
      (await newEntries()).map(({ request_id, record_id, outcome }) => [request_id, record_id, outcome]),
      [
        [createdResponse.headers.get('x-request-id'), createdResponse.json.id, 'created'],
        [replayResponse.headers.get('x-request-id'), createdResponse.json.id, 'replayed'],
        [otherBodyResponse.headers.get('x-request-id'), null, 'refused'],
        [conflictingResponse.headers.get('x-request-id'), null, 'refused'],
        [malformedResponse.headers.get('x-request-id'), null, 'refused'],
      ],
    )
  })

  it('has no entries for unauthorized creates or for reads', async () => {
    const body = { name: 'Fourth', slug: 'fourth' }
    assert.equal((await post(organizationsUrl(), body, { authorization: 'Bearer wrong' })).status, 401)
    assert.equal((await sendRequest(organizationsUrl())).status, 200)
    assert.deepEqual(await newEntries(), [])
  })

  it('contains no part of a body, and only the first 8 hex digits of the hash of a token', async () => {
    await post(organizationsUrl(), { name: 'A name to be forgotten', slug: 'forgotten', secret: 'unknown-property' })
    const [{ text }] = await queryRows(`select string_agg(muster_audit_log::text, ' ') as text from muster_audit_log`)
    for (const secret of [
      'forgotten',
      'unknown-property',
      token.slice(0, 12),
      createHash('sha256').update(token).digest('hex').slice(0, 9),
    ])
      assert.ok(!text.includes(secret), secret)
    await newEntries()
  })

  it('is written in the same transaction as the record', async () => {
    await database.execute('alter table muster_audit_log add constraint closed check (false) not valid')
    const response = await post(organizationsUrl(), { name: 'Fifth', slug: 'fifth' })
    const invalidResponse = await post(organizationsUrl(), { name: 'Fifth' })
    await database.execute('alter table muster_audit_log drop constraint closed')
    assert.notEqual(response.status, 201)
    assert.equal(invalidResponse.status, 422)
    assert.deepEqual(await queryRows(`select 1 from organizations where slug = 'fifth'`), [])
    assert.deepEqual(await newEntries(), [])
  })
})
