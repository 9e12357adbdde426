// Covers Prefer: handling=strict on reads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../contract/contract.ts'
import { get, object } from './http.ts'

const prefer = 'handling=strict'

for (const resource of resources) {
  test(`strict handling of ${resource} refuses what is not declared, and nothing else`, async () => {
    const { status, headers } = await get(`/v1/${resource}?limit=1&offset=0&q=`, { prefer })
    assert.deepEqual([status, headers.get('preference-applied')], [200, prefer])
    for (const path of [`/v1/${resource}`, `/v1/${resource}/1`]) {
      const answer = await get(`${path}?no-such-thing=1`, { prefer })
      assert.equal(answer.status, 422)
      assert.equal(answer.headers.get('preference-applied'), prefer)
      const [fault] = object(answer).detail as Record<string, unknown>[]
      assert.deepEqual([fault?.type, fault?.loc], ['unexpected_parameter', ['query', 'no-such-thing']])
      const lenient = await get(`${path}?no-such-thing=1`)
      assert.ok([200, 404].includes(lenient.status))
      assert.equal(lenient.headers.get('preference-applied'), null)
    }
  })
}

test('a slip is told with what was meant, beside all other faults', async () => {
  const { detail } = object(await get('/v1/employees?limt=5&offset=-1', { prefer: 'respond-async, Handling="strict"' }))
  const faults = detail as Record<string, unknown>[]
  assert.deepEqual(
    faults.map(({ type }) => type),
    ['greater_than_equal', 'unexpected_parameter'],
  )
  assert.match(String(faults[1]?.msg), /did you mean limit\?/)
})

test('a field without a filter by value is reported as such', async () => {
  const { detail } = object(await get('/v1/leave?employee.first_name=Ada&days=2', { prefer }))
  assert.deepEqual(
    (detail as { type: string; loc: string[]; ctx?: object }[]).map(({ type, loc, ctx }) => [type, loc[1], ctx]),
    [
      ['field_not_filterable', 'employee.first_name', undefined],
      ['field_not_filterable', 'days', { did_you_mean: 'days_from' }],
    ],
  )
})
