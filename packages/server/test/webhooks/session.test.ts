import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { runnerOf } from '../../src/webhooks/webhooks.ts'

const timeoutMs = 1_000

describe('the statements of all endpoints', () => {
  let database: TestDatabase
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url, query_timeout: timeoutMs })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  const sleep = (seconds: number) => ({
    pool: 'write' as const,
    summary: 'sleep',
    text: 'select pg_sleep($1)',
    values: [seconds],
  })

  it('share a session, and the time limit of each begins when it is sent', async () => {
    const warnings: string[] = []
    const onWarning = ({ message }: Error) => warnings.push(message)
    process.on('warning', onWarning)
    const { run } = runnerOf(client)
    await Promise.all(Array.from({ length: 3 }, () => run(sleep(0.5))))
    process.off('warning', onWarning)
    assert.deepEqual(warnings, [])
  })

  it('all fail when one gets no response in time', async () => {
    const { run } = runnerOf(client)
    const startedAt = performance.now()
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => run(sleep(60))))
    assert.ok(results.every(({ status }) => status === 'rejected'))
    assert.ok(performance.now() - startedAt < 2 * timeoutMs)
  })
})
