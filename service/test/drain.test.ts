/** The end of the process: what is in hand is answered, nobody is failed, and nothing holds it up. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { Command } from './support/process.ts'
import { listening, serve, until } from './support/served.ts'
import { token } from './support/service.ts'

interface Tally {
  answered: number
  /** What was sent and not answered 200 in full. */
  readonly failed: string[]
}

const read = (agent: Agent, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => {
      answer.on('error', reject).on('end', () => resolve(answer.statusCode ?? 0))
      answer.resume()
    }).on('error', reject)
  })

/** Asks again and again over one kept connection until the port is closed to it. */
const keepAsking = async (host: string, client: number, tally: Tally): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let round = 0; ; round += 1) {
    const path =
      round % 5 === 0 ? `candidates?q=e${client}x${round}` : `attendance?limit=50&offset=${client * 100 + round}`
    try {
      const status = await read(agent, `${host}/api/v1/${path}`)
      if (status === 200) tally.answered += 1
      else tally.failed.push(String(status))
    } catch (error) {
      const { code } = error as { code?: string }
      // Nothing was sent: whoever is refused a connection asks elsewhere.
      if (code === 'ECONNREFUSED') break
      tally.failed.push(`${code}`)
    }
  }
  agent.destroy()
}

/** Sends requests, each over a new connection, until the port is closed. */
const keepConnecting = async (host: string, tally: Tally): Promise<void> => {
  for (;;) {
    try {
      const status = await read(new Agent(), `${host}/api/v1/attendance?limit=5`)
      if (status === 200) tally.answered += 1
      else tally.failed.push(String(status))
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'ECONNREFUSED') return
      tally.failed.push(`${code}`)
    }
  }
}

const endUnderLoad = async (service: Command, host: string): Promise<Tally> => {
  const tally: Tally = { answered: 0, failed: [] }
  const clients = Array.from({ length: 20 }, (_, client) => keepAsking(host, client, tally))
  while (tally.answered < 200 && tally.failed.length === 0) await until(`${host}/livez`, 200)
  const askedAt = performance.now()
  service.signal('SIGTERM')
  assert.equal(await service.ended, 0)
  assert.ok(performance.now() - askedAt < 2_000, `the end took ${performance.now() - askedAt} ms`)
  await Promise.all(clients)
  return tally
}

const opened = async (host: string): Promise<Socket> => {
  const socket = connect(Number(new URL(host).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

describe('the end of the process', () => {
  let database: TestDatabase
  before(async () => {
    database = await createSeededDatabase()
  })
  after(() => database.drop())

  const start = async (args: readonly string[] = []): Promise<{ service: Command; host: string }> => {
    const service = serve({ ...database.env, MUSTER_API_TOKEN: token }, { args })
    const host = await listening(service)
    await until(`${host}/readyz`, 200)
    return { service, host }
  }

  for (let round = 1; round <= 3; round += 1) {
    it(`fails no request of twenty kept connections and takes less than two seconds (${round} of 3)`, async () => {
      const { service, host } = await start()
      assert.deepEqual((await endUnderLoad(service, host)).failed, [])
    })
  }

  for (let round = 1; round <= 2; round += 1) {
    it(`does the same with several workers (${round} of 2)`, async () => {
      const { service, host } = await start(['--workers', '2'])
      await service.says(/(its schema is this release’s.*){2}/s)
      assert.deepEqual((await endUnderLoad(service, host)).failed, [])
    })
  }

  for (const args of [[], ['--workers', '2']]) {
    it(`resets almost none of the connections it has not accepted yet${args.length === 0 ? '' : ', with several workers'}`, async () => {
      const { service, host } = await start(args)
      const tally: Tally = { answered: 0, failed: [] }
      const clients = Array.from({ length: 20 }, () => keepConnecting(host, tally))
      while (tally.answered < 200) await until(`${host}/livez`, 200)
      service.signal('SIGTERM')
      assert.equal(await service.ended, 0)
      await Promise.all(clients)
      // One may arrive between the last accept and the close of the socket.
      assert.ok(tally.failed.length <= 1, `${tally.failed.length} failed: ${tally.failed.join(', ')}`)
    })
  }

  it('logs when a graceful shutdown starts and when it has finished', async () => {
    for (const [signal, args] of [
      ['SIGTERM', []],
      ['SIGINT', ['--workers', '2']],
    ] as const) {
      const { service } = await start(args)
      service.signal(signal)
      assert.equal(await service.ended, 0)
      const lines = service.said.match(/Graceful shutdown [^"]*/g)
      assert.deepEqual(lines, [`Graceful shutdown started by ${signal}.`, 'Graceful shutdown finished.'])
    }
  })

  it('says first that it is not ready, and still serves', async () => {
    const { service, host } = await start()
    service.signal('SIGTERM')
    await until(`${host}/readyz`, 503)
    const answer = await ask(`${host}/api/v1/departments`)
    assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'keep-alive'])
    assert.equal(await service.ended, 0)
  })

  it('is not held up by connections at rest, nor by those that never sent anything', async () => {
    const { service, host } = await start()
    const sockets = await Promise.all(Array.from({ length: 10 }, () => opened(host)))
    for (const socket of sockets.slice(5)) {
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'data')
    }
    const askedAt = performance.now()
    service.signal('SIGTERM')
    assert.equal(await service.ended, 0)
    assert.ok(performance.now() - askedAt < 2_000, `the end took ${performance.now() - askedAt} ms`)
  })

  it('cuts what is not over after nine and a half seconds, and says so', async () => {
    const { service, host } = await start()
    const socket = await opened(host)
    const head = `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
    // Begun a moment before, so that the time limit of a request does not come first.
    service.signal('SIGTERM')
    await until(`${host}/readyz`, 503)
    socket.write(`${head}Content-Length: 100\r\n\r\n{`)
    const askedAt = performance.now()
    assert.equal(await service.ended, 0)
    const tookMs = performance.now() - askedAt
    assert.ok(tookMs > 8_000 && tookMs < 11_000, `the end took ${tookMs} ms`)
    assert.match(service.said, /1 connections were cut/)
  })

  for (const args of [[], ['--workers', '2']]) {
    it(`comes at once with a second signal${args.length === 0 ? '' : ', also to several workers'}`, async () => {
      const { service, host } = await start(args)
      const holder = new pg.Client({ connectionString: database.url })
      await holder.connect()
      await holder.query('begin; lock table departments in access exclusive mode')
      const stuck = ask(`${host}/api/v1/departments?limit=7`).catch(() => undefined)
      while ((await holder.query('select from pg_locks where not granted')).rowCount === 0);
      const askedAt = performance.now()
      service.signal('SIGTERM')
      // What comes within half a second is taken for the echo of the first.
      const again = setInterval(() => service.signal('SIGTERM'), 50)
      assert.equal(await service.ended, 130)
      clearInterval(again)
      assert.ok(performance.now() - askedAt < 3_000, `the end took ${performance.now() - askedAt} ms`)
      await stuck
      await holder.end()
    })
  }
})
