/** Too much at once: whose turn does not come is told so within half a second, and everybody else is served. */
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { resourceAt } from '@muster/model'
import pg from 'pg'
import { openBooks } from '../src/database/books.ts'
import { Problem } from '../src/errors.ts'
import { openGetter } from '../src/operations/get.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

const isOverloaded = (error: unknown): boolean => error instanceof Problem && error.code === 'overloaded'

describe('too much at once', () => {
  let database: TestDatabase
  let service: RunningService
  let holder: pg.Client
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  beforeEach(async () => {
    holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
  })
  afterEach(() => holder.end())

  const timed = async (path: string) => {
    const start = performance.now()
    const answer = await ask(`${service.base}${path}`)
    return { ...answer, json: answer.json, ms: performance.now() - start }
  }

  it('is refused by waiting time, while plain lists and health are answered', async () => {
    await holder.query('begin; lock table candidates in access exclusive mode')
    const searches = Array.from({ length: 30 }, (_, number) => timed(`/v1/candidates?q=nobody${number}`))
    const others: number[] = []
    let isOver = false
    const watch = async (path: string): Promise<void> => {
      while (!isOver) {
        const { status, ms } = await timed(path)
        assert.equal(status, 200)
        others.push(ms)
      }
    }
    const watching = ['/v1/employees?limit=5', '/v1/health'].map(watch)
    const answers = await Promise.all(searches)
    isOver = true
    await Promise.all(watching)
    await holder.query('rollback')
    const refused = answers.filter(({ json }) => json.error.code === 'overloaded')
    // One client may use one of the two slots, and one search holds it, waiting for the lock.
    assert.equal(refused.length, 29)
    for (const { status, headers, ms } of refused) {
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
      assert.ok(ms < 1_000, `a refusal took ${ms} ms`)
    }
    assert.ok(Math.max(...others) < 500, `a plain answer took ${Math.max(...others)} ms`)
    assert.equal((await timed('/v1/candidates?q=nobody1')).status, 200)
  })

  it('fills no queue without end: what finds a thousand waiting is refused at once', async () => {
    await holder.query('begin; lock table candidates in access exclusive mode')
    const run = () => service.database.run({ pool: 'search', text: 'select from candidates', values: [] })
    const waiting = Array.from({ length: 1_002 }, () => assert.rejects(run()))
    const start = performance.now()
    await assert.rejects(run(), isOverloaded)
    assert.ok(performance.now() - start < 250, `the refusal took ${performance.now() - start} ms`)
    await Promise.all(waiting)
  })

  it('fills no queue for the books either', async () => {
    await holder.query('begin; lock table muster_ledger in access exclusive mode')
    const books = openBooks(service.database)
    const waiting = Array.from({ length: 10_001 }, () => assert.rejects(books.versions()))
    await assert.rejects(books.versions(), isOverloaded)
    await holder.query('rollback')
    await Promise.allSettled(waiting)
  })

  it('limits the queue for records by id too', async () => {
    await holder.query('begin; lock table candidates in access exclusive mode')
    const get = openGetter(service.database, resourceAt('candidates'))
    // Two statements run, one id each; all other ids wait for the next.
    const waiting = Array.from({ length: 10_002 }, (_, id) => assert.rejects(get(BigInt(id))))
    const start = performance.now()
    await assert.rejects(get(20_000n), isOverloaded)
    assert.ok(performance.now() - start < 250, `the refusal took ${performance.now() - start} ms`)
    await Promise.all(waiting)
    await holder.query('rollback')
  })

  it('is not what two hundred connections of one honest client are', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 200 })
    const read = (number: number): Promise<number> =>
      new Promise((resolve, reject) => {
        get(`${service.base}/v1/attendance?limit=20&offset=${(number % 10) * 20}`, { agent }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
        }).on('error', reject)
      })
    for (let number = 0; number < 10; number += 1) await read(number)
    const statuses = await Promise.all(Array.from({ length: 2_000 }, (_, number) => read(number)))
    agent.destroy()
    assert.deepEqual(new Set(statuses), new Set([200]))
  })
})
