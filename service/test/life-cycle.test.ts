/** The service as a process: how it starts, what it says when something is wrong, and how it ends. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import pg from 'pg'
import { settingWarnings } from '../src/config.ts'
import { createEmptyDatabase, createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import { muster } from './support/muster.ts'
import { end, listening, serve, until } from './support/served.ts'
import { token } from './support/service.ts'

describe('the process', () => {
  it('serves, and ends with 0 when asked to', async () => {
    const database = await createTestDatabase()
    const service = serve({ ...database.env })
    const host = await listening(service)
    await until(`${host}/readyz`, 200)
    assert.equal((await ask(`${host}/livez`)).status, 200)
    assert.equal((await ask(`${host}/api/v1/departments`)).status, 200)
    await end(service)
    await database.drop()
  })

  it('stays up without a database, says why in one sentence, and answers 503 with the cure left to the operator', async () => {
    const service = serve({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none', MUSTER_API_TOKEN: token })
    const host = await listening(service)
    await service.says(/No PostgreSQL listens at 127\.0\.0\.1:1: start it, or correct the database address\./)
    assert.equal((await ask(`${host}/livez`)).status, 200)
    const ready = await ask(`${host}/readyz`)
    assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '1'])
    const health = await ask(`${host}/api/v1/health`)
    assert.deepEqual([health.status, health.json.status, health.json.writes_enabled], [200, 'degraded', true])
    for (const path of ['employees', 'employees/1']) {
      const answer = await ask(`${host}/api/v1/${path}`)
      assert.deepEqual(
        [answer.status, answer.json.error.code, answer.headers.get('retry-after')],
        [503, 'database_unavailable', '1'],
      )
    }
    assert.equal((await post(`${host}/api/v1/leave`, { leave_type: 'annual' })).json.error.code, 'database_unavailable')
    assert.equal((await post(`${host}/api/v1/leave`, {})).json.error.code, 'validation_error')
    assert.equal(service.said.match(/No PostgreSQL listens/g)?.length, 1)
    assert.doesNotMatch(service.said, /\n\s+at /)
    await end(service)
  })

  it('is ready within two seconds of a database that comes after it', async () => {
    const database = await createTestDatabase()
    const server = new URL(database.url)
    // A door to the real server that is not open yet.
    const door = createServer((socket) => {
      const beyond = connect(Number(server.port || 5432), server.hostname)
      socket.pipe(beyond).pipe(socket)
      for (const end of [socket, beyond]) end.on('error', () => socket.destroy())
    }).listen(0, '127.0.0.1')
    await once(door, 'listening')
    const { port } = door.address() as AddressInfo
    door.close()
    await once(door, 'close')
    const throughDoor = new URL(database.url)
    throughDoor.host = `127.0.0.1:${port}`
    const service = serve({ DATABASE_URL: throughDoor.href })
    const host = await listening(service)
    await service.says(/No PostgreSQL listens/)
    assert.deepEqual([(await ask(`${host}/livez`)).status, (await ask(`${host}/readyz`)).status], [200, 503])
    door.listen(port, '127.0.0.1')
    await once(door, 'listening')
    const cameAt = performance.now()
    await until(`${host}/readyz`, 200)
    assert.ok(performance.now() - cameAt < 2_000, `it took ${performance.now() - cameAt} ms`)
    assert.equal((await ask(`${host}/api/v1/employees`)).status, 200)
    await end(service)
    door.close()
    await database.drop()
  })

  it('stays up over an empty database and becomes ready when it is migrated', async () => {
    const database = await createEmptyDatabase()
    const service = serve({ ...database.env })
    const host = await listening(service)
    await service.says(/run \\"npm run migrate\\"/)
    assert.equal((await ask(`${host}/api/v1/employees`)).status, 503)
    assert.equal((await muster(['migrate'], database.env)).code, 0)
    await until(`${host}/readyz`, 200)
    assert.equal((await ask(`${host}/api/v1/employees`)).status, 200)
    await end(service)
    await database.drop()
  })

  it('is not ready over a schema it does not know', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into muster_migrations (name, sha256) values ('9999-future.sql', 'x')`)
    const service = serve({ ...database.env })
    await service.says(/migrations this release does not know \(9999-future\.sql\)/)
    assert.equal((await ask(`${await listening(service)}/api/v1/employees`)).status, 503)
    await end(service)
    await database.drop()
  })

  it('serves on while a newer release expands the schema', async () => {
    const database = await createTestDatabase()
    const service = serve({ ...database.env })
    const host = await listening(service)
    await until(`${host}/readyz`, 200)
    await database.execute(
      `insert into muster_migrations (name, sha256, expands) values ('9999-future.sql', 'x', true)`,
    )
    await service.says(/a newer release expanded its schema by 9999-future\.sql/)
    assert.equal((await ask(`${host}/readyz`)).status, 200)
    assert.equal((await ask(`${host}/api/v1/employees`)).status, 200)
    await end(service)
    await database.drop()
  })

  it('survives the end of every session of its own', async () => {
    const database = await createTestDatabase()
    const service = serve({ ...database.env })
    const host = await listening(service)
    await until(`${host}/readyz`, 200)
    for (let round = 0; round < 5; round += 1) {
      const asked = Array.from({ length: 20 }, () => ask(`${host}/api/v1/employees`))
      await database.execute(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      for (const answer of await Promise.all(asked)) assert.ok([200, 503].includes(answer.status), answer.text)
    }
    await until(`${host}/api/v1/employees`, 200)
    await end(service)
    await database.drop()
  })

  it('stays ready while creates wait for a lock, and stores nothing of what it answered 503', async () => {
    const database = await createTestDatabase()
    const service = serve({ ...database.env, MUSTER_API_TOKEN: token, MUSTER_POOL_SIZE: '2' })
    const host = await listening(service)
    await until(`${host}/readyz`, 200)
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query(`begin; insert into organizations (name, slug) values ('Held', 'held')`)
    const asked = Array.from({ length: 6 }, () => post(`${host}/api/v1/organizations`, { name: 'Held', slug: 'held' }))
    const statuses = Promise.all(asked).then((answers) => answers.map(({ status }) => status))
    let done = false
    void statuses.then(() => {
      done = true
    })
    while (!done) assert.equal((await ask(`${host}/readyz`)).status, 200)
    assert.deepEqual(new Set(await statuses), new Set([503]))
    await holder.query('rollback')
    await holder.end()
    assert.equal((await ask(`${host}/api/v1/organizations`)).json.meta.total, 0)
    await end(service)
    await database.drop()
  })

  it('takes tokens from a file, and takes it up again on SIGHUP', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-token-'))
    const file = join(folder, 'token')
    const database = await createTestDatabase()
    await writeFile(file, `${token}\r\n`)
    const service = serve({ ...database.env, MUSTER_API_TOKEN_FILE: file })
    const url = `${await listening(service)}/api/v1/leave`
    await until(url, 200)
    assert.equal((await post(url, { leave_type: 'annual' })).status, 201)
    await writeFile(file, 'another-token-of-more-than-thirty-two-characters\n')
    service.signal('SIGHUP')
    await service.says(/tokens were read again/)
    assert.equal((await post(url, { leave_type: 'annual' })).status, 401)
    await writeFile(file, ' \n')
    service.signal('SIGHUP')
    await service.says(/tokens were read again.*tokens were read again/s)
    assert.equal((await post(url, { leave_type: 'annual' })).json.error.code, 'writes_disabled')
    await end(service)
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('takes the addresses of the database from files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-address-'))
    const database = await createTestDatabase()
    const file = async (name: keyof typeof database.env) => {
      await writeFile(join(folder, name), `${database.env[name]}\n`)
      return join(folder, name)
    }
    const service = serve(
      {
        DATABASE_URL_FILE: await file('DATABASE_URL'),
        DATABASE_READ_URL_FILE: await file('DATABASE_READ_URL'),
        MUSTER_API_TOKEN: token,
      },
      // Under the rights of workers, which may read the files that settings name and no others.
      { args: ['--workers', '2'] },
    )
    const host = await listening(service)
    await until(`${host}/readyz`, 200)
    assert.equal((await post(`${host}/api/v1/leave`, { leave_type: 'annual' })).status, 201)
    await end(service)
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('lets nobody read any more once the token is taken from its file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-token-'))
    const file = join(folder, 'token')
    const database = await createTestDatabase()
    await writeFile(file, `${token}\n`)
    const service = serve({ ...database.env, MUSTER_READS: 'token', MUSTER_READ_TOKEN_FILE: file })
    const host = await listening(service)
    await until(`${host}/readyz`, 200)
    const status = async () =>
      (await ask(`${host}/api/v1/leave`, { headers: { authorization: `Bearer ${token}` } })).status
    assert.equal(await status(), 200)
    await writeFile(file, '\n')
    service.signal('SIGHUP')
    await service.says(/tokens were read again/)
    assert.equal(await status(), 401)
    await end(service)
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('warns where reads are public and an address may be a real one', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into candidates (email, status) values ('somebody@muster.dev', 'active')`)
    const service = serve({ ...database.env })
    await service.says(/set MUSTER_READS to redacted or token/)
    await end(service)
    await database.drop()
  })

  it('warns of a setting it does not know and of a short token', async () => {
    const service = serve({
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      MUSTER_API_TOKN: 'x',
      MUSTER_API_TOKEN: 'short',
    })
    await service.says(/MUSTER_API_TOKN is not known; did you mean MUSTER_API_TOKEN\?/)
    await service.says(/fewer than 32 characters/)
    await listening(service)
    await end(service)
  })

  it('suggests a known setting only if the name is similar, apart from the prefix', () => {
    const warnings = (name: string) => settingWarnings({ [name]: 'x' }, { write: [], read: [] })
    const cases: readonly (readonly [name: string, meant: string])[] = [
      ['MUSTER_LOGLEVEL', '; did you mean MUSTER_LOG_LEVEL?'],
      ['MUSTER_PORT', '; did you mean PORT?'],
      ['MUSTER_DATABASE_URL', '; did you mean DATABASE_URL?'],
      ['MUSTER_FOO', '.'],
      ['MUSTER_COLOUR', '.'],
    ]
    for (const [name, meant] of cases) assert.deepEqual(warnings(name), [`The setting ${name} is not known${meant}`])
  })

  const url = 'postgres://127.0.0.1:1/none'
  const faults: [rule: string, env: Record<string, string>, sentence: RegExp][] = [
    ['without a database address', {}, /^DATABASE_URL is not set: .+\n$/],
    [
      'with an address of another kind',
      { DATABASE_URL: 'mysql://x/y' },
      /^DATABASE_URL should start with postgres:\/\/.+\n$/,
    ],
    [
      'with reads for holders of a token, and no token',
      { DATABASE_URL: url, MUSTER_READS: 'token', MUSTER_READ_TOKEN: ' ' },
      /^MUSTER_READS is token, which needs a token: .+\n$/,
    ],
    [
      'with reads that nobody knows',
      { DATABASE_URL: url, MUSTER_READS: 'private' },
      /^MUSTER_READS should be one of public, redacted, token, and is "private"\.\n$/,
    ],
    [
      'with a port that is none',
      { DATABASE_URL: url, PORT: '80a' },
      /^PORT should be a whole number from 0 to 65535, and is "80a"\.\n$/,
    ],
    [
      'with no room in the pool',
      { DATABASE_URL: url, MUSTER_POOL_SIZE: '0' },
      /^MUSTER_POOL_SIZE should be a whole number from 1 .+\n$/,
    ],
    [
      'with an unknown log level',
      { DATABASE_URL: url, MUSTER_LOG_LEVEL: 'loud' },
      /^MUSTER_LOG_LEVEL should be one of .+\n$/,
    ],
    [
      'with two tokens of one name',
      { DATABASE_URL: url, MUSTER_API_TOKEN: 'a', MUSTER_API_TOKEN_FILE: '/dev/null' },
      /^Both MUSTER_API_TOKEN and MUSTER_API_TOKEN_FILE are set: keep one of them\.\n$/,
    ],
    [
      'with two addresses of one name',
      { DATABASE_URL: url, DATABASE_URL_FILE: '/dev/null' },
      /^Both DATABASE_URL and DATABASE_URL_FILE are set: keep one of them\.\n$/,
    ],
    [
      'with a password for the collector of traces, which would be told as one that does not answer',
      { DATABASE_URL: url, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:secret@127.0.0.1:4318' },
      /^OTEL_EXPORTER_OTLP_ENDPOINT holds a user or a password, (?!.*secret).+\n$/,
    ],
    [
      'with a token file that is not there',
      { DATABASE_URL: url, MUSTER_API_TOKEN_FILE: '/nowhere/token' },
      /^MUSTER_API_TOKEN_FILE names \/nowhere\/token, which cannot be read: there is no such file\.\n$/,
    ],
  ]
  for (const [rule, env, sentence] of faults) {
    it(`does not start ${rule}, and says so in one sentence`, async () => {
      const service = serve(env)
      assert.equal(await service.ended, 1)
      assert.match(service.said, sentence)
    })
  }

  it('does not start on a port that is taken, and says so in one sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const service = serve({ DATABASE_URL: url, PORT: String(port), MUSTER_LOG_LEVEL: 'silent' })
    assert.equal(await service.ended, 1)
    assert.equal(service.said, `Port ${port} on 127.0.0.1 is taken: stop what listens there, or set PORT.\n`)
    other.close()
  })
})
