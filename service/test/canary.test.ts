/** Tokens are written nowhere: not in the log at its most talkative, not in an answer, not in the database, not in a command line. */
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
import { converse } from './support/conversation.ts'
import { createTestDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import { messages } from './support/messages.ts'
import { runCommand } from './support/process.ts'

const canary = (): string => randomBytes(32).toString('hex')
const tokens = { write: canary(), previous: canary(), read: canary() }
/** What a client may take for the token, or leave lying about. */
const wrong = canary()
const redisPassword = canary()
const secrets = [...Object.values(tokens), wrong, redisPassword]
const slices = new Set(
  secrets.flatMap((secret) => Array.from({ length: secret.length - 11 }, (_, at) => secret.slice(at, at + 12))),
)
/** The first slice of a secret in a text. */
const leakIn = (text: string): string | undefined => {
  for (let at = 0; at + 12 <= text.length; at += 1)
    if (slices.has(text.slice(at, at + 12))) return text.slice(at, at + 12)
  return undefined
}

const commandLines = (): string =>
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

const everythingStored = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  let stored = ''
  for (const { name } of rows) stored += JSON.stringify((await client.query(`select t::text from ${name} t`)).rows)
  await client.end()
  return stored
}

describe('tokens', () => {
  it('leave no slice of 12 characters anywhere, whatever is done with them', async (test) => {
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
    })
    test.after(async () => {
      service.signal('SIGKILL')
      await database.drop()
    })
    const [, host = ''] = await service.says(/listening at (http:\/\/[\d.:]+)/)
    await service.says(/its schema is this release/)
    let answered = ''
    let answers = 0
    const keep = (text: string, headers: Iterable<[string, string]>): void => {
      answers += 1
      answered += `${text}\n${JSON.stringify([...headers])}\n`
    }
    const send = async (path: string, init: RequestInit): Promise<number> => {
      const { status, text, headers } = await ask(`${host}${path}`, init)
      keep(text, headers)
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
    for (const secret of secrets) {
      const headers = {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        cookie: `token=${secret}`,
        'x-api-key': secret,
      }
      for (const { path } of resources) {
        for (const rest of ['', '/1', `?token=${secret}`, '?limit=x', '/%ff'])
          statuses.add(await send(`/api/v1/${path}${rest}`, { headers }))
        for (const body of bodies)
          statuses.add(await send(`/api/v1/${path}?access_token=${secret}`, { method: 'POST', headers, body }))
      }
      for (const path of ['/api', '/api/openapi.json', '/swagger.json', '/livez', `/nowhere/${secret}`])
        statuses.add(await send(path, { headers }))
      for (const [, bytes] of messages) {
        const message = bytes
          .replace('\r\n\r\n', `\r\nX-Token: ${secret}\r\n\r\n`)
          .replace(/Bearer [^\r]+/, `Bearer ${secret}`)
        for (const { status, headers: given, body } of await converse(Number(new URL(host).port), message)) {
          statuses.add(status)
          keep(body, given)
        }
      }
    }
    for (const status of [200, 201, 400, 401, 404, 405, 422, 431]) assert.ok(statuses.has(status), String(status))
    service.signal('SIGHUP')
    await service.says(/tokens were read again/)
    const lines = commandLines()
    const stored = await everythingStored(database.url)
    service.signal('SIGTERM')
    assert.equal(await service.ended, 0)
    assert.ok(answers > 1_000 && service.said.split('\n').length > 500 && stored.includes('canary'))
    assert.match(lines, /muster\.ts/)
    const places = { answered, said: service.said, stored, lines }
    for (const [place, text] of Object.entries(places)) assert.equal(leakIn(text), undefined, place)
  })

  it('would be found: a slice that is planted is', () => {
    assert.equal(leakIn(`somewhere ${tokens.read.slice(20, 32)} else`), tokens.read.slice(20, 32))
    assert.equal(leakIn(`somewhere ${tokens.read.slice(20, 31)} else`), undefined)
  })
})

describe('the password of Redis', () => {
  it('is not in the log of a service that is refused for it', async (test) => {
    const redis = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => socket.write('-WRONGPASS invalid username-password pair or user is disabled.\r\n'))
    })
    redis.listen(0, '127.0.0.1')
    await once(redis, 'listening')
    const { port } = redis.address() as AddressInfo
    const folder = mkdtempSync(join(tmpdir(), 'muster-redis-'))
    const file = join(folder, 'url')
    writeFileSync(file, `redis://:${redisPassword}@127.0.0.1:${port}\n`)
    const service = runCommand('muster.ts', ['serve'], {
      // Nobody need be there: limits are counted ahead of the database.
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      PORT: '0',
      MUSTER_LOG_LEVEL: 'trace',
      MUSTER_RATE_LIMIT_READS: '10',
      REDIS_URL_FILE: file,
    })
    test.after(() => {
      service.signal('SIGKILL')
      redis.close()
      rmSync(folder, { recursive: true })
    })
    await service.says(/Redis does not answer.*\n/)
    assert.match(service.said, /WRONGPASS/)
    assert.equal(leakIn(service.said), undefined)
  })
})
