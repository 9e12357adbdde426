/** Tests the end of a streamed COPY: a cancellation never stops a later statement of the same session. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import type { CopyOptions } from '../../src/postgres/connection/copy-stream.ts'
import { streamCopy } from '../../src/postgres/connection/copy-stream.ts'

const statements = {
  readHead: async () => undefined,
  rowsText: () => 'copy (select generate_series(1, 3)) to stdout',
}

describe('a streamed COPY', () => {
  let database: TestDatabase
  let pool: pg.Pool
  before(async () => {
    database = await createTestDatabase()
    pool = new pg.Pool({ connectionString: database.url, max: 1 })
  })
  after(async () => {
    await pool.end()
    await database.drop()
  })

  it('ends its transaction after a cancellation that was sent while the last rows were read', async () => {
    const disconnection = new AbortController()
    let cancelledPid: number | undefined
    const options: CopyOptions<undefined> = {
      signal: disconnection.signal,
      open: ({ rows }) => rows.on('end', () => disconnection.abort()).resume(),
      // The cancellation takes effect some time after it was sent.
      cancel: async ({ backendPid }) => {
        await pause(200)
        await withClient(database.url, (client) => client.query('select pg_cancel_backend($1)', [backendPid]))
        cancelledPid = backendPid
      },
    }
    await streamCopy(pool, statements, options)
    const { rows } = await pool.query('select pg_backend_pid() as pid, pg_sleep(0.5)')
    assert.equal(rows[0].pid, cancelledPid)
  })
})
