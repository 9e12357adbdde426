/**
 * Tests that `each` returns all records or throws, needs constant memory, and ends the query when the caller stops
 * reading.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@muster/client'
import { openRelay } from '../../../tests/chaos/relay.ts'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../tests/support/database.ts'
import type { RunningService } from '../../../tests/support/service.ts'
import { startService } from '../../../tests/support/service.ts'
import { waitUntil } from '../../../tests/support/wait.ts'
import type { FaultyProxyOptions } from './support/faulty-proxy.ts'
import { openFaultyProxy } from './support/faulty-proxy.ts'
import type { Iteration } from './support/iterate.ts'

const rows = 100_000
const iterateScript = fileURLToPath(new URL('./support/iterate.ts', import.meta.url))

describe('a stream of records', () => {
  let database: TestDatabase
  let service: RunningService
  const cleanUpFunctions: (() => Promise<void>)[] = []
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into attendance (att_date, status) select date '2020-01-01' + n % 2000, 'present' from generate_series(1, ${rows}) n`,
    )
    service = await startService(database.url)
  })
  after(async () => {
    for (const close of cleanUpFunctions) await close()
    await service?.stop()
    await database?.drop()
  })

  /** A client whose connection is cut when `shouldCut` returns true. */
  const connectThroughRelay = async (shouldCut: (response: Buffer) => boolean) => {
    const relay = await openRelay({ to: service.port, shouldCut })
    cleanUpFunctions.push(() => relay.close())
    return createClient({ baseUrl: `http://127.0.0.1:${relay.port}/api` })
  }

  it(`delivers ${rows} records with one request, and the memory of the client does not grow with their number`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', iterateScript, service.baseUrl])
    const { records, requests, heapMb, seconds } = JSON.parse(stdout) as Iteration
    const [first = 0, ...rest] = heapMb
    console.log(`${records} records in ${seconds.toFixed(1)} s; heap after each tenth: ${heapMb.join(' ')} MB`)
    assert.equal(records, rows)
    assert.equal(requests, 1)
    assert.equal(heapMb.length, 10)
    // All records together would take about 20 MB.
    assert.ok(Math.max(...rest) < first + 4, heapMb.join(' '))
  })

  it('throws if the connection is cut', async () => {
    let bytes = 0
    const muster = await connectThroughRelay((response) => {
      bytes += response.length
      return bytes > 2_000_000
    })
    let count = 0
    await assert.rejects(
      async () => {
        for await (const { id } of muster.attendance.each()) count += id > 0 ? 1 : 0
      },
      ({ name, code, status, requestId, reason }) => {
        assert.deepEqual([name, code, status], ['MusterError', 'incomplete', 200])
        assert.match(requestId, /^[\w-]+$/)
        assert.equal(reason, `The stream ended after ${count} of ${rows} records.`)
        return true
      },
    )
    assert.ok(count > 1_000 && count < rows, String(count))
  })

  const connectThroughProxy = async (options: Omit<FaultyProxyOptions, 'targetPort'>) => {
    const proxy = await openFaultyProxy({ targetPort: service.port, ...options })
    cleanUpFunctions.push(() => proxy.close())
    return createClient({ baseUrl: proxy.baseUrl, timeoutMs: 1_500 })
  }
  const readAll = async (records: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of records);
  }

  it('throws if it ends early although the connection is not broken', async () => {
    const muster = await connectThroughProxy({ passedBytes: 500_000, afterwards: 'end' })
    await assert.rejects(readAll(muster.attendance.each()), ({ code, reason }) => {
      assert.match(reason, new RegExp(`^The stream ended after [1-9]\\d{3,} of ${rows} records\\.$`))
      return code === 'incomplete'
    })
  })

  it('throws if nothing arrives in time', async () => {
    const muster = await connectThroughProxy({ passedBytes: 500_000, afterwards: 'silence' })
    await assert.rejects(readAll(muster.attendance.each()), ({ code, cause }) => {
      return code === 'incomplete' && /Nothing received for 1500 ms/.test(cause.message)
    })
  })

  it('ends when its signal is aborted in the middle', async () => {
    const controller = new AbortController()
    const muster = createClient({ baseUrl: service.baseUrl })
    let count = 0
    await assert.rejects(
      async () => {
        for await (const _ of muster.attendance.each({}, { signal: controller.signal })) {
          count += 1
          if (count === 5_000) controller.abort()
        }
      },
      { name: 'AbortError' },
    )
    assert.ok(count < rows)
  })

  it('ends the query in the database when the caller stops reading', async () => {
    // More than the buffers of all connections hold, so that the export waits for its reader.
    await database.execute(
      `insert into organizations (name, slug, settings_json)
       select n, n, repeat('x', 100000) from generate_series(1, 300) n`,
    )
    const isRunning = () =>
      withClient(database.url, async (client) => {
        const { rowCount } = await client.query(
          `select from pg_stat_activity
           where datname = current_database() and state = 'active' and query ilike 'copy %organizations%'`,
        )
        return rowCount === 1
      })
    const muster = createClient({ baseUrl: service.baseUrl })
    const records = muster.organizations.each()
    try {
      assert.equal((await records.next()).done, false)
      await waitUntil('the export runs', isRunning)
    } finally {
      await records.return()
    }
    await waitUntil('the export is over', async () => !(await isRunning()))
  })

  it('may be empty', async () => {
    const muster = createClient({ baseUrl: service.baseUrl })
    assert.deepEqual(await muster.attendance.each({ status: 'nobody' }).next(), { done: true, value: undefined })
  })
})
