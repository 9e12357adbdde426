import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { muster } from '../../../../tests/support/muster.ts'
import { OperatorError } from '../../src/errors.ts'
import { readEndpoints } from '../../src/webhooks/endpoints.ts'
import { newSecret } from './receiver.ts'

describe('the file of endpoints', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-endpoints-'))
    await writeFile(join(folder, 'secret'), `${newSecret()}\n`)
    await writeFile(join(folder, 'two-secrets'), `${newSecret()}\n${newSecret()}\n`)
    await writeFile(join(folder, 'three-secrets'), `${newSecret()}\n${newSecret()}\n${newSecret()}\n`)
    await writeFile(join(folder, 'short-secret'), `whsec_${Buffer.alloc(23).toString('base64')}`)
    await writeFile(join(folder, 'no-secret'), 'hunter2\n')
  })
  after(() => rm(folder, { recursive: true }))

  const valid = { name: 'payroll', url: 'https://payroll.example.com/hook', secret_file: 'secret' }
  const readText = async (text: string) => {
    const file = join(folder, 'webhooks.json')
    await writeFile(file, text)
    return readEndpoints(file)
  }
  const read = (...endpoints: readonly object[]) => readText(JSON.stringify({ endpoints }))

  it('names the URL, the secret, the resources and the kinds of each endpoint', async () => {
    const [first, second] = await read(
      { ...valid, resources: ['leave', 'employees'], kinds: ['created', 'erased'] },
      { ...valid, name: 'copy', secret_file: join(folder, 'two-secrets') },
    )
    assert.equal(first?.url.href, valid.url)
    assert.deepEqual(first?.resources?.map(({ path }) => path).sort(), ['employees', 'leave'])
    assert.deepEqual([first?.kinds, first?.secrets.map(({ length }) => length)], [['created', 'erased'], [32]])
    assert.deepEqual([second?.resources, second?.kinds, second?.secrets.length], [undefined, undefined, 2])
  })

  const mistakes: readonly [problem: string, change: object, message: RegExp][] = [
    ['an unknown property', { secretfile: 'x' }, /has an unknown property "secretfile"; did you mean secret_file\?$/],
    ['no name', { name: undefined }, /"name" must consist of /],
    ['a name with other characters', { name: 'Pay Roll' }, /"name" must consist of /],
    ['no URL', { url: 'payroll' }, /"url" must be a URL\.$/],
    ['http', { url: 'http://payroll.example.com/' }, /"url" must begin with https:\/\/; only a loopback address/],
    ['another scheme', { url: 'file:///etc/passwd' }, /"url" must begin with https/],
    ['http to a private address', { url: 'http://10.0.0.1/', allow_private_network: true }, /must begin with https/],
    ['a password in the URL', { url: 'https://user:pass@example.com/' }, /must not contain a user name or password\.$/],
    ['a user name in the URL', { url: 'https://user@127.0.0.1/' }, /must not contain a user name or password\.$/],
    ['no secret file', { secret_file: undefined }, /"secret_file" must be the path of a file\.$/],
    [
      'a missing secret file',
      { secret_file: 'none' },
      /"secret_file" names .*none, which cannot be read: there is no such file\.$/,
    ],
    ['a text that is no secret', { secret_file: 'no-secret' }, /must contain one or two lines, each with a secret/],
    [
      'a secret that is too short',
      { secret_file: 'short-secret' },
      /must contain one or two lines, each with a secret/,
    ],
    ['three secrets', { secret_file: 'three-secrets' }, /must contain one or two lines, each with a secret/],
    [
      'an unknown resource',
      { resources: ['employes'] },
      /"resources" contains "employes", which does not exist; did you mean employees\?$/,
    ],
    ['no resources', { resources: [] }, /"resources" must be a list of names; leave it out for all\.$/],
    [
      'an unknown kind',
      { kinds: ['create'] },
      /"kinds" contains "create", which does not exist; did you mean created\?$/,
    ],
    [
      'a permission that is no boolean',
      { allow_private_network: 'yes' },
      /"allow_private_network" must be true or false\.$/,
    ],
  ]
  for (const [problem, change, message] of mistakes)
    it(`is rejected if an endpoint has ${problem}, and the message contains neither URL nor secret`, async () => {
      await assert.rejects(read({ ...valid, ...change }), (error) => {
        assert.ok(error instanceof OperatorError)
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /hunter2|user:pass/)
        return true
      })
    })

  it('is rejected if it is not a list of endpoints, or names one twice', async () => {
    for (const text of ['{', '{"endpoints":[{"url":"https://example.com/hunter2"x}]}', 'hunter2'])
      await assert.rejects(readText(text), (error) => {
        assert.ok(error instanceof OperatorError)
        assert.match(error.message, /webhooks\.json is not a JSON document\.$/)
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      })
    for (const text of ['[]', '{}', 'null', '{"endpoints":[]}', '{"endpoints":[{}],"more":1}'])
      await assert.rejects(readText(text), /must be an object with one property, "endpoints"/)
    await assert.rejects(readText('{"endpoints":[1]}'), /endpoint 1 must be an object\.$/)
    await assert.rejects(read(valid, valid), /contains two endpoints with the name "payroll"\.$/)
    assert.throws(() => readEndpoints(join(folder, 'none.json')), /MUSTER_WEBHOOKS_FILE names .* which cannot be read/)
  })

  /** Addresses as they can be written in a URL. */
  const refusedHosts = [
    ...['10.0.0.1', '172.16.3.4', '192.168.1.1', '100.64.0.1', '169.254.169.254', '0.0.0.0', '255.255.255.255'],
    ...['224.0.0.1', '198.18.0.1', '192.0.2.1', '167772161', '0x0a.1', '0251.0376.0251.0376'],
    ...['[fd00::1]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[::]', '[::ffff:10.0.0.1]', '[::ffff:127.0.0.1]'],
    ...[
      '[::10.0.0.1]',
      '[64:ff9b::10.0.0.1]',
      '[2002:a00:1::]',
      '[2001:0:a00:1::]',
      '[2001:db8::1]',
      '[::ffff:0:127.0.0.1]',
    ],
  ]
  it('is rejected if a URL has a private, link-local, mapped or otherwise special address', async () => {
    for (const host of refusedHosts)
      await assert.rejects(read({ ...valid, url: `https://${host}/` }), /"url" has a(n address| private address)/, host)
  })

  it('may name a private address if the endpoint allows it, but no link-local, mapped or loopback one', async () => {
    const allowed: string[] = []
    for (const host of refusedHosts)
      await read({ ...valid, url: `https://${host}/`, allow_private_network: true }).then(
        () => allowed.push(host),
        () => {},
      )
    assert.deepEqual(allowed, [
      '10.0.0.1',
      '172.16.3.4',
      '192.168.1.1',
      '100.64.0.1',
      '167772161',
      '0x0a.1',
      '[fd00::1]',
    ])
  })

  it('may name a loopback address, with http', async () => {
    for (const host of ['127.0.0.1:8443', '127.8.9.1', 'localhost', '[::1]', '2130706433'])
      assert.equal((await read({ ...valid, url: `http://${host}/` })).length, 1, host)
    await assert.rejects(read({ ...valid, url: 'http://localhost.example.com/' }), /must begin with https/)
  })
})

describe('muster webhooks', () => {
  const env = { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' }
  const mistakes: readonly [problem: string, args: string[], env: Record<string, string>, message: RegExp][] = [
    ['no file is set', [], {}, /^MUSTER_WEBHOOKS_FILE is not set: /],
    [
      'the file is missing',
      [],
      { MUSTER_WEBHOOKS_FILE: '/none.json' },
      /^MUSTER_WEBHOOKS_FILE names \/none\.json, which/,
    ],
    ['it would connect through a pooler', [], { DATABASE_POOLER: 'transaction' }, /needs a session of its own/],
    ['--since has no --resume', ['--since', '2026-11-17'], {}, /^--since needs --resume NAME\./],
    ['--since is no time', ['--resume', 'x', '--since', 'noon'], {}, /^--since must be a date-time such as/],
    ['the database is down', ['--resume', 'x'], {}, /^No PostgreSQL listens at 127\.0\.0\.1:1: /],
  ]
  for (const [problem, args, settings, message] of mistakes)
    it(`reports that ${problem}`, async () => {
      const { code, out, err } = await muster(['webhooks', ...args], { ...env, ...settings })
      assert.notEqual(code, 0)
      assert.equal(out, '')
      assert.match(err, message)
    })
})
