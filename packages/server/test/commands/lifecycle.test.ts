import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase, createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { serve, serviceOrigin, stopService, waitForStatus } from '../../../../tests/support/served.ts'
import { token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { noTokens } from '../../src/config/tokens.ts'
import { settingWarnings } from '../../src/config/warnings.ts'

describe('the service process', () => {
  it('stays up without a database, logs the reason once, and responds 503', async () => {
    const service = await startInProcess({
      DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none',
      MUSTER_API_TOKEN: token,
    })
    const { origin } = service
    await service.waitForOutput(/No PostgreSQL listens at 127\.0\.0\.1:1: start it, or correct the database URL\./)
    assert.equal((await sendRequest(`${origin}/livez`)).status, 200)
    const readyzResponse = await sendRequest(`${origin}/readyz`)
    assert.deepEqual([readyzResponse.status, readyzResponse.headers.get('retry-after')], [503, '1'])
    const healthResponse = await sendRequest(`${origin}/api/v1/health`)
    assert.deepEqual(
      [healthResponse.status, healthResponse.json.status, healthResponse.json.writes_enabled],
      [200, 'degraded', true],
    )
    for (const path of ['employees', 'employees/1']) {
      const response = await sendRequest(`${origin}/api/v1/${path}`)
      assert.deepEqual(
        [response.status, response.json.error.code, response.headers.get('retry-after')],
        [503, 'database_unavailable', '1'],
      )
    }
    assert.equal(
      (await post(`${origin}/api/v1/leave`, { leave_type: 'annual' })).json.error.code,
      'database_unavailable',
    )
    assert.equal((await post(`${origin}/api/v1/leave`, {})).json.error.code, 'validation_error')
    assert.equal(service.output.match(/No PostgreSQL listens/g)?.length, 1)
    assert.doesNotMatch(service.output, /\n\s+at /)
    await service.stop()
  })

  it('becomes ready after the database becomes reachable', async () => {
    const database = await createTestDatabase()
    const serverUrl = new URL(database.url)
    // A relay to the PostgreSQL server. At first it only reserves a port, so that the database is unreachable.
    const relay = createServer((socket) => {
      const upstream = connect(Number(serverUrl.port || 5432), serverUrl.hostname)
      socket.pipe(upstream).pipe(socket)
      for (const stream of [socket, upstream]) stream.on('error', () => socket.destroy())
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const { port } = relay.address() as AddressInfo
    relay.close()
    await once(relay, 'close')
    const relayUrl = new URL(database.url)
    relayUrl.host = `127.0.0.1:${port}`
    const service = await startInProcess({ DATABASE_URL: relayUrl.href })
    const { origin } = service
    await service.waitForOutput(/No PostgreSQL listens/)
    assert.deepEqual(
      [(await sendRequest(`${origin}/livez`)).status, (await sendRequest(`${origin}/readyz`)).status],
      [200, 503],
    )
    relay.listen(port, '127.0.0.1')
    await once(relay, 'listening')
    await waitForStatus(`${origin}/readyz`, 200)
    assert.equal((await sendRequest(`${origin}/api/v1/employees`)).status, 200)
    await service.stop()
    relay.close()
    await database.drop()
  })

  it('stays up with an empty database, and becomes ready when it is migrated', async () => {
    const database = await createEmptyDatabase()
    const service = await startInProcess({ ...database.env })
    const { origin } = service
    await service.waitForOutput(/run \\"npx muster migrate\\"/)
    assert.equal((await sendRequest(`${origin}/api/v1/employees`)).status, 503)
    assert.equal((await muster(['migrate'], database.env)).code, 0)
    await waitForStatus(`${origin}/readyz`, 200)
    assert.equal((await sendRequest(`${origin}/api/v1/employees`)).status, 200)
    await service.stop()
    await database.drop()
  })

  it('is not ready if the database contains migrations that this release does not know', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into muster_migrations (name, sha256) values ('9999-future.sql', 'x')`)
    const service = await startInProcess({ ...database.env })
    await service.waitForOutput(/migrations this release does not know \(9999-future\.sql\)/)
    assert.equal((await sendRequest(`${service.origin}/api/v1/employees`)).status, 503)
    await service.stop()
    await database.drop()
  })

  it('continues to serve when a newer release adds to the schema', async () => {
    const database = await createTestDatabase()
    const service = await startInProcess({ ...database.env })
    const { origin } = service
    await waitForStatus(`${origin}/readyz`, 200)
    await database.execute(
      `insert into muster_migrations (name, sha256, expands) values ('9999-future.sql', 'x', true)`,
    )
    await service.waitForOutput(/a newer release applied 9999-future\.sql/)
    assert.equal((await sendRequest(`${origin}/readyz`)).status, 200)
    assert.equal((await sendRequest(`${origin}/api/v1/employees`)).status, 200)
    await service.stop()
    await database.drop()
  })

  it('survives the termination of all its database sessions', async () => {
    const database = await createTestDatabase()
    const service = await startInProcess({ ...database.env })
    const { origin } = service
    await waitForStatus(`${origin}/readyz`, 200)
    for (let round = 0; round < 5; round += 1) {
      const requests = Array.from({ length: 20 }, () => sendRequest(`${origin}/api/v1/employees`))
      await database.execute(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      for (const response of await Promise.all(requests)) assert.ok([200, 503].includes(response.status), response.text)
    }
    await waitForStatus(`${origin}/api/v1/employees`, 200)
    await service.stop()
    await database.drop()
  })

  it('stays ready while creates wait for a lock, and stores no record of a create to which it responded 503', async () => {
    const database = await createTestDatabase()
    const service = await startInProcess({ ...database.env, MUSTER_API_TOKEN: token, MUSTER_POOL_SIZE: '2' })
    const { origin } = service
    await waitForStatus(`${origin}/readyz`, 200)
    const lockHolder = new pg.Client({ connectionString: database.url })
    await lockHolder.connect()
    await lockHolder.query(`begin; insert into organizations (name, slug) values ('Held', 'held')`)
    const requests = Array.from({ length: 6 }, () =>
      post(`${origin}/api/v1/organizations`, { name: 'Held', slug: 'held' }),
    )
    const pendingStatuses = Promise.all(requests).then((responses) => responses.map(({ status }) => status))
    let isDone = false
    void pendingStatuses.then(() => {
      isDone = true
    })
    while (!isDone) assert.equal((await sendRequest(`${origin}/readyz`)).status, 200)
    assert.deepEqual(new Set(await pendingStatuses), new Set([503]))
    await lockHolder.query('rollback')
    await lockHolder.end()
    assert.equal((await sendRequest(`${origin}/api/v1/organizations`)).json.meta.total, 0)
    await service.stop()
    await database.drop()
  })

  it('serves requests, reads the token file again on SIGHUP, and exits with 0 on SIGTERM', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-token-'))
    const file = join(folder, 'token')
    const database = await createTestDatabase()
    await writeFile(file, `${token}\r\n`)
    const service = serve({ ...database.env, MUSTER_API_TOKEN_FILE: file, MUSTER_API_TOKN: 'x' })
    const origin = await serviceOrigin(service)
    const url = `${origin}/api/v1/leave`
    await waitForStatus(`${origin}/readyz`, 200)
    assert.equal((await sendRequest(`${origin}/livez`)).status, 200)
    assert.match(service.output, /MUSTER_API_TOKN is not known; did you mean MUSTER_API_TOKEN\?/)
    assert.equal((await post(url, { leave_type: 'annual' })).status, 201)
    const stream = await fetch(`${origin}/api/v1/changes`, { headers: { accept: 'text/event-stream' } })
    await writeFile(file, 'another-token-of-more-than-thirty-two-characters\n')
    service.signal('SIGHUP')
    await service.waitForOutput(/tokens were reloaded/)
    // The stream ends, so that its client connects again and is authorized by the new tokens.
    assert.match(await stream.text(), /^: \nid: \S+\n\n/)
    assert.equal((await post(url, { leave_type: 'annual' })).status, 401)
    await writeFile(file, ' \n')
    service.signal('SIGHUP')
    await service.waitForOutput(/tokens were reloaded.*tokens were reloaded/s)
    await service.waitForOutput(/MUSTER_API_TOKEN_FILE names \S+, which is empty, so creates are disabled/)
    assert.equal((await post(url, { leave_type: 'annual' })).json.error.code, 'writes_disabled')
    await rm(file)
    service.signal('SIGHUP')
    await service.waitForOutput(/MUSTER_API_TOKEN_FILE names \S+, which cannot be read/)
    assert.equal((await sendRequest(url)).status, 200)
    await stopService(service)
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('rejects all reads once the token is removed from its file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-token-'))
    const file = join(folder, 'token')
    const database = await createTestDatabase()
    await writeFile(file, `${token}\n`)
    const service = await startInProcess({ ...database.env, MUSTER_READS: 'token', MUSTER_READ_TOKEN_FILE: file })
    const { origin } = service
    await waitForStatus(`${origin}/readyz`, 200)
    const readStatus = async () =>
      (await sendRequest(`${origin}/api/v1/leave`, { headers: { authorization: `Bearer ${token}` } })).status
    assert.equal(await readStatus(), 200)
    await writeFile(file, '\n')
    service.reloadTokens()
    assert.equal(await readStatus(), 401)
    await service.stop()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('warns if reads are public and an e-mail address may be real, and says so in the index', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into candidates (email, status) values ('somebody@muster.dev', 'active')`)
    const service = await startInProcess({ ...database.env })
    await service.waitForOutput(/set MUSTER_READS to redacted or token/)
    const { json } = await sendRequest(`${service.origin}/api`)
    assert.deepEqual([json.reads, json.real_email_domains], ['public', true])
    await service.stop()
    await database.drop()
  })

  it('says in the index that all e-mail addresses have a reserved domain', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into candidates (email, status) values ('somebody@example.com', 'active')`)
    const service = await startInProcess({ ...database.env })
    const indexUrl = `${service.origin}/api`
    await waitUntil('the e-mail addresses are checked', async () => {
      return (await sendRequest(indexUrl)).json.real_email_domains === false
    })
    await service.stop()
    await database.drop()
  })

  it('does not check e-mail addresses if reads are not public, because the result would be public', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into candidates (email, status) values ('somebody@muster.dev', 'active')`)
    const service = await startInProcess({ ...database.env, MUSTER_READS: 'redacted', MUSTER_READ_TOKEN: token })
    const { origin } = service
    await waitForStatus(`${origin}/readyz`, 200)
    const { json } = await sendRequest(`${origin}/api`)
    assert.deepEqual([json.reads, json.real_email_domains], ['redacted', null])
    await service.stop()
    await database.drop()
  })

  it('serves no console with MUSTER_CONSOLE=off', async () => {
    const service = await startInProcess({ DATABASE_URL: 'postgres://127.0.0.1:1/none', MUSTER_CONSOLE: 'off' })
    const { origin } = service
    assert.equal((await sendRequest(`${origin}/console/`)).status, 404)
    await service.stop()
  })

  it('warns about an unknown setting and a short token', async () => {
    const service = await startInProcess({
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      MUSTER_API_TOKN: 'x',
      MUSTER_API_TOKEN: 'short',
    })
    await service.waitForOutput(/MUSTER_API_TOKN is not known; did you mean MUSTER_API_TOKEN\?/)
    await service.waitForOutput(/fewer than 32 characters/)
    await service.stop()
  })

  it('suggests a known setting only if its name is similar, with or without the prefix MUSTER_', () => {
    const warningsFor = (name: string) => settingWarnings({ [name]: 'x' }, noTokens)
    const cases: readonly (readonly [name: string, suggestion: string])[] = [
      ['MUSTER_LOGLEVEL', '; did you mean MUSTER_LOG_LEVEL?'],
      ['MUSTER_PORT', '; did you mean PORT?'],
      ['MUSTER_DATABASE_URL', '; did you mean DATABASE_URL?'],
      ['MUSTER_FOO', '.'],
      ['MUSTER_COLOUR', '.'],
    ]
    for (const [name, suggestion] of cases)
      assert.deepEqual(warningsFor(name), [`The setting ${name} is not known${suggestion}`])
  })

  const unreachableUrl = 'postgres://127.0.0.1:1/none'
  const startErrors: [title: string, env: Record<string, string>, sentence: RegExp][] = [
    ['without a database URL', {}, /^DATABASE_URL is not set: .+\n$/],
    [
      'with a URL of another scheme',
      { DATABASE_URL: 'mysql://x/y' },
      /^DATABASE_URL must start with postgres:\/\/.+\n$/,
    ],
    [
      'with MUSTER_READS=token but no token',
      { DATABASE_URL: unreachableUrl, MUSTER_READS: 'token', MUSTER_READ_TOKEN: ' ' },
      /^MUSTER_READS is token, which needs a token: .+\n$/,
    ],
    [
      'with an unknown value of MUSTER_READS',
      { DATABASE_URL: unreachableUrl, MUSTER_READS: 'private' },
      /^MUSTER_READS must be one of public, redacted, token, not "private"\.\n$/,
    ],
    [
      'with an unknown value of MUSTER_CONSOLE',
      { DATABASE_URL: unreachableUrl, MUSTER_CONSOLE: 'yes' },
      /^MUSTER_CONSOLE must be one of on, off, not "yes"\.\n$/,
    ],
    [
      'with an invalid port',
      { DATABASE_URL: unreachableUrl, PORT: '80a' },
      /^PORT must be a whole number from 0 to 65535, not "80a"\.\n$/,
    ],
    [
      'with a pool size of 0',
      { DATABASE_URL: unreachableUrl, MUSTER_POOL_SIZE: '0' },
      /^MUSTER_POOL_SIZE must be a whole number from 1 .+\n$/,
    ],
    [
      'with an unknown log level',
      { DATABASE_URL: unreachableUrl, MUSTER_LOG_LEVEL: 'loud' },
      /^MUSTER_LOG_LEVEL must be one of .+\n$/,
    ],
    [
      'with a token set both directly and by file',
      { DATABASE_URL: unreachableUrl, MUSTER_API_TOKEN: 'a', MUSTER_API_TOKEN_FILE: '/dev/null' },
      /^Both MUSTER_API_TOKEN and MUSTER_API_TOKEN_FILE are set: keep one of them\.\n$/,
    ],
    [
      'with a database URL set both directly and by file',
      { DATABASE_URL: unreachableUrl, DATABASE_URL_FILE: '/dev/null' },
      /^Both DATABASE_URL and DATABASE_URL_FILE are set: keep one of them\.\n$/,
    ],
    [
      'with a password in the URL of the trace collector',
      { DATABASE_URL: unreachableUrl, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:secret@127.0.0.1:4318' },
      /^OTEL_EXPORTER_OTLP_ENDPOINT contains a user name or password, (?!.*secret).+\n$/,
    ],
    [
      'with a token file that does not exist',
      { DATABASE_URL: unreachableUrl, MUSTER_API_TOKEN_FILE: '/nowhere/token' },
      /^MUSTER_API_TOKEN_FILE names \/nowhere\/token, which cannot be read: there is no such file\.\n$/,
    ],
  ]
  for (const [title, env, sentence] of startErrors) {
    it(`does not start ${title}, and prints one sentence that explains why`, async () => {
      const { code, out, err } = await muster(['serve'], env)
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, sentence)
    })
  }

  it('does not start on a port in use, and prints one sentence that explains why', async () => {
    const portHolder = createServer().listen(0, '127.0.0.1')
    await once(portHolder, 'listening')
    const { port } = portHolder.address() as { port: number }
    const service = serve({ DATABASE_URL: unreachableUrl, PORT: String(port), MUSTER_LOG_LEVEL: 'silent' })
    assert.equal(await service.exitPromise, 1)
    assert.equal(service.output, `Port ${port} on 127.0.0.1 is already in use: stop the other process, or set PORT.\n`)
    portHolder.close()
  })
})
