/** A receiver that responds 500 or 410, late or not at all, and restarts, while records change and the process restarts. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { pick, randomNumbers } from '../../../../tests/support/random.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import type { EndpointsFile, Run } from './environment.ts'
import { makeEndpointsFile, startRun, statusOf, waitForEndpoint, waitUntilVisible } from './environment.ts'
import type { Receiver } from './receiver.ts'
import { accept, newSecret, respondWith, startReceiver } from './receiver.ts'

const rounds = 40
const timeoutMs = 100
const maxRetryMs = 24 * 3_600_000

const faults: Readonly<Record<string, (response: ServerResponse) => void | Promise<void>>> = {
  'status 500': respondWith(500),
  'status 410': respondWith(410),
  'no response': () => {},
  'a response in time': async (response) => {
    await pause(timeoutMs / 4)
    accept(response)
  },
  'a response too late': async (response) => {
    await pause(timeoutMs * 1.5)
    accept(response)
  },
  'a closed connection': (response) => void response.destroy(),
}

describe('webhooks to a receiver with faults', () => {
  let database: TestDatabase
  let file: EndpointsFile
  let receiver: Receiver
  let run: Run
  before(async () => {
    database = await createTestDatabase()
    file = await makeEndpointsFile()
    const secret = newSecret()
    receiver = await startReceiver(secret)
    await file.write([{ name: 'copy', url: receiver.url, secret }])
    await waitUntilVisible(database)
  })
  after(async () => {
    await run.stop()
    await receiver.close()
    await file.remove()
    await database.drop()
  })

  it('are delivered at least once, in order and with valid signatures', async (context) => {
    const random = randomNumbers(1)
    let passedMs = 0
    const start = () => startRun(database, file, { timeoutMs, now: () => new Date(Date.now() + passedMs) })
    run = start()
    await waitForEndpoint(database, 'copy')

    const counts = new Map(Object.keys(faults).map((name) => [name, 0]))
    receiver.respond = async (response) => {
      const [name, fault] = pick(random, Object.entries(faults))
      counts.set(name, (counts.get(name) ?? 0) + 1)
      await fault(response)
    }
    /** Lets the time of the next attempt come, and resumes the endpoint if it is stopped. */
    const waitWithRetries = (description: string, isDone: () => boolean) =>
      waitUntil(description, async () => {
        passedMs += maxRetryMs
        if ((await statusOf(database, 'copy')) !== 'active')
          assert.equal((await muster(['webhooks', '--resume', 'copy'], database.env)).code, 0)
        return isDone()
      })
    const expected: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      const rows = await database.query<{ id: number }>(
        `insert into departments (name) select 'a' from generate_series(1, $1::int) returning id`,
        [1 + random(150)],
      )
      expected.push(...rows.map(({ id }) => `departments ${id} created`))
      const received = receiver.deliveries.length
      await waitWithRetries('a request arrives', () => receiver.deliveries.length > received)
      if (round % 10 === 4) {
        await receiver.close()
        await receiver.open()
      }
      if (round % 10 === 9) {
        await run.stop()
        run = start()
      }
    }

    receiver.respond = accept
    const acceptedChanges = () => receiver.accepted.flatMap(({ changes }) => changes)
    await waitWithRetries('all changes are delivered', () => acceptedChanges().length >= expected.length)
    assert.deepEqual(acceptedChanges(), expected)
    assert.deepEqual(receiver.invalid, [])
    context.diagnostic(
      `${expected.length} changes in ${receiver.deliveries.length} requests: ${JSON.stringify([...counts])}`,
    )
    for (const [name, count] of counts) assert.ok(count > 0, name)
  })
})
