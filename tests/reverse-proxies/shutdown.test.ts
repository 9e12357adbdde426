/** If one of two services behind a reverse proxy shuts down, no client of the proxy sees an error. */
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../support/database.ts'
import { createTestDatabase } from '../support/database.ts'
import { startHaproxy, startNginx } from '../support/reverse-proxy.ts'
import { serve, serviceOrigin, stopService, waitForStatus } from '../support/served.ts'

const requestStatus = (agent: Agent, port: number): Promise<number | string> =>
  new Promise((resolve) => {
    get({ agent, port, host: '127.0.0.1', path: '/api/v1/leave' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', ({ message }) => resolve(message))
  })

describe('a graceful shutdown behind a reverse proxy', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  for (const [name, startProxy] of [
    ['nginx', startNginx],
    ['haproxy', startHaproxy],
  ] as const) {
    it(`causes no failed read through ${name}`, async () => {
      const services = [serve(database.env), serve(database.env)] as const
      const origins = await Promise.all(services.map(serviceOrigin))
      for (const origin of origins) await waitForStatus(`${origin}/readyz`, 200)
      const proxy = await startProxy(...origins.map((origin) => Number(new URL(origin).port)))
      const statusCounts = new Map<number | string, number>()
      let isTestOver = false
      const clients = Array.from({ length: 20 }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        while (!isTestOver) {
          const status = await requestStatus(agent, proxy.port)
          statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1)
        }
        agent.destroy()
      })
      while ((statusCounts.get(200) ?? 0) < 200) await waitForStatus(`${origins[1]}/livez`, 200)
      // Only failures of the shutdown count. Right after the start of a service on a busy machine, a statement may time out.
      statusCounts.clear()
      await stopService(services[0])
      const servedBefore = statusCounts.get(200) ?? 0
      while ((statusCounts.get(200) ?? 0) < servedBefore + 200) await waitForStatus(`${origins[1]}/livez`, 200)
      isTestOver = true
      await Promise.all(clients)
      await proxy.stop()
      await stopService(services[1])
      assert.deepEqual([...statusCounts.keys()], [200], JSON.stringify([...statusCounts]))
    })
  }
})
