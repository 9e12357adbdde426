/** Tests that no part of a secret leaks into the trace-level log, responses, metrics, the database or command lines. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { resources } from '@muster/model'
import pg from 'pg'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { messages } from '../../../../tests/support/messages.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { sendMessage } from '../../../../tests/support/raw-connection.ts'
import { readMetricsUrl } from '../../../../tests/support/scrape.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

const randomSecret = (): string => randomBytes(32).toString('hex')
const tokens = { write: randomSecret(), previous: randomSecret(), read: randomSecret() }
/** A wrong token in a request must not leak either, because it may be a valid token with a typing error. */
const wrongToken = randomSecret()
const redisPassword = randomSecret()
const sentTokens = [...Object.values(tokens), wrongToken]
const secrets = [...sentTokens, redisPassword]
const secretSlices = new Set(
  secrets.flatMap((secret) => Array.from({ length: secret.length - 11 }, (_, at) => secret.slice(at, at + 12))),
)
/** The first 12 consecutive characters of the text that also occur in a secret. Secrets have only hexadecimal digits. */
const findLeak = (text: string): string | undefined => {
  for (const [digits] of text.matchAll(/[0-9a-f]{12,}/g))
    for (let at = 0; at + 12 <= digits.length; at += 1)
      if (secretSlices.has(digits.slice(at, at + 12))) return digits.slice(at, at + 12)
  return undefined
}

const readCommandLines = (): string =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')

const allRowsAsText = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  let storedText = ''
  for (const { name } of rows) storedText += JSON.stringify((await client.query(`select t::text from ${name} t`)).rows)
  await client.end()
  return storedText
}

describe('tokens', () => {
  it('never leak 12 or more consecutive characters into responses, metrics, the log, the database or command lines', async (test) => {
    const database = await createTestDatabase()
    const service = runCommand('muster.ts', ['serve'], {
      DATABASE_URL: database.url,
      PORT: '0',
      MUSTER_LOG_LEVEL: 'trace',
      MUSTER_READS: 'redacted',
      MUSTER_API_TOKEN: tokens.write,
      MUSTER_API_TOKEN_PREVIOUS: tokens.previous,
      MUSTER_READ_TOKEN: tokens.read,
      MUSTER_RATE_LIMIT_AUTH_FAILURES: '100000',
      MUSTER_METRICS_PORT: '0',
    })
    test.after(async () => {
      service.signal('SIGKILL')
      await database.drop()
    })
    const [, origin = ''] = await service.waitForOutput(/listening at (http:\/\/[\d.:]+)/)
    await service.waitForOutput(/its schema is up to date/)
    let responseTexts = ''
    let responseCount = 0
    const collectResponse = (text: string, headers: Iterable<[string, string]>): void => {
      responseCount += 1
      responseTexts += `${text}\n${JSON.stringify([...headers])}\n`
    }
    const send = async (path: string, init: RequestInit): Promise<number> => {
      const { status, text, headers } = await sendRequest(`${origin}${path}`, init)
      collectResponse(text, headers)
      return status
    }
    const bodies = [
      '{"leave_type":"canary"}',
      '{"name":"Canary","slug":"canary"}',
      '{',
      '[]',
      '',
      '{"organization_id":1}',
    ]
    const statuses = new Set<number>()
    for (const secret of sentTokens) {
      const headers = {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        cookie: `token=${secret}`,
        'x-api-key': secret,
      }
      for (const { path } of resources) {
        for (const suffix of ['', '/1', `?token=${secret}`, '?limit=x', '/%ff'])
          statuses.add(await send(`/api/v1/${path}${suffix}`, { headers }))
        for (const body of bodies)
          statuses.add(await send(`/api/v1/${path}?access_token=${secret}`, { method: 'POST', headers, body }))
      }
      for (const path of ['/api', '/api/openapi.json', '/swagger.json', '/livez', `/nowhere/${secret}`])
        statuses.add(await send(path, { headers }))
      for (const [, bytes] of messages) {
        const message = bytes
          .replace('\r\n\r\n', `\r\nX-Token: ${secret}\r\n\r\n`)
          .replace(/Bearer [^\r]+/, `Bearer ${secret}`)
        for (const { status, headers: responseHeaders, body } of await sendMessage(
          Number(new URL(origin).port),
          message,
        )) {
          statuses.add(status)
          collectResponse(body, responseHeaders)
        }
      }
    }
    for (const status of [200, 201, 400, 401, 404, 405, 422, 431]) assert.ok(statuses.has(status), String(status))
    service.signal('SIGHUP')
    await service.waitForOutput(/tokens were reloaded/)
    const runningCommands = readCommandLines()
    const storedText = await allRowsAsText(database.url)
    const metricsUrl = await readMetricsUrl(service)
    const { text: metrics } = await sendRequest(metricsUrl)
    assert.match(metrics, /^muster_http_requests_total/m)
    service.signal('SIGTERM')
    assert.equal(await service.exitPromise, 0)
    await assert.rejects(sendRequest(metricsUrl))
    assert.ok(responseCount > 1_000 && service.output.split('\n').length > 500 && storedText.includes('canary'))
    assert.match(runningCommands, /muster\.ts/)
    const texts = {
      responses: responseTexts,
      metrics,
      log: service.output,
      database: storedText,
      commands: runningCommands,
    }
    for (const [source, text] of Object.entries(texts)) assert.equal(findLeak(text), undefined, source)
  })

  it('are detected by this test in text that contains 12 consecutive characters of one of them', () => {
    assert.equal(findLeak(`somewhere ${tokens.read.slice(20, 32)} else`), tokens.read.slice(20, 32))
    assert.equal(findLeak(`somewhere ${tokens.read.slice(20, 31)} else`), undefined)
  })
})

describe('the Redis password', () => {
  it('is not logged if Redis rejects it', async (test) => {
    const redisServer = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => socket.write('-WRONGPASS invalid username-password pair or user is disabled.\r\n'))
    })
    redisServer.listen(0, '127.0.0.1')
    await once(redisServer, 'listening')
    const { port } = redisServer.address() as AddressInfo
    const folder = mkdtempSync(join(tmpdir(), 'muster-redis-'))
    const file = join(folder, 'url')
    writeFileSync(file, `redis://:${redisPassword}@127.0.0.1:${port}\n`)
    test.after(() => {
      redisServer.close()
      rmSync(folder, { recursive: true })
    })
    const readLog = async (): Promise<string> => {
      const service = await startInProcess({
        // The database may be unreachable, because rate limits are checked before it is used.
        DATABASE_URL: 'postgres://127.0.0.1:1/none',
        MUSTER_LOG_LEVEL: 'trace',
        MUSTER_RATE_LIMIT_READS: '10',
        REDIS_URL_FILE: file,
      })
      await service.waitForOutput(/Redis is unavailable.*\n/)
      await service.stop()
      return service.output
    }
    // Only the first error is logged, and on a busy machine that can be a timeout of the same command.
    await waitUntil(
      'Redis rejects the password',
      async () => {
        const log = await readLog()
        assert.equal(findLeak(log), undefined)
        return log.includes('WRONGPASS')
      },
      60_000,
    )
  })
})
