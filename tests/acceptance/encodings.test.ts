// Covers the encodings answers may have: which one is chosen, its tag and its length.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { resources } from '../contract/contract.ts'
import { baseUrl, hostUrl } from './http.ts'

type Encoded = { status: number; headers: Record<string, string | string[] | undefined>; bytes: Buffer }

// fetch undoes the encoding and takes its header field away.
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Encoded> {
  const address = path.startsWith('http') ? path : `${baseUrl}${path}`
  const begin = address.startsWith('https') ? requestSecurely : request
  const { promise, resolve, reject } = Promise.withResolvers<Encoded>()
  const asked = begin(address, { method, headers, agent: false }, (answer) => {
    answer.toArray().then((parts) => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) })
    }, reject)
  })
  asked.on('error', reject)
  asked.end()
  return promise
}

function decoded({ headers, bytes }: Encoded): Buffer {
  const encoding = headers['content-encoding']
  if (encoding === undefined) return bytes
  return encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
}

const paths = [...resources.map((resource) => `/v1/${resource}?limit=200`), '/openapi.json', `${hostUrl}/swagger.json`]
for (const path of paths) {
  test(`${path.replace(hostUrl, '')} is the same in every encoding, with a tag for each`, async () => {
    const plain = await ask(path)
    assert.equal(plain.headers['content-encoding'], undefined, 'nobody is given an encoding without asking')
    const tags = new Set([plain.headers.etag])
    for (const encoding of plain.bytes.length < 1_000 ? [] : ['br', 'gzip']) {
      const answer = await ask(path, { 'accept-encoding': encoding })
      assert.equal(answer.headers['content-encoding'], encoding)
      assert.equal(answer.headers['content-type'], 'application/json')
      assert.match(String(answer.headers.vary), /\baccept-encoding\b/i)
      assert.ok(decoded(answer).equals(plain.bytes))
      tags.add(answer.headers.etag)
      const held = { 'accept-encoding': encoding, 'if-none-match': String(answer.headers.etag) }
      const same = await ask(path, held)
      assert.deepEqual([same.status, same.bytes.length], [304, 0])
    }
    assert.equal(tags.size, plain.bytes.length < 1_000 ? 1 : 3)
  })

  test(`HEAD on ${path.replace(hostUrl, '')} says the length of the body in each encoding, or 304`, async () => {
    for (const encoding of ['', 'br', 'gzip']) {
      const headers = { 'accept-encoding': encoding }
      const [full, head] = [await ask(path, headers), await ask(path, headers, 'HEAD')]
      assert.deepEqual([head.status, head.bytes.length], [200, 0])
      assert.equal(head.headers['content-length'], String(full.bytes.length))
      assert.equal(head.headers.etag, full.headers.etag)
      const same = await ask(path, { ...headers, 'if-none-match': String(full.headers.etag) }, 'HEAD')
      assert.deepEqual([same.status, same.headers.etag], [304, full.headers.etag])
    }
  })
}

const chosen: [accepted: string, encoding: string | undefined][] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['GZip;Q=1.0', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0', undefined],
  ['*;q=0', undefined],
  ['compress, x-unheard-of', undefined],
  ['', undefined],
]
for (const [accepted, encoding] of chosen) {
  test(`a client that takes "${accepted}" is given ${encoding ?? 'the bytes as they are'}, and never 406`, async () => {
    const { status, headers } = await ask('/v1/employees?limit=200', { 'accept-encoding': accepted })
    assert.deepEqual([status, headers['content-encoding']], [200, encoding])
  })
}

test('a short answer is sent as it is', async () => {
  const { bytes, headers } = await ask('/v1/departments/1', { 'accept-encoding': 'br, gzip' })
  assert.ok(bytes.length < 1_000)
  assert.equal(headers['content-encoding'], undefined)
})
