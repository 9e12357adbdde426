// Covers get-one: how item_id is read and refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../contract/contract.ts'
import { get, json, object, speak } from './http.ts'
import { firstRow } from './pages.ts'
import { type Entry, expectDetail, expectEnvelope, messages, tooLong } from './refusals.ts'

for (const resource of resources) {
  test(`an id of ${resource} leads to its record, leading zeros or not`, async () => {
    const row = await firstRow(resource)
    for (const spelling of [`${row.id}`, `0${row.id}`, `${row.id}`.padStart(255, '0')]) {
      const answer = await get(`/v1/${resource}/${spelling}`)
      assert.equal(answer.status, 200)
      assert.deepEqual(object(answer), row)
    }
  })

  test(`an id of ${resource} that no record has is not found`, async () => {
    const absent = ['0', '000', '4503599627370496', '9007199254740993', '9223372036854775807', '9223372036854775808']
    for (const id of [...absent, '9'.repeat(30), '9'.repeat(255)]) {
      expectEnvelope(await get(`/v1/${resource}/${id}`), 404, 'not_found')
    }
  })

  test(`an item_id of ${resource} of more than 255 characters is refused`, async () => {
    for (const id of ['x'.repeat(256), '1'.repeat(256), `${(await firstRow(resource)).id}`.padStart(256, '0')]) {
      expectDetail(await get(`/v1/${resource}/${id}`), [tooLong(['path', 'item_id'], id, 255)])
    }
  })

  test(`an item_id of ${resource} that is not valid UTF-8 is refused`, async () => {
    for (const id of ['%FF', '1%FF', '%C3%28', '%ED%A0%80', '%F0%9F%A6', '%C0%AF']) {
      const answer = await get(`/v1/${resource}/${id}`)
      assert.equal(answer.status, 422, `${id}: ${answer.text}`)
      const body = json(answer) as { detail: Entry[] }
      assert.deepEqual(Object.keys(body), ['detail'])
      const [entry, ...others] = body.detail
      assert.deepEqual(others, [])
      assert.equal(entry?.type, 'string_unicode')
      assert.deepEqual(entry?.loc, ['path', 'item_id'])
      assert.equal(entry?.msg, messages.string_unicode)
      assert.ok(!('ctx' in entry))
    }
  })
}

const noIds = [
  'abc',
  '-1',
  '+1',
  '1.0',
  '1e0',
  '0x1',
  '1_0',
  '1 ',
  ' 1',
  '1\n',
  '١',
  '１',
  'null',
  'undefined',
  '__proto__',
  '\u0000',
  '1\u0000',
  "1' or '1'='1",
  '1;',
  '1,2',
  '%',
  '*',
  '🦊',
  'é'.repeat(255),
  '🦊'.repeat(255),
  'x'.repeat(255),
]
for (const id of noIds) {
  test(`item_id ${JSON.stringify(id.slice(0, 20))} of ${[...id].length} characters is not found`, async () => {
    expectEnvelope(await get(`/v1/employees/${encodeURIComponent(id)}`), 404, 'not_found')
  })
}

test('the length of item_id is counted in characters', async () => {
  for (const id of ['é'.repeat(256), '🦊'.repeat(256)]) {
    expectDetail(await get(`/v1/jobs/${encodeURIComponent(id)}`), [tooLong(['path', 'item_id'], id, 255)])
  }
})

test('digits written as percent escapes are digits', async () => {
  const row = await firstRow('departments')
  const escaped = [...String(row.id)].map((digit) => `%3${digit}`).join('')
  assert.deepEqual(object(await get(`/v1/departments/${escaped}`)), row)
})

test('a slash written as a percent escape stays within item_id', async () => {
  const { id } = await firstRow('departments')
  expectEnvelope(await get(`/v1/departments/${id}%2F`), 404, 'not_found')
  expectEnvelope(await get(`/v1/departments/${id}%2F..%2F${id}`), 404, 'not_found')
})

test('a badly escaped item_id is refused without breaking the service', async () => {
  for (const id of ['%', '%zz', '1%', '%1']) {
    const { status } = await speak({ method: 'GET', path: `/v1/employees/${id}` })
    assert.ok(status >= 400 && status < 500, `${id} answers ${status}`)
  }
})

test('parameters of a list have no meaning on one record', async () => {
  const { id } = await firstRow('departments')
  const plain = await get(`/v1/departments/${id}`)
  const answer = await get(`/v1/departments/${id}?limit=abc&offset=-1&q=${'x'.repeat(300)}`)
  assert.deepEqual([answer.status, answer.text], [200, plain.text])
})
