import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import type { Resolve } from '../../src/webhooks/addresses.ts'
import { allowedKinds, kindOfAddress } from '../../src/webhooks/addresses.ts'
import { postMessage } from '../../src/webhooks/post.ts'
import { newSecret } from './receiver.ts'

/** A resolver that has these addresses for every name, one list per lookup. */
const resolverOf = (...lookups: readonly (readonly string[])[]): { resolve: Resolve; count: () => number } => {
  let count = 0
  return {
    count: () => count,
    resolve: (_hostname, _options, callback) => {
      const addresses = lookups[Math.min(count, lookups.length - 1)] ?? []
      count += 1
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    },
  }
}

describe('an address', () => {
  const addresses: Readonly<Record<string, readonly string[]>> = {
    public: ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e'],
    private: ['10.255.255.255', '172.31.0.1', '192.168.0.1', '100.127.255.255', 'fc00::1', 'fdff::1'],
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    special: ['0.0.0.0', '0.1.2.3', '169.254.0.1', '224.0.0.1', '240.0.0.1', '192.0.0.8', '198.51.100.1', '203.0.113.9']
      .concat(['::', 'fe80::1', 'fe80::1%lo', 'ff02::1', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])
      .concat(['64:ff9b:1::1', '2002:7f00:1::', '2001::1', '2001:db8::1', '::7f00:1', '4000::1', '5f00::1', '3fff::1']),
  }
  for (const [kind, texts] of Object.entries(addresses))
    it(`is ${kind}: ${texts.join(', ')}`, () => {
      for (const text of texts) assert.equal(kindOfAddress(text), kind, text)
    })
})

describe('a message', () => {
  let requestCount = 0
  const server = createServer((_request, response) => {
    requestCount += 1
    response.writeHead(204).end()
  })
  let port: number
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ;({ port } = server.address() as AddressInfo)
  })
  after(() => server.close())

  const secrets = [Buffer.from(newSecret().slice(6), 'base64')]
  const post = (href: string, resolve?: Resolve, allowPrivateNetwork = false) => {
    const url = new URL(href)
    return postMessage(
      { url, secrets, allowedAddresses: allowedKinds(url, allowPrivateNetwork) },
      { id: 'msg_1', body: '{}' },
      {
        now: new Date(),
        signal: new AbortController().signal,
        timeoutMs: 2_000,
        ...(resolve === undefined ? {} : { resolve }),
      },
    )
  }

  it('is sent to a loopback URL', async () => {
    assert.deepEqual(await post(`http://127.0.0.1:${port}/`), { outcome: 'delivered' })
    assert.deepEqual(await post(`http://localhost:${port}/`), { outcome: 'delivered' })
    assert.equal(requestCount, 2)
  })

  const refused: readonly [description: string, addresses: readonly string[], kind: string][] = [
    ['a loopback address', ['127.0.0.1'], 'loopback'],
    ['the IPv6 loopback address', ['::1'], 'loopback'],
    ['a private address', ['10.1.2.3'], 'private'],
    ['a unique local address', ['fd12::1'], 'private'],
    ['the metadata address of clouds', ['169.254.169.254'], 'special'],
    ['a mapped loopback address', ['::ffff:127.0.0.1'], 'special'],
    ['a public and a private address', ['8.8.8.8', '192.168.0.1'], 'private'],
  ]
  for (const [description, addresses, kind] of refused)
    it(`is not sent to a name that resolves to ${description}`, async () => {
      const before = requestCount
      assert.deepEqual(await post(`http://receiver.test:${port}/`, resolverOf(addresses).resolve), {
        outcome: 'failed',
        reason: `the host has a ${kind} address`,
      })
      assert.equal(requestCount, before)
    })

  it('is not sent to a loopback address through a name, even if private networks are allowed', async () => {
    assert.deepEqual(await post(`http://receiver.test:${port}/`, resolverOf(['127.0.0.1']).resolve, true), {
      outcome: 'failed',
      reason: 'the host has a loopback address',
    })
  })

  it('is sent to the address that was checked: the name is resolved once per attempt (DNS rebinding)', async () => {
    // Tests call no public address, so the name is localhost, for which loopback addresses are allowed.
    const { resolve, count } = resolverOf(['127.0.0.1'], ['10.0.0.1'])
    assert.deepEqual(await post(`http://localhost:${port}/`, resolve), { outcome: 'delivered' })
    assert.equal(count(), 1)
    assert.deepEqual(await post(`http://localhost:${port}/`, resolve), {
      outcome: 'failed',
      reason: 'the host has a private address',
    })
  })

  it('fails if the name does not resolve', async () => {
    assert.deepEqual(
      await post('https://receiver.test/', (_hostname, _options, callback) =>
        callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []),
      ),
      { outcome: 'failed', reason: 'connection failed: ENOTFOUND' },
    )
  })

  it('is sent over TLS only if the certificate is valid, whatever the environment says', async (test) => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-webhook-tls-'))
    const options =
      '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -subj /CN=x'
    const name = ['-addext', 'subjectAltName=IP:127.0.0.1']
    await promisify(execFile)('openssl', ['req', ...options.split(' '), ...name], { cwd: folder })
    const [key, cert] = await Promise.all(['key.pem', 'cert.pem'].map((file) => readFile(join(folder, file), 'utf8')))
    const secureServer = createSecureServer({ key, cert }, (_request, response) => response.writeHead(204).end())
    secureServer.listen(0, '127.0.0.1')
    await once(secureServer, 'listening')
    const url = `https://127.0.0.1:${(secureServer.address() as AddressInfo).port}/`
    const authorities = getCACertificates()
    test.after(async () => {
      setDefaultCACertificates(authorities)
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      secureServer.close()
      await rm(folder, { recursive: true })
    })
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    const reason = 'connection failed: DEPTH_ZERO_SELF_SIGNED_CERT'
    assert.deepEqual(await post(url), { outcome: 'failed', reason })
    setDefaultCACertificates([...authorities, cert ?? ''])
    assert.deepEqual(await post(url), { outcome: 'delivered' })
  })
})
