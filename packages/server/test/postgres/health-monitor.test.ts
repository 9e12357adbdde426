import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

describe('a health check that gets no response', () => {
  let database: TestDatabase
  let service: RunningService
  let session: pg.Client
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    session = new pg.Client({ connectionString: database.url })
    await session.connect()
  })
  after(async () => {
    await session.end()
    await service.stop()
    await database.drop()
  })

  const readyStatus = async (): Promise<number> => (await sendRequest(service.baseUrl.replace(/api$/, 'readyz'))).status

  /** Blocks health checks, which read this table, until the transaction ends. */
  const blockChecks = () => session.query('begin; lock table muster_migrations in access exclusive mode')

  it('is repeated before the service stops serving', async () => {
    const checks = new Set<string>()
    const readChecks = async () => {
      const rows = await database.query<{ check: string }>(
        `select pid || ' ' || query_start as check from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%muster_migrations%'`,
      )
      for (const { check } of rows) checks.add(check)
    }
    await blockChecks()
    await waitUntil('a second check has started', async () => {
      await readChecks()
      return checks.size === 2
    })
    assert.equal(await readyStatus(), 200)
    await session.query('rollback')
    assert.equal((await sendRequest(`${service.baseUrl}/v1/employees`)).status, 200)
  })

  it('makes the service unavailable if the repeated check gets none either', async () => {
    await blockChecks()
    await waitUntil('the service is not ready', async () => (await readyStatus()) === 503)
    assert.equal((await sendRequest(`${service.baseUrl}/v1/employees`)).status, 503)
    await session.query('rollback')
    await waitUntil('the service is ready', async () => (await readyStatus()) === 200)
  })
})
