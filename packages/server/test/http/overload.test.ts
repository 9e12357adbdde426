import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { resourceAt } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { Problem } from '../../src/errors.ts'
import { maxPatient } from '../../src/postgres/connection/wait-limit.ts'
import { openTableVersions } from '../../src/postgres/row-counts/table-versions.ts'
import { openGetter } from '../../src/queries/get.ts'

/** All of these promises must reject. `settledCount` tells how many of them have done so. */
const countSettled = (promises: readonly Promise<unknown>[]) => {
  let count = 0
  const waitingResults = promises.map(async (promise) => {
    await assert.rejects(promise)
    count += 1
  })
  return { waitingResults, settledCount: () => count }
}

const isOverloaded = (error: unknown): boolean => error instanceof Problem && error.code === 'overloaded'

describe('overload protection', () => {
  let database: TestDatabase
  let service: RunningService
  let lockHolder: pg.Client
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  beforeEach(async () => {
    lockHolder = new pg.Client({ connectionString: database.url })
    await lockHolder.connect()
  })
  afterEach(() => lockHolder.end())

  const sendTimed = async (path: string) => {
    const start = performance.now()
    const response = await sendRequest(`${service.baseUrl}${path}`)
    return { ...response, json: response.json, ms: performance.now() - start }
  }

  it('rejects searches after half a second while many wait, and serves lists and health checks', async () => {
    const paths = ['/v1/employees?limit=5', '/v1/health']
    /** The time of each request while nothing waits. */
    const usualMs = await Promise.all(
      paths.map(async (path) =>
        Math.max(...(await Promise.all([path, path, path, path].map(sendTimed))).map(({ ms }) => ms)),
      ),
    )
    await lockHolder.query('begin; lock table candidates in access exclusive mode')
    const searches = Array.from({ length: 60 }, (_, number) => sendTimed(`/v1/candidates?q=nobody${number}`))
    let isOver = false
    /** Returns the time that 90 % of the requests took at most. */
    const pollUntilOver = async (path: string): Promise<number> => {
      const times: number[] = []
      while (!isOver) {
        const { status, ms } = await sendTimed(path)
        assert.equal(status, 200)
        times.push(ms)
      }
      return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.9)] ?? 0
    }
    const polling = paths.map(pollUntilOver)
    // One client may use only one of the two slots of the search pool, and a search that waits for the lock occupies it.
    const expectedCount = searches.length - 1 - maxPatient
    const rejections: Awaited<(typeof searches)[number]>[] = []
    const areRejected = Promise.withResolvers<void>()
    for (const search of searches)
      search.then((response) => {
        rejections.push(response)
        if (rejections.length === expectedCount) areRejected.resolve()
      }, areRejected.reject)
    await areRejected.promise
    isOver = true
    const pollingMs = await Promise.all(polling)
    await lockHolder.query('rollback')
    await Promise.all(searches)
    for (const { status, headers, json, ms } of rejections.slice(0, expectedCount)) {
      assert.deepEqual([status, headers.get('retry-after'), json.error.code], [503, '1', 'overloaded'])
      assert.ok(ms < 1_900, `a rejection took ${ms} ms`)
    }
    for (const [index, ms] of pollingMs.entries())
      assert.ok(
        ms < 500 + 5 * (usualMs[index] ?? 0),
        `90 % of ${paths[index]} took up to ${ms} ms, usually ${usualMs[index]} ms`,
      )
    assert.equal((await sendTimed('/v1/candidates?q=nobody1')).status, 200)
  })

  it('rejects a statement immediately if a thousand others are waiting', async () => {
    await lockHolder.query('begin; lock table candidates in access exclusive mode')
    const runStatement = () => service.database.run({ pool: 'search', text: 'select from candidates', values: [] })
    const { waitingResults, settledCount } = countSettled(Array.from({ length: 1_002 }, runStatement))
    await assert.rejects(runStatement(), isOverloaded)
    assert.equal(settledCount(), 0)
    await lockHolder.query('rollback')
    await Promise.allSettled(waitingResults)
  })

  it('limits the number of requests that wait for the table versions', async () => {
    await lockHolder.query('begin; lock table muster_table_versions in access exclusive mode')
    const versions = openTableVersions(service.database)
    const waitingResults = Array.from({ length: 10_001 }, () => assert.rejects(versions.read()))
    await assert.rejects(versions.read(), isOverloaded)
    await lockHolder.query('rollback')
    await Promise.allSettled(waitingResults)
  })

  it('limits the number of reads by id that may wait in the queue', async () => {
    await lockHolder.query('begin; lock table candidates in access exclusive mode')
    const getRecord = openGetter(service.database, resourceAt('candidates'))
    // Two statements run and read one id each. All other ids wait to be read together by the next statement.
    const { waitingResults, settledCount } = countSettled(
      Array.from({ length: 10_002 }, (_, id) => getRecord(BigInt(id))),
    )
    await assert.rejects(getRecord(20_000n), isOverloaded)
    assert.equal(settledCount(), 0)
    await Promise.all(waitingResults)
    await lockHolder.query('rollback')
  })

  it('rejects no request from two hundred connections of one client', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 200 })
    const getStatus = (number: number): Promise<number> =>
      new Promise((resolve, reject) => {
        get(`${service.baseUrl}/v1/attendance?limit=20&offset=${(number % 10) * 20}`, { agent }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0))
        }).on('error', reject)
      })
    for (let number = 0; number < 10; number += 1) await getStatus(number)
    const statuses = await Promise.all(Array.from({ length: 2_000 }, (_, number) => getStatus(number)))
    agent.destroy()
    assert.deepEqual(new Set(statuses), new Set([200]))
  })
})
