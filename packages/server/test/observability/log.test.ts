import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

interface LogLine {
  readonly msg: string
  readonly id: string
}

describe('the log', () => {
  it('has a line with the route pattern for every response, cached or not', async () => {
    const database = await createTestDatabase()
    const service = runCommand('muster.ts', ['serve'], { PORT: '0', DATABASE_URL: database.url })
    const [, origin] = await service.waitForOutput(/Server listening at (http:\/\/[\d.:]+)/)
    await service.waitForOutput(/The database is available/)
    const expected = new Map<string, [method: string, route: string, status: number]>()
    const send = async (path: string, route: string, status: number, init: RequestInit = {}): Promise<void> => {
      const response = await sendRequest(`${origin}${path}`, init)
      assert.equal(response.status, status, path)
      expected.set(response.headers.get('x-request-id') ?? '', [init.method ?? 'GET', route, status])
    }
    for (let round = 0; round < 400; round += 1) {
      await send('/api/v1/departments?q=secret', '/api/v1/departments', 200)
      if (round % 40 !== 0) continue
      await send('/api/v1/departments?q=secret', '/api/v1/departments', 200, { method: 'HEAD' })
      await send('/api/v1/departments?q=secret', '/api/v1/departments', 304, { headers: { 'if-none-match': '*' } })
      await send('/api/v1/departments/77', '/api/v1/departments/:item_id', 404)
    }
    service.signal('SIGTERM')
    assert.equal(await service.exitPromise, 0)
    const lines = service.output
      .split('\n')
      .filter((line) => line.includes('"request completed"'))
      .map((line) => JSON.parse(line) as LogLine & Record<string, unknown>)
    assert.equal(lines.length, expected.size)
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
      assert.deepEqual([line.method, line.route, line.status], expected.get(id))
    }
    assert.doesNotMatch(service.output, /secret/)
    await database.drop()
  })

  it('contains the number of records in each response and its cache outcome', async () => {
    const database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('A'), ('B'), ('C')`)
    const service = await startInProcess({ ...database.env, MUSTER_API_TOKEN: token })
    const departmentsUrl = `${service.origin}/api/v1/departments`
    await service.waitForOutput(/The database is available/)
    const loggedFieldsOf = async (response: HttpResponse): Promise<unknown[]> => {
      const id = response.headers.get('x-request-id')
      const [, rows, cache] = await service.waitForOutput(new RegExp(`"id":"${id}".*"rows":(\\d+),"cache":"(\\w+)"`))
      return [response.status, Number(rows), cache]
    }
    const get = async (query: string, headers: Record<string, string> = {}) =>
      loggedFieldsOf(await sendRequest(`${departmentsUrl}${query}`, { headers }))
    assert.deepEqual(await get('?limit=2'), [200, 2, 'miss'])
    // The second request is a miss too, unless the first took so long that its response was cached at once.
    await get('?limit=2')
    assert.deepEqual(await get('?limit=2'), [200, 2, 'hit'])
    assert.deepEqual(await get('?limit=2&offset=2'), [200, 1, 'miss'])
    assert.deepEqual(await get('?limit=2&offset=99999999999999999999'), [200, 0, 'miss'])
    assert.deepEqual(await get('/1'), [200, 1, 'miss'])
    assert.deepEqual(await get('?limit=2', { 'if-none-match': '*' }), [304, 0, 'not_modified'])
    const { headers } = await sendRequest(`${departmentsUrl}?limit=1`)
    assert.deepEqual(await get('?limit=1', { 'if-none-match': headers.get('etag') ?? '' }), [304, 0, 'not_modified'])
    assert.deepEqual(await get('?limit=none'), [422, 0, 'none'])
    assert.deepEqual(await get('/4'), [404, 0, 'none'])
    const leaveUrl = departmentsUrl.replace('departments', 'leave')
    assert.deepEqual(await loggedFieldsOf(await post(leaveUrl, { leave_type: 'annual' })), [201, 1, 'none'])
    await service.stop()
    await database.drop()
  })

  it('neither blocks the service nor fills its memory if no process reads it', async () => {
    const writerModule = fileURLToPath(new URL('../../src/observability/buffered-writer.ts', import.meta.url))
    const writerScript = `
      const { BufferedWriter } = await import(${JSON.stringify(writerModule)})
      const writer = new BufferedWriter(1)
      const before = process.memoryUsage().rss
      for (let line = 0; line < 3_000; line += 1) {
        writer.write('x'.repeat(99_999) + '\\n')
        if (line % 100 === 0) await new Promise(setImmediate)
      }
      process.stderr.write('grew ' + (process.memoryUsage().rss - before))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', writerScript], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [text] = (await once(child.stderr.setEncoding('utf8'), 'data')) as [string]
    child.kill('SIGKILL')
    assert.ok(Number(/grew (\d+)/.exec(text)?.[1]) < 150_000_000, text)
  })
})

describe('the log of an export', () => {
  it('has a line for a response to HEAD, but none if the client disconnects', async (context) => {
    const database = await createTestDatabase()
    await database.execute(
      // The large column is not searched, so that the insert is fast.
      `insert into organizations (name, slug, settings_json)
       select 'x' || n, n, repeat('x', 100000) from generate_series(1, 200) n`,
    )
    const service = await startInProcess({ ...database.env })
    const lockHolder = new pg.Client({ connectionString: database.url })
    const observer = new pg.Client({ connectionString: database.url })
    await lockHolder.connect()
    await observer.connect()
    context.after(async () => {
      await lockHolder.end()
      await observer.end()
      await service.stop()
      await database.drop()
    })
    const organizationsUrl = `${service.origin}/api/v1/organizations`
    await service.waitForOutput(/The database is available/)
    const outputStart = service.output.length
    for (const format of ['csv', 'ndjson']) {
      const headResponse = await sendRequest(`${organizationsUrl}?format=${format}`, { method: 'HEAD' })
      assert.deepEqual(
        [headResponse.status, headResponse.text, headResponse.headers.get('x-total-count')],
        [200, '', '200'],
      )
      assert.equal(headResponse.headers.get('content-length'), null)
    }
    const startExport = (query: string) => {
      const exportRequest = request(`${organizationsUrl}?format=csv${query}`, { agent: false }).end()
      exportRequest.on('error', () => {})
      return exportRequest
    }
    // One client disconnects during its export, and one before the first byte of its export.
    const runningExport = startExport('')
    const [response] = (await once(runningExport, 'response')) as [IncomingMessage]
    response.on('error', () => {})
    runningExport.destroy()
    await lockHolder.query('begin; lock table organizations in access exclusive mode')
    const waitingExport = startExport('&q=x')
    const lockWaitsSql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query not like '%muster_maintain%'`
    await waitUntil('the export waits', async () => (await observer.query(lockWaitsSql)).rowCount === 1)
    waitingExport.destroy()
    await waitUntil('its query has ended', async () => (await observer.query(lockWaitsSql)).rowCount === 0)
    await lockHolder.query('rollback')
    await sendRequest(`${organizationsUrl}?limit=1`)
    await service.waitForOutput(/"rows":1,.*"request completed"/)
    const lines = service.output.slice(outputStart).trim().split('\n')
    assert.deepEqual(
      lines.filter((line) => !line.includes('"msg":"request completed"')),
      [],
    )
    // The log has two lines for the HEAD requests and one for the list, but none for the exports.
    assert.equal(lines.length, 3)
  })
})
