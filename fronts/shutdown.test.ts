/** One of two services behind a proxy shuts down: no client of the proxy sees an error. */
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../service/test/support/database.ts'
import { createTestDatabase } from '../service/test/support/database.ts'
import { end, listening, serve, until } from '../service/test/support/served.ts'
import { startHaproxy, startNginx } from './front.ts'

const statusOf = (agent: Agent, port: number): Promise<number | string> =>
  new Promise((resolve) => {
    get({ agent, port, host: '127.0.0.1', path: '/api/v1/leave' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', ({ message }) => resolve(message))
  })

describe('a graceful shutdown behind a proxy', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  for (const [name, startFront] of [
    ['nginx', startNginx],
    ['haproxy', startHaproxy],
  ] as const) {
    it(`fails no read through ${name}`, async () => {
      const services = [serve(database.env), serve(database.env)] as const
      const hosts = await Promise.all(services.map(listening))
      for (const host of hosts) await until(`${host}/readyz`, 200)
      const front = await startFront(...hosts.map((host) => Number(new URL(host).port)))
      const statuses = new Map<number | string, number>()
      let isOver = false
      const clients = Array.from({ length: 20 }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        while (!isOver) {
          const status = await statusOf(agent, front.port)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
        agent.destroy()
      })
      while ((statuses.get(200) ?? 0) < 200) await until(`${hosts[1]}/livez`, 200)
      await end(services[0])
      const before = statuses.get(200) ?? 0
      while ((statuses.get(200) ?? 0) < before + 200) await until(`${hosts[1]}/livez`, 200)
      isOver = true
      await Promise.all(clients)
      await front.stop()
      await end(services[1])
      assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]))
    })
  }
})
