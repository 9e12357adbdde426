// Covers the Link header field of lists: first, prev, next and last.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../contract/contract.ts'
import { type Answer, basePath, get, hostUrl, object, speak } from './http.ts'

function links(answer: Answer): Record<string, string> {
  const header = answer.headers.get('link') ?? ''
  return Object.fromEntries([...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, rel]) => [rel, target]))
}

function total(answer: Answer): number {
  return (object(answer).meta as { total: number }).total
}

/** Follows next from the first page to the last one and returns the ids of all records, of at most 2,000 or so. */
async function walk(resource: string, limit: number): Promise<number[]> {
  const seen: number[] = []
  let address = links(await get(`/v1/${resource}?offset=3&limit=${limit}`)).first
  let last: string | undefined
  while (address !== undefined && seen.length < 2_000) {
    assert.ok(address.startsWith(`${basePath}/v1/${resource}?`), `${address} is a path`)
    const page = await get(`${hostUrl}${address}`)
    seen.push(...(object(page).data as { id: number }[]).map(({ id }) => id))
    last = address
    const { next } = links(page)
    if (next !== undefined) assert.equal(links(await get(`${hostUrl}${next}`)).prev, address)
    else assert.equal(links(page).last, address)
    address = next
  }
  assert.ok(last !== undefined)
  return seen
}

for (const resource of resources) {
  test(`a walk over ${resource} by next reaches every record once and ends at last`, async () => {
    let all: number
    let seen: number[]
    // A record that is created meanwhile may move others to the next page: then the walk is repeated.
    do {
      all = total(await get(`/v1/${resource}?limit=1`))
      seen = await walk(resource, Math.min(200, Math.max(1, Math.ceil(all / 7))))
    } while (new Set(seen).size < seen.length && total(await get(`/v1/${resource}?limit=1`)) > all)
    assert.deepEqual(seen, [...new Set(seen)])
    if (all <= 1_400) assert.ok(seen.length >= all)
  })
}

test('declared parameters stay as they were sent, and others are not repeated', async () => {
  const { headers } = await get('/v1/employees?q=a%20&offset=1&limit=%2B2&unheard=%C3%A9&status=active,,x,active')
  const rest = 'q=a%20&limit=%2B2&status=active,,x,active'
  assert.ok(headers.get('link')?.startsWith(`<${basePath}/v1/employees?${rest}&offset=0>; rel="first"`))
})

test('past the end prev leads back to what is there, and there is no next', async () => {
  for (const offset of ['1000000', '9'.repeat(30)]) {
    const past = await get(`/v1/departments?limit=2&offset=${offset}`)
    const { prev, next, last } = links(past)
    assert.deepEqual([prev, next], [last, undefined])
    assert.notDeepEqual(object(await get(`${hostUrl}${prev}`)).data, [])
  }
})

test('an empty list has a first and a last page, which are one', async () => {
  const found = links(await get('/v1/employees?q=zzzz-nobody-has-this'))
  assert.deepEqual(Object.keys(found), ['first', 'last'])
  assert.equal(found.first, found.last)
})

test('one record has no Link, and 304 repeats none', async () => {
  assert.equal((await get('/v1/departments/1')).headers.get('link'), null)
  const headers: [string, string][] = [['If-None-Match', '*']]
  const same = await speak({ method: 'GET', path: '/v1/departments', headers })
  assert.deepEqual([same.status, same.headers.get('link')], [304, null])
})
