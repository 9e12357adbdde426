import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitUntil } from '../../../../tests/support/wait.ts'
import type { LoadedResponse } from '../../src/http/cache/response-cache.ts'
import { openResponseCache } from '../../src/http/cache/response-cache.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
}

/** A cache over tables that never change. */
const openCache = () => {
  const versions = { of: () => '1', versionOnStandby: () => '1' }
  return openResponseCache({ read: async () => versions }, 1_000_000, 'token')
}

/** Pages in a cache over tables that never change. `load` counts its calls in the text. */
const openPages = (expiresAt: () => number | undefined) => {
  const cache = openCache()
  let loads = 0
  const load = async (): Promise<LoadedResponse> => {
    loads += 1
    return { version: '1', pieces: [`<p>${loads}`], rows: 1, headers, expiresAt: expiresAt() }
  }
  const request = { key: '/', tables: 'a', route: '/', isExpensive: true, canExpire: true }
  const get = async (ifNoneMatch?: string) => {
    const client = { encoding: 'identity', ifNoneMatch } as const
    const result = await cache.getOrLoad({ ...request, client }, load)
    assert.ok('entry' in result)
    const { status, fields, body } = await result.entry.replyTo(client)
    return { status, body: body?.toString(), headers: Object.fromEntries(pairs(fields)) }
  }
  return { get, cache }
}

const pairs = (fields: readonly string[]): (readonly [string, string])[] =>
  fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1] as string] as const] : []))

describe('the cache entry of a page', () => {
  it('has the headers of the page, in 304 responses too', async () => {
    const { get } = openPages(() => undefined)
    const { etag, 'content-length': length, ...pageHeaders } = (await get()).headers
    assert.deepEqual([pageHeaders, length], [headers, '4'])
    const { 'content-type': _, ...notModifiedHeaders } = headers
    assert.deepEqual(await get(etag), { status: 304, body: undefined, headers: { etag, ...notModifiedHeaders } })
  })

  it('is loaded again after it has expired, also for a client that has its ETag', async () => {
    const end = Date.now() + 300
    const { get, cache } = openPages(() => (Date.now() < end ? end : undefined))
    const { headers: first, body } = await get()
    assert.deepEqual([body, (await get()).body, (await get(first.etag)).status], ['<p>1', '<p>1', 304])
    assert.ok(await new Promise((resolve) => cache.getFresh('/', resolve)))
    await waitUntil('the entry expires', async () => Date.now() >= end)
    assert.equal(await new Promise((resolve) => cache.getFresh('/', resolve)), undefined)
    assert.equal((await get(first.etag)).body, '<p>2')
    assert.equal((await get()).body, '<p>2')
  })
})

describe('an expensive response', () => {
  it('is stored at its first request, and a large one at its second', async () => {
    const cache = openCache()
    const client = { encoding: 'identity', ifNoneMatch: undefined } as const
    const areHits = async (key: string, bytes: number): Promise<boolean[]> => {
      const hits: boolean[] = []
      for (let request = 0; request < 3; request += 1) {
        const result = await cache.getOrLoad({ key, tables: 'a', route: '/', client, isExpensive: true }, async () => ({
          version: '1',
          pieces: ['x'.repeat(bytes)],
          rows: 1,
        }))
        hits.push('isHit' in result && result.isHit)
      }
      return hits
    }
    assert.deepEqual(await areHits('/small', 50_000), [false, true, true])
    assert.deepEqual(await areHits('/large', 150_000), [false, false, true])
  })
})

describe('the URLs that are remembered as requested', () => {
  it('take a limited number of bytes', async () => {
    const cache = openCache()
    const load = async (): Promise<LoadedResponse> => ({ version: '1', pieces: ['{}'], rows: 0 })
    const request = async (key: string) =>
      cache.getOrLoad(
        { key, tables: 'a', route: '/', isExpensive: false, client: { encoding: 'identity', ifNoneMatch: undefined } },
        load,
      )
    const isStoredAfter = async (others: number): Promise<boolean> => {
      const key = `/first-${others}`
      await request(key)
      for (let number = 0; number < others; number += 1) await request(`/${number}?${'x'.repeat(16_000)}`)
      await request(key)
      return cache.getFresh(key, () => {})
    }
    assert.deepEqual([await isStoredAfter(100), await isStoredAfter(300)], [true, false])
  })
})
