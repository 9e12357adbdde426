// Covers what browsers are told about pages of other origins.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { get, send } from './http.ts'

const origin = 'https://nobody-configured-this.example'

for (const path of [
  '/v1/employees?limit=1',
  '/v1/departments/1',
  '/v1/departments/none',
  '/v1/jobs?limit=0',
  '/v1/health',
]) {
  test(`scripts of any page may read ${path} and see what is told in header fields`, async () => {
    for (const headers of [{ origin }, {} as Record<string, string>]) {
      const answer = await get(path, headers)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/, */)
      for (const name of ['etag', 'link', 'x-request-id', 'retry-after', 'location'])
        assert.ok(exposed.includes(name), name)
    }
  })
}

test('a preflight of a read allows the header fields a read may need', async () => {
  const headers = {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization,if-none-match,prefer',
  }
  const answer = await send('OPTIONS', '/v1/employees', { headers })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.match(answer.headers.get('access-control-allow-methods') ?? '', /\bGET\b/)
  const allowed = answer.headers.get('access-control-allow-headers')?.split(/, */) ?? []
  for (const name of ['authorization', 'if-none-match', 'prefer']) assert.ok(allowed.includes(name), name)
  assert.ok(Number(answer.headers.get('access-control-max-age')) > 0)
})

test('a page nobody named sees nothing of a create', async () => {
  const answer = await send('POST', '/v1/leave', { headers: { origin }, body: '{}' })
  assert.equal(answer.headers.get('access-control-allow-origin'), null)
})
