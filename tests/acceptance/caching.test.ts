// Covers entity tags and cache directives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../contract/contract.ts'
import { created, mark, markedBody } from './bodies.ts'
import { type Answer, speak } from './http.ts'
import { firstRow } from './pages.ts'

// fetch adds cache directives of its own to a conditional request, so these are written by hand.
function ask(path: string, ifNoneMatch?: string): Promise<Answer> {
  return speak({ method: 'GET', path, headers: ifNoneMatch === undefined ? [] : [['If-None-Match', ifNoneMatch]] })
}

for (const resource of resources) {
  test(`a list and a record of ${resource} carry a strong tag and must be asked for again`, async () => {
    const { id } = await firstRow(resource)
    for (const path of [`/v1/${resource}`, `/v1/${resource}/${id}`]) {
      const answer = await ask(path)
      assert.match(answer.headers.get('etag') ?? '', /^"[^"]+"$/, path)
      assert.equal(answer.headers.get('cache-control'), 'no-cache')
    }
  })
}

for (const path of ['/v1/departments', '/v1/employees?limit=7&offset=3', '/v1/employees?status=active']) {
  test(`${path} answers 304 without a body to those who know its tag`, async () => {
    const tag = (await ask(path)).headers.get('etag') ?? ''
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await ask(path, known)
      assert.deepEqual([answer.status, answer.text], [304, ''], known)
      assert.equal(answer.headers.get('etag'), tag)
    }
    assert.equal((await ask(path, '"other"')).status, 200)
  })
}

test('pages that differ have tags that differ', async () => {
  const paths = ['?limit=1', '?limit=2', '?limit=1&offset=1', '?q=a', '']
  const tags = await Promise.all(paths.map(async (path) => (await ask(`/v1/employees${path}`)).headers.get('etag')))
  assert.equal(new Set(tags).size, paths.length)
})

test('a create gives the list a new tag at once', async () => {
  const before = (await ask('/v1/organizations?limit=1')).headers.get('etag') ?? ''
  await created('organizations', await markedBody('organizations', mark()))
  const after = await ask('/v1/organizations?limit=1', before)
  assert.equal(after.status, 200)
  assert.notEqual(after.headers.get('etag'), before)
})
