/** The whole API works through PgBouncer in transaction mode, and no setting stays behind in a shared session. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestDatabase } from '../support/database.ts'
import { createSeededDatabase } from '../support/database.ts'
import type { HttpResponse } from '../support/http.ts'
import { post, sendRequest } from '../support/http.ts'
import type { Pgbouncer } from '../support/pgbouncer.ts'
import { startPgbouncer } from '../support/pgbouncer.ts'
import type { Command } from '../support/process.ts'
import { runCommand } from '../support/process.ts'
import { token } from '../support/service.ts'

const sessionCount = 5
/** On a busy machine, requests may wait too long for one of the few sessions. They are then sent again. */
const repeatIfOverloaded = async (send: () => Promise<HttpResponse>): Promise<HttpResponse> => {
  let response = await send()
  for (let repeats = 0; repeats < 20 && response.status === 503; repeats += 1) response = await send()
  return response
}

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('a service behind PgBouncer in transaction mode', () => {
  let database: TestDatabase
  let pgbouncer: Pgbouncer
  let service: Command
  let baseUrl: string
  before(async () => {
    database = await createSeededDatabase()
    pgbouncer = await startPgbouncer(database.url, sessionCount)
    service = serve({ DATABASE_POOLER: 'transaction' })
    const [, origin] = await service.waitForOutput(/Server listening at (http:\/\/[\d.:]+)/)
    await service.waitForOutput(/its schema is up to date/)
    baseUrl = `${origin}/api`
  })
  after(async () => {
    service.signal('SIGTERM')
    await service.exitPromise
    await pgbouncer.stop()
    await database.drop()
  })

  const serve = (env: Record<string, string>): Command =>
    runCommand('muster.ts', ['serve'], { DATABASE_URL: pgbouncer.url, MUSTER_API_TOKEN: token, PORT: '0', ...env })

  it('passes the acceptance tests', async () => {
    const testProcess = spawn(process.execPath, ['--test', '--test-concurrency=1', 'tests/acceptance/**/*.test.ts'], {
      cwd: root,
      env: { PATH: process.env.PATH, BASE_URL: baseUrl, MUSTER_API_TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    testProcess.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    const [code] = await once(testProcess, 'close')
    assert.equal(code, 0, `${output}\nThe log of the service:\n${service.output}`)
    assert.match(output, /pass \d{3,}/)
  })

  it('serves more concurrent requests than PgBouncer has database sessions', async () => {
    const paths = ['employees', 'employees/1', 'leave?status=pending', 'candidates?q=engineer', 'jobs?offset=10']
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        repeatIfOverloaded(() => sendRequest(`${baseUrl}/v1/${paths[index % paths.length]}`)),
      ),
    )
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  })

  it('stores one record for concurrent create requests with the same idempotency key', async () => {
    const sendCreate = () => post(`${baseUrl}/v1/leave`, { leave_type: 'annual' }, { 'idempotency-key': 'pooled' })
    const responses = await Promise.all(Array.from({ length: 50 }, () => repeatIfOverloaded(sendCreate)))
    assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
    assert.equal(responses[0]?.status, 201)
  })

  it('leaves no setting of a create request behind in a database session', async () => {
    const clients = await Promise.all(
      Array.from({ length: sessionCount }, async () => {
        const client = new pg.Client({ connectionString: pgbouncer.url })
        await client.connect()
        // In transaction mode, an open transaction gives each client its own session.
        await client.query('begin')
        return client
      }),
    )
    const sessionSettingsSql = `select name, setting from pg_settings where name in ('synchronous_commit', 'client_min_messages') and source = 'session'`
    for (const client of clients) {
      assert.deepEqual((await client.query(sessionSettingsSql)).rows, [])
      await client.query('rollback')
      await client.end()
    }
  })

  it('logs which setting to add if DATABASE_POOLER is missing', async () => {
    const misconfiguredService = serve({})
    await misconfiguredService.waitForOutput(/rejects session settings: set DATABASE_POOLER=transaction\./)
    misconfiguredService.signal('SIGTERM')
    await misconfiguredService.exitPromise
  })

  it('logs no statement errors', () => {
    const statementError = /"code":"(42P05|26000)"|the database did not complete a request|database maintenance failed/
    assert.deepEqual(
      service.output.split('\n').filter((line) => statementError.test(line)),
      [],
    )
  })
})
