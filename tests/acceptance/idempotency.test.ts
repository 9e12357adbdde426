// Covers creates that are sent again with the same Idempotency-Key.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creatable } from '../contract/contract.ts'
import { expectCreated, fullBody, mark, markedBody } from './bodies.ts'
import { bearer, object, post, type Row, send, speak } from './http.ts'
import { ids } from './pages.ts'

const once = (key: string) => ({ 'idempotency-key': key })

for (const resource of creatable) {
  test(`a create of ${resource} that is sent again with its key is answered as before, and stored once`, async () => {
    const word = mark()
    const body = await markedBody(resource, word)
    const key = randomUUID()
    const first = await post(`/v1/${resource}`, body, once(key))
    const row = expectCreated(first)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    const again = await post(`/v1/${resource}`, body, once(key))
    assert.equal(again.status, 201)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('location'), first.headers.get('location'))
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(await ids(resource, { q: word }), [row.id])
  })

  test(`a key that came with one ${resource} is refused with another body`, async () => {
    const key = randomUUID()
    expectCreated(await post(`/v1/${resource}`, await fullBody(resource), once(key)))
    const word = mark()
    const answer = await post(`/v1/${resource}`, await markedBody(resource, word), once(key))
    assert.equal(answer.status, 422)
    assert.equal((object(answer).error as Row).code, 'idempotency_key_reused')
    assert.deepEqual(await ids(resource, { q: word }), [])
  })
}

test('twenty creates at once with one key store one record', async () => {
  const word = mark()
  const body = await markedBody('leave', word)
  const key = `"${randomUUID()}"`
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('/v1/leave', body, once(key))))
  for (const answer of answers) assert.equal(answer.text, answers[0]?.text)
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
  assert.equal((await ids('leave', { q: word })).length, 1)
})

test('a create without a key is stored each time it is sent', async () => {
  const word = mark()
  const body = await markedBody('leave', word)
  for (const answer of [await post('/v1/leave', body), await post('/v1/leave', body)]) expectCreated(answer)
  assert.equal((await ids('leave', { q: word })).length, 2)
})

test('a key that is empty, too long, of other characters or sent twice is refused by name', async () => {
  const body = JSON.stringify({ leave_type: 'annual' })
  const headers: [string, string][] = [
    ['Authorization', bearer],
    ['Content-Type', 'application/json'],
  ]
  const refused = [[''], ['two words'], ['x'.repeat(256)], [`"${'x'.repeat(256)}"`], ['caf\u00e9'], ['one', 'two']]
  for (const keys of refused) {
    const sent = keys.map((key): [string, string] => ['Idempotency-Key', key])
    const answer = await speak({ method: 'POST', path: '/v1/leave', headers: [...headers, ...sent], body })
    assert.equal(answer.status, 422, keys.join())
    const { code, details } = object(answer).error as { code: string; details: { errors: Row[] } }
    assert.equal(code, 'validation_error')
    assert.deepEqual(
      details.errors.map(({ loc }) => loc),
      [['header', 'idempotency-key']],
    )
  }
})

test('a key on a read changes nothing', async () => {
  const answer = await send('GET', '/v1/departments?limit=1', { headers: once('two words') })
  assert.equal(answer.status, 200)
})
