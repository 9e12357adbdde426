import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { readMetricsUrl, scrape } from '../../../../tests/support/scrape.ts'
import { serve, serviceOrigin, stopService, waitForStatus } from '../../../../tests/support/served.ts'
import { readAccessFile } from '../../src/config/access-file.ts'
import { OperatorError } from '../../src/errors.ts'

let folder: string
let file: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-access-'))
  file = join(folder, 'access.json')
})
after(() => rm(folder, { recursive: true }))

const write = (entries: unknown) => writeFile(file, JSON.stringify(entries))
const sha256 = hash('sha256', 'a token')

describe('the access file', () => {
  const errorsOf = async (text: string): Promise<readonly string[]> => {
    await writeFile(file, text)
    try {
      readAccessFile({ MUSTER_ACCESS_FILE: file })
      return []
    } catch (error) {
      assert.ok(error instanceof OperatorError)
      return [error.message, ...error.details]
    }
  }

  it('gives a token no right that its entry does not name', async () => {
    await write([{ name: 'a', sha256 }])
    assert.deepEqual(readAccessFile({ MUSTER_ACCESS_FILE: file }), [
      { name: 'a', sha256, read: [], personal: false, create: [], expires: undefined },
    ])
    assert.deepEqual(readAccessFile({}), [])
  })

  for (const [title, entry, message] of [
    ['an unknown property', { reed: [] }, /\(a\): has an unknown property "reed"; did you mean read\?$/],
    ['a group', { group: 'hr' }, /has an unknown property "group"/],
    ['an unknown resource', { read: ['employes'] }, /"read" contains "employes"; did you mean employees\?/],
    ['a text instead of a list', { read: 'employees' }, /"read" must be a list of names, or "all"$/],
    ['creates of a read-only resource', { create: ['employees'] }, /"create" contains "employees"\. Allowed: leave, /],
    ['creates of everything', { create: 'all' }, /"create" must be a list of names$/],
    ['a report among creates', { create: ['headcount'] }, /"create" contains "headcount"/],
    ['no digest', { sha256: undefined }, /"sha256" must have 64 hexadecimal digits/],
    ['a digest in upper case', { sha256: sha256.toUpperCase() }, /"sha256" must have 64 hexadecimal digits, in lower/],
    ['a text for personal', { personal: 'yes' }, /"personal" must be true or false$/],
    ['a day that does not exist', { expires: '2027-02-30' }, /"expires" must be a day such as/],
    ['a time', { expires: '2027-02-20T10:00:00Z' }, /"expires" must be a day such as/],
    ['a name with other characters', { name: 'Leave App' }, /^entry 1: "name" must consist of/],
    ['the label of other tokens', { name: 'other' }, /"name" must consist of/],
    ['the name of a token of the settings', { name: '0123abcd' }, /"name" must consist of/],
  ] as const)
    it(`is refused with ${title}`, async () => {
      const [first, ...details] = await errorsOf(JSON.stringify([{ name: 'a', sha256, ...entry }]))
      assert.equal(first, `${file} is invalid:`)
      assert.equal(details.length, 1)
      assert.match(String(details[0]), message)
    })

  it('is refused with two entries of one name or one digest', async () => {
    const entries = [
      { name: 'a', sha256 },
      { name: 'a', sha256 },
    ]
    assert.deepEqual((await errorsOf(JSON.stringify(entries))).slice(1), [
      'entry 2 has the "name" of entry 1',
      'entry 2 has the "sha256" of entry 1',
    ])
  })

  it('is refused if it is no JSON array, or an entry no object', async () => {
    for (const text of ['', '{"name":', '{}', 'null'])
      assert.deepEqual(await errorsOf(text), [`${file} must be a JSON array with one object for each token.`])
    assert.deepEqual((await errorsOf('[null, [], 1]')).slice(1), [
      'entry 1 must be an object',
      'entry 2 must be an object',
      'entry 3 must be an object',
    ])
  })

  it('is refused with all errors at once, none of which repeats a token that was written instead of its digest', async () => {
    const secret = 'this-is-the-token-itself-0123456789'
    const errors = await errorsOf(JSON.stringify([{ name: 'a', sha256: secret, read: 1 }, { personal: 1 }]))
    assert.equal(errors.length, 6)
    assert.ok(!errors.join().includes(secret))
  })

  it('prevents the start with all errors if it is invalid', async () => {
    await write([{ name: 'a', sha256, read: ['x'] }, { name: 'b' }])
    const { code, err } = await muster(['serve'], {
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      MUSTER_ACCESS_FILE: file,
    })
    assert.equal(code, 1)
    assert.match(err, /is invalid:\n {2}entry 1 \(a\): "read" contains "x".*\n {2}entry 2 \(b\): "sha256" must have/)
  })

  it('is checked by muster doctor, which shows its errors', async () => {
    await write([{ name: 'a', sha256, read: ['x'] }])
    const { out } = await muster(['doctor'], { DATABASE_URL: 'postgres://127.0.0.1:1/x', MUSTER_ACCESS_FILE: file })
    assert.match(out, /^wrong {4}configuration {2}\S+ is invalid: entry 1 \(a\): "read" contains "x"/m)
  })

  it('must have an entry if reads need a token and there is no other token', async () => {
    await write([])
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/x', MUSTER_ACCESS_FILE: file, MUSTER_READS: 'token' }
    assert.match((await muster(['serve'], env)).err, /MUSTER_READS is token, which needs a token/)
  })
})

describe('a running service', () => {
  it('uses a changed access file, keeps the old one if the new one is invalid, and names the token in log, metrics and audit log', async () => {
    const database = await createTestDatabase()
    const [first, second] = ['the-first-token', 'the-second-token']
    const entry = (name: string, secret: string) => ({ name, sha256: hash('sha256', secret), create: ['leave'] })
    await write([entry('leave-app', first)])
    const service = serve({ ...database.env, MUSTER_ACCESS_FILE: file, MUSTER_METRICS_PORT: '0' })
    const origin = await serviceOrigin(service)
    await waitForStatus(`${origin}/readyz`, 200)
    const create = async (secret: string) =>
      (await post(`${origin}/api/v1/leave`, { leave_type: 'annual' }, { authorization: `Bearer ${secret}` })).status
    assert.deepEqual([await create(first), await create(second)], [201, 401])

    await write([entry('new-app', second)])
    await service.waitForOutput(/The tokens were reloaded/)
    assert.deepEqual([await create(first), await create(second)], [401, 201])

    await write([entry('leave-app', first), { name: 'x' }])
    await service.waitForOutput(/The old tokens stay in force: \S+ is invalid: entry 2 \(x\): \\"sha256\\" must have/)
    assert.deepEqual([await create(first), await create(second)], [401, 201])
    service.signal('SIGHUP')
    await service.waitForOutput(/old tokens stay in force.*old tokens stay in force/s)
    assert.equal(await create(second), 201)
    await rm(file)
    await service.waitForOutput(/The old tokens stay in force: MUSTER_ACCESS_FILE names \S+, which cannot be read/)
    assert.equal(await create(second), 201)

    const samples = await scrape(await readMetricsUrl(service))
    assert.equal(samples.get('muster_requests_by_token_total{token="leave-app"}'), 1)
    assert.equal(samples.get('muster_requests_by_token_total{token="new-app"}'), 4)
    assert.ok(Number(samples.get('muster_requests_by_token_total{token="none"}')) >= 4)
    const entries = await database.query<{ token: string }>('select token from muster_audit_log order by entry')
    assert.deepEqual(
      entries.map(({ token }) => token),
      ['leave-app', ...Array(4).fill('new-app')],
    )
    await stopService(service)
    const logged = service.output.match(/"route":"\/api\/v1\/leave".*/g) ?? []
    assert.match(String(logged[0]), /"cache":"none","token":"leave-app","msg"/)
    assert.doesNotMatch(String(logged[1]), /"token"/)
    assert.ok(!service.output.includes(first) && !service.output.includes(hash('sha256', first)))
    await database.drop()
  })
})

describe('muster token', () => {
  it('new prints a random token and the entry with its digest, which the service accepts', async () => {
    const args = ['--name', 'leave-app', '--create', 'leave', '--read', 'employees, leave', '--expires', '2099-12-31']
    const { code, out } = await muster(['token', 'new', ...args], {})
    assert.equal(code, 0)
    const [, secret = '', entry = ''] = /^.*\n([0-9a-f]{64})\n\n.*\n(\{.*\})\n$/.exec(out) ?? []
    assert.deepEqual(JSON.parse(entry), {
      name: 'leave-app',
      sha256: hash('sha256', secret),
      read: ['employees', 'leave'],
      create: ['leave'],
      expires: '2099-12-31',
    })
    assert.ok(!(await muster(['token', 'new', ...args], {})).out.includes(secret))
    await write([JSON.parse(entry)])
    const database = await createTestDatabase()
    const service = serve({ ...database.env, MUSTER_READS: 'token', MUSTER_ACCESS_FILE: file })
    const origin = await serviceOrigin(service)
    await waitForStatus(`${origin}/readyz`, 200)
    const statusOf = async (path: string) =>
      (await sendRequest(`${origin}/api/v1/${path}`, { headers: { authorization: `Bearer ${secret}` } })).status
    assert.deepEqual([await statusOf('employees'), await statusOf('jobs')], [200, 403])
    await stopService(service)
    await database.drop()
  })

  it('new accepts --read all and --personal', async () => {
    const { out } = await muster(['token', 'new', '--name', 'bi', '--read', 'all', '--personal'], {})
    assert.match(out, /"read":"all","personal":true\}\n$/)
  })

  it('check shows what the file allows', async () => {
    await write([
      { name: 'bi', sha256, read: 'all', personal: true },
      {
        name: 'old',
        sha256: hash('sha256', 'b'),
        read: ['employees', 'today'],
        create: ['leave'],
        expires: '2020-01-01',
      },
    ])
    assert.deepEqual(await muster(['token', 'check'], { MUSTER_ACCESS_FILE: file }), {
      code: 0,
      err: '',
      out: [
        'NAME  READ             PERSONAL  CREATE   EXPIRES',
        'bi    all              yes       nothing  never',
        'old   employees,today  no        leave    2020-01-01, expired',
        '',
      ].join('\n'),
    })
  })

  for (const [title, args, env, code, message] of [
    ['no action', [], {}, 2, /^Name the action: muster token new or muster token check\./],
    ['an unknown action', ['list'], {}, 2, /^There is no action "list": it is new or check\./],
    ['no name', ['new', '--read', 'all'], {}, 2, /^Name the token: --name leave-app\./],
    ['no right', ['new', '--name', 'a'], {}, 2, /^Say what the token may do/],
    ['an option of new', ['check', '--name', 'a'], {}, 2, /^--name belongs to muster token new\./],
    [
      'an unknown resource',
      ['new', '--name', 'a', '--read', 'leav'],
      {},
      1,
      /"read" contains "leav"; did you mean leave/,
    ],
    ['no file', ['check'], {}, 1, /^MUSTER_ACCESS_FILE is not set/],
    ['a missing file', ['check'], { MUSTER_ACCESS_FILE: '/none' }, 1, /cannot be read: there is no such file/],
  ] as const)
    it(`explains ${title}`, async () => {
      const result = await muster(['token', ...args], { ...env })
      assert.deepEqual([result.code, result.out], [code, ''])
      assert.match(result.err, message)
    })
})
