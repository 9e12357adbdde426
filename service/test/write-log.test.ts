/** Every create that a token let in leaves one line, nobody else leaves any, and nothing of a body is in it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

describe('the log of writes', () => {
  let database: TestDatabase
  let service: RunningService
  let owner: pg.Client
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url, { tokens: [token, 'the-token-of-another-client-of-32-letters'] })
    owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
  })
  after(async () => {
    await owner.end()
    await service.stop()
    await database.drop()
  })

  const rowsOf = async (sql: string) => (await owner.query(sql)).rows
  /** What has been noted since the last look. */
  let seen = 0
  const noted = async () => {
    const rows = await rowsOf(
      `select entry::int, request_id, token, route, record_id::int, outcome, at between now() - interval '1 minute' and now() as just_now
       from muster_writes where entry > ${seen} order by entry`,
    )
    seen = rows.at(-1)?.entry ?? seen
    return rows.map(({ entry, ...line }) => line)
  }
  const nameOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 8)
  const organizations = () => `${service.base}/v1/organizations`

  it('has a line for what was created: who, when, where and which', async () => {
    const first = await post(organizations(), { name: 'First', slug: 'first' })
    const second = await post(
      organizations(),
      { name: 'Second', slug: 'second' },
      { authorization: 'bearer the-token-of-another-client-of-32-letters', 'idempotency-key': 'once' },
    )
    const line = { route: 'POST /v1/organizations', outcome: 'created', just_now: true }
    assert.deepEqual(await noted(), [
      { ...line, request_id: first.headers.get('x-request-id'), token: nameOf(token), record_id: first.json.id },
      {
        ...line,
        request_id: second.headers.get('x-request-id'),
        token: nameOf('the-token-of-another-client-of-32-letters'),
        record_id: second.json.id,
      },
    ])
  })

  it('has a line for what was refused, and for what was answered again', async () => {
    const body = { name: 'Third', slug: 'third' }
    const made = await post(organizations(), body, { 'idempotency-key': 'again' })
    const again = await post(organizations(), body, { 'idempotency-key': 'again' })
    const other = await post(organizations(), { ...body, name: 'Other' }, { 'idempotency-key': 'again' })
    const taken = await post(organizations(), body)
    const malformed = await post(organizations(), '{')
    assert.deepEqual(
      (await noted()).map(({ request_id, record_id, outcome }) => [request_id, record_id, outcome]),
      [
        [made.headers.get('x-request-id'), made.json.id, 'created'],
        [again.headers.get('x-request-id'), made.json.id, 'replayed'],
        [other.headers.get('x-request-id'), null, 'refused'],
        [taken.headers.get('x-request-id'), null, 'refused'],
        [malformed.headers.get('x-request-id'), null, 'refused'],
      ],
    )
  })

  it('has no line of those whom no token let in, nor of reads', async () => {
    const body = { name: 'Fourth', slug: 'fourth' }
    assert.equal((await post(organizations(), body, { authorization: 'Bearer wrong' })).status, 401)
    assert.equal((await ask(organizations())).status, 200)
    assert.deepEqual(await noted(), [])
  })

  it('keeps nothing of a body, and nothing of a token but its name', async () => {
    await post(organizations(), { name: 'A name to be forgotten', slug: 'forgotten', secret: 'unknown-property' })
    const [{ text }] = await rowsOf(`select string_agg(muster_writes::text, ' ') as text from muster_writes`)
    for (const secret of [
      'forgotten',
      'unknown-property',
      token.slice(0, 12),
      createHash('sha256').update(token).digest('hex').slice(0, 9),
    ])
      assert.ok(!text.includes(secret), secret)
    await noted()
  })

  it('and the record are there together or not at all', async () => {
    await database.execute('alter table muster_writes add constraint closed check (false) not valid')
    const answer = await post(organizations(), { name: 'Fifth', slug: 'fifth' })
    const refused = await post(organizations(), { name: 'Fifth' })
    await database.execute('alter table muster_writes drop constraint closed')
    assert.notEqual(answer.status, 201)
    assert.equal(refused.status, 422)
    assert.deepEqual(await rowsOf(`select 1 from organizations where slug = 'fifth'`), [])
    assert.deepEqual(await noted(), [])
  })
})
