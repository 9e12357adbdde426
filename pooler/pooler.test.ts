/** The service through PgBouncer in transaction mode: the whole interface, and nothing left behind in sessions that others share. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestDatabase } from '../service/test/support/database.ts'
import { createSeededDatabase } from '../service/test/support/database.ts'
import { ask, post } from '../service/test/support/http.ts'
import type { Command } from '../service/test/support/process.ts'
import { runCommand } from '../service/test/support/process.ts'
import { token } from '../service/test/support/service.ts'
import type { Pooler } from './pgbouncer.ts'
import { startPgbouncer } from './pgbouncer.ts'

const sessions = 5
const root = fileURLToPath(new URL('..', import.meta.url))

describe('through PgBouncer in transaction mode', () => {
  let database: TestDatabase
  let pooler: Pooler
  let service: Command
  let base: string
  before(async () => {
    database = await createSeededDatabase()
    pooler = await startPgbouncer(database.url, sessions)
    service = serve({ DATABASE_POOLER: 'transaction' })
    const [, address] = await service.says(/Server listening at (http:\/\/[\d.:]+)/)
    await service.says(/its schema is this release/)
    base = `${address}/api`
  })
  after(async () => {
    service.signal('SIGTERM')
    await service.ended
    await pooler.stop()
    await database.drop()
  })

  const serve = (env: Record<string, string>): Command =>
    runCommand('muster.ts', ['serve'], { DATABASE_URL: pooler.url, MUSTER_API_TOKEN: token, PORT: '0', ...env })

  it('the acceptance suite passes', async () => {
    const suite = spawn(process.execPath, ['--test', 'acceptance/**/*.test.ts'], {
      cwd: root,
      env: { PATH: process.env.PATH, BASE_URL: base, MUSTER_API_TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    suite.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
    })
    const [code] = await once(suite, 'close')
    assert.equal(code, 0, said)
    assert.match(said, /pass \d{3,}/)
  })

  it('requests at once, more than there are sessions, are served', async () => {
    const paths = ['employees', 'employees/1', 'leave?status=pending', 'candidates?q=engineer', 'jobs?offset=10']
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => ask(`${base}/v1/${paths[index % paths.length]}`)),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  })

  it('a key makes one record of many creates at once', async () => {
    const send = () => post(`${base}/v1/leave`, { leave_type: 'annual' }, { 'idempotency-key': 'pooled' })
    const answers = await Promise.all(Array.from({ length: 50 }, send))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers[0]?.status, 201)
  })

  it('no setting of a create stays with the session', async () => {
    const clients = await Promise.all(
      Array.from({ length: sessions }, async () => {
        const client = new pg.Client({ connectionString: pooler.url })
        await client.connect()
        // In a transaction, so that each holds a session of its own.
        await client.query('begin')
        return client
      }),
    )
    const named = `select name, setting from pg_settings where name in ('synchronous_commit', 'client_min_messages') and source = 'session'`
    for (const client of clients) {
      assert.deepEqual((await client.query(named)).rows, [])
      await client.query('rollback')
      await client.end()
    }
  })

  it('the operator is told of the setting where it is missing', async () => {
    const plain = serve({})
    await plain.says(/takes no settings at the start of a session: set DATABASE_POOLER=transaction\./)
    plain.signal('SIGTERM')
    await plain.ended
  })

  it('nothing went wrong that nobody saw', () => {
    assert.doesNotMatch(service.said, /42P05|26000|the database did not serve|upkeep of the database failed/)
  })
})
