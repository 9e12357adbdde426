/** What the log says of answers: one line for each, whichever way it went, and nothing of what was asked for. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createTestDatabase } from './support/database.ts'
import type { Answer } from './support/http.ts'
import { ask, post } from './support/http.ts'
import { runCommand } from './support/process.ts'
import { end, listening, serve } from './support/served.ts'
import { token } from './support/service.ts'
import { until } from './support/until.ts'

interface Line {
  readonly msg: string
  readonly id: string
}

describe('the log', () => {
  it('has a line for every answer, from memory or not, by the pattern of the address', async () => {
    const database = await createTestDatabase()
    const service = runCommand('muster.ts', ['serve'], { PORT: '0', DATABASE_URL: database.url })
    const [, host] = await service.says(/Server listening at (http:\/\/[\d.:]+)/)
    await service.says(/The database answers/)
    const asked = new Map<string, [method: string, route: string, status: number]>()
    const send = async (path: string, route: string, status: number, init: RequestInit = {}): Promise<void> => {
      const answer = await ask(`${host}${path}`, init)
      assert.equal(answer.status, status, path)
      asked.set(answer.headers.get('x-request-id') ?? '', [init.method ?? 'GET', route, status])
    }
    for (let round = 0; round < 400; round += 1) {
      await send('/api/v1/departments?q=secret', '/api/v1/departments', 200)
      if (round % 40 !== 0) continue
      await send('/api/v1/departments?q=secret', '/api/v1/departments', 200, { method: 'HEAD' })
      await send('/api/v1/departments?q=secret', '/api/v1/departments', 304, { headers: { 'if-none-match': '*' } })
      await send('/api/v1/departments/77', '/api/v1/departments/:item_id', 404)
    }
    service.signal('SIGTERM')
    assert.equal(await service.ended, 0)
    const lines = service.said
      .split('\n')
      .filter((line) => line.includes('"answered"'))
      .map((line) => JSON.parse(line) as Line & Record<string, unknown>)
    assert.equal(lines.length, asked.size)
    for (const { id, ...line } of lines) {
      assert.deepEqual(Object.keys(line), [
        'level',
        'time',
        'pid',
        'hostname',
        'method',
        'route',
        'status',
        'ms',
        'rows',
        'cache',
        'msg',
      ])
      assert.deepEqual([line.method, line.route, line.status], asked.get(id))
    }
    assert.doesNotMatch(service.said, /secret/)
    await database.drop()
  })

  it('tells how many records an answer holds, and whether they came from memory', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('A'), ('B'), ('C')`)
    const service = serve({ ...database.env, MUSTER_API_TOKEN: token })
    const departments = `${await listening(service)}/api/v1/departments`
    await service.says(/The database answers/)
    const told = async (answer: Answer): Promise<unknown[]> => {
      const id = answer.headers.get('x-request-id')
      const [, rows, cache] = await service.says(new RegExp(`"id":"${id}".*"rows":(\\d+),"cache":"(\\w+)"`))
      return [answer.status, Number(rows), cache]
    }
    const get = async (query: string, headers: Record<string, string> = {}) =>
      told(await ask(`${departments}${query}`, { headers }))
    // Kept when it is asked for again, and answered from memory from then on.
    assert.deepEqual(await get('?limit=2'), [200, 2, 'miss'])
    assert.deepEqual(await get('?limit=2'), [200, 2, 'miss'])
    assert.deepEqual(await get('?limit=2'), [200, 2, 'hit'])
    assert.deepEqual(await get('?limit=2&offset=2'), [200, 1, 'miss'])
    assert.deepEqual(await get('?limit=2&offset=99999999999999999999'), [200, 0, 'miss'])
    assert.deepEqual(await get('/1'), [200, 1, 'miss'])
    assert.deepEqual(await get('?limit=2', { 'if-none-match': '*' }), [304, 0, 'not_modified'])
    const { headers } = await ask(`${departments}?limit=1`)
    assert.deepEqual(await get('?limit=1', { 'if-none-match': headers.get('etag') ?? '' }), [304, 0, 'not_modified'])
    assert.deepEqual(await get('?limit=none'), [422, 0, 'none'])
    assert.deepEqual(await get('/4'), [404, 0, 'none'])
    const leave = departments.replace('departments', 'leave')
    assert.deepEqual(await told(await post(leave, { leave_type: 'annual' })), [201, 1, 'none'])
    await end(service)
    await database.drop()
  })

  it('does not hold up the service, nor fill its memory, where nobody reads it', async () => {
    const output = fileURLToPath(new URL('../src/line-output.ts', import.meta.url))
    const script = `
      const { LineOutput } = await import(${JSON.stringify(output)})
      const lines = new LineOutput(1)
      const before = process.memoryUsage().rss
      for (let line = 0; line < 1_000; line += 1) {
        lines.write('x'.repeat(99_999) + '\\n')
        if (line % 100 === 0) await new Promise(setImmediate)
      }
      process.stderr.write('grew ' + (process.memoryUsage().rss - before))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
    const [text] = (await once(child.stderr.setEncoding('utf8'), 'data')) as [string]
    child.kill('SIGKILL')
    assert.ok(Number(/grew (\d+)/.exec(text)?.[1]) < 60_000_000, text)
  })
})

describe('the log of an export', () => {
  it('has the line of the response for HEAD, and nothing for a reader that goes away', async (context) => {
    const database = await createTestDatabase()
    await database.execute(
      `insert into departments (name) select repeat('x', 2000) || n from generate_series(1, 10000) n`,
    )
    const service = serve({ ...database.env })
    const locker = new pg.Client({ connectionString: database.url })
    const observer = new pg.Client({ connectionString: database.url })
    await locker.connect()
    await observer.connect()
    context.after(async () => {
      await locker.end()
      await observer.end()
      service.signal('SIGKILL')
      await service.ended
      await database.drop()
    })
    const departments = `${await listening(service)}/api/v1/departments`
    await service.says(/The database answers/)
    const from = service.said.length
    for (const format of ['csv', 'ndjson']) {
      const head = await ask(`${departments}?format=${format}`, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text, head.headers.get('x-total-count')], [200, '', '10000'])
      assert.equal(head.headers.get('content-length'), null)
    }
    const open = (query: string) => {
      const sent = request(`${departments}?format=csv${query}`, { agent: false }).end()
      sent.on('error', () => {})
      return sent
    }
    // One that goes away in the middle of the file, and one before its first byte.
    const reading = open('')
    const [response] = (await once(reading, 'response')) as [IncomingMessage]
    response.on('error', () => {})
    reading.destroy()
    await locker.query('begin; lock table departments in access exclusive mode')
    const waiting = open('&q=x')
    const locks = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await observer.query(locks)).rowCount === 1)
    waiting.destroy()
    await until(async () => (await observer.query(locks)).rowCount === 0)
    await locker.query('rollback')
    await ask(`${departments}?limit=1`)
    await service.says(/"rows":1,.*"answered"/)
    const lines = service.said.slice(from).trim().split('\n')
    assert.deepEqual(
      lines.filter((line) => !line.includes('"msg":"answered"')),
      [],
    )
    // Two for HEAD and one for the list.
    assert.equal(lines.length, 3)
  })
})
