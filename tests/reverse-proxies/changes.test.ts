/** Both reverse proxies pass the events of the change feed on at once, and keep the connection open between them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../support/database.ts'
import { createTestDatabase } from '../support/database.ts'
import { startHaproxy, startNginx } from '../support/reverse-proxy.ts'
import type { RunningService } from '../support/service.ts'
import { startService } from '../support/service.ts'

/** Longer than the longest idle time that a proxy allows (`timeout client` in haproxy.cfg). */
const openMs = 33_000

describe('an event stream behind a reverse proxy', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  for (const [name, startProxy] of [
    ['nginx', startNginx],
    ['haproxy', startHaproxy],
  ] as const) {
    it(`sends changes and comments through ${name} for more than ${openMs / 1_000} seconds`, async (t) => {
      const proxy = await startProxy(service.port)
      t.after(() => proxy.stop())
      const response = await fetch(`http://127.0.0.1:${proxy.port}/api/v1/changes`, {
        headers: { accept: 'text/event-stream' },
      })
      assert.equal(response.status, 200)
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      const readUntil = async (condition: () => boolean): Promise<void> => {
        while (!condition()) {
          const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
          assert.ok(!done, 'the stream was closed')
          text += value
        }
      }
      const expectChange = async (): Promise<void> => {
        const [{ id } = {}] = await database.query<{ id: number }>(
          "insert into departments (name) values ('a') returning id",
        )
        await readUntil(() => text.includes(`"id":${id},`))
      }
      const openedAt = performance.now()
      await expectChange()
      await readUntil(() => performance.now() - openedAt > openMs && text.endsWith(': \n\n'))
      await expectChange()
      await reader?.cancel()
    })
  }
})
