/** Answers whose head was written beforehand are, byte for byte, what Node would have written, on connections of every kind. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readyHead } from '../src/http/ready-head.ts'
import type { ReadAnswer } from './support/conversation.ts'
import { converse } from './support/conversation.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, exchange } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

const get = (path: string, more = '', version = '1.1') => `GET ${path} HTTP/${version}\r\nHost: x\r\n${more}\r\n`

/** Names, values and their order; what is another in every answer is left out. */
const said = (answer: ReadAnswer | undefined): unknown[] =>
  [...(answer?.headers ?? [])].map(([name, value]) => (['x-request-id', 'date'].includes(name) ? name : [name, value]))

describe('an answer from memory', () => {
  let database: TestDatabase
  let service: RunningService
  const one = '/api/v1/departments?limit=1'
  const two = '/api/v1/departments?limit=2'
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('A'), ('B')`)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const keep = async (): Promise<void> => {
    for (const path of [one, two, one, two]) await ask(`http://127.0.0.1:${service.port}${path}`)
  }

  it('says what the same answer says that was just read', async () => {
    const [read] = await converse(service.port, get(one))
    await keep()
    const [kept] = await converse(service.port, get(one))
    assert.deepEqual(said(kept).toSorted(), said(read).toSorted())
    assert.equal(kept?.body, read?.body)
    assert.match(kept?.headers.get('date') ?? '', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    assert.ok(Math.abs(Date.parse(kept?.headers.get('date') ?? '') - Date.now()) < 5_000)
    assert.notEqual(kept?.headers.get('x-request-id'), read?.headers.get('x-request-id'))
  })

  it('comes in its turn where requests are sent without waiting', async () => {
    await keep()
    const sizes = [one, two, two, one, one, two].map((path) => ({ path, size: path === one ? 1 : 2 }))
    const answers = await converse(service.port, sizes.map(({ path }) => get(path)).join(''))
    assert.deepEqual(
      answers.slice(0, -1).map(({ body }) => JSON.parse(body).data.length),
      sizes.map(({ size }) => size),
    )
    assert.equal(answers.at(-1)?.body, '{"status":"ok"}')
  })

  it('ends the connection of whoever asks for that, or speaks HTTP/1.0', async () => {
    await keep()
    for (const message of [get(one, 'Connection: close\r\n'), get(one, '', '1.0')]) {
      const answers = await converse(service.port, message)
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.get('connection')]),
        [[200, 'close']],
      )
    }
  })

  it('has no body where only its head is asked for', async () => {
    await keep()
    const received = await exchange(
      service.port,
      `HEAD ${one} HTTP/1.1\r\nHost: x\r\n\r\n${get('/livez', 'Connection: close\r\n')}`,
    )
    const [head = '', rest = ''] = received.split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n/)
    assert.match(head, /\r\nKeep-Alive: timeout=72/)
    assert.match(rest, /^HTTP\/1\.1 200 OK\r\n/)
  })

  it('cannot be given a field that would be two', () => {
    assert.throws(() => readyHead(['link', 'a\r\nset-cookie: b']), { code: 'ERR_INVALID_CHAR' })
    assert.throws(() => readyHead(['a b', 'c']), { code: 'ERR_INVALID_HTTP_TOKEN' })
  })
})
