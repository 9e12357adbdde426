import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitUntil } from '../../../../tests/support/wait.ts'
import type { Client, Connection } from '../../src/http/connection/client.ts'
import { maxWaitMs, openPacer } from '../../src/http/connection/pacing.ts'

const clientAt = (address: string): Client => ({
  address,
  connections: 1,
  load: 0,
  uncachedRequests: 0,
  measuredMs: 0,
  costMs: 0,
  budgetMs: 0,
  refilledAt: performance.now(),
  isDelayed: false,
  isStarting: false,
  waiting: new Set(),
})

/** Opens a pacer for two clients, for which it has measured 5 ms and 0.1 ms of event loop time per request. */
const openPacedClients = ({ isContended = true } = {}) => {
  const pacer = openPacer(() => isContended)
  const [expensive, cheap] = [clientAt('192.0.2.1'), clientAt('192.0.2.2')]
  expensive.uncachedRequests = 10
  expensive.measuredMs = 50
  cheap.uncachedRequests = 10
  cheap.measuredMs = 1
  pacer.sample([expensive, cheap], { elapsedMs: 51, activeMs: 51, uncachedMs: 51 })
  const runs: boolean[] = []
  const send = (client: Client, count: number) =>
    Array.from({ length: count }, () => {
      const connection = {} as Connection
      pacer.run(connection, client, (isOverdue) => runs.push(isOverdue))
      return connection
    })
  return { pacer, expensive, cheap, runs, send }
}

describe('a client with expensive requests', () => {
  it('gets a quarter of the event loop time while other clients are active, and is rejected after half a second', async () => {
    const { expensive, runs, send } = openPacedClients()
    const startedAt = performance.now()
    send(expensive, 200)
    await waitUntil('ten requests have run', async () => runs.length >= 10)
    const elapsedMs = performance.now() - startedAt
    // On a busy machine, many requests may already be overdue.
    const servedCount = runs.filter((isOverdue) => !isOverdue).length
    // The client has a budget of 10 ms, each request costs 5 ms, and one request may exceed the budget.
    assert.ok(servedCount <= (elapsedMs / 4 + 10) / 5 + 2, `${servedCount} in ${elapsedMs} ms`)
    await waitUntil('all requests have run', async () => runs.length === 200)
    assert.ok(performance.now() - startedAt >= maxWaitMs)
    assert.equal(runs[0], false)
    assert.equal(runs.at(-1), true)
  })

  it('does not delay a client with cheap requests', () => {
    const { expensive, cheap, runs, send } = openPacedClients()
    send(expensive, 50)
    const runsBefore = runs.length
    send(cheap, 50)
    assert.equal(runs.length, runsBefore + 50)
  })

  it('is not delayed while no other client is active', () => {
    const { expensive, runs, send } = openPacedClients({ isContended: false })
    send(expensive, 50)
    assert.equal(runs.length, 50)
  })

  it('is no longer delayed once its requests are cheap and none of them had to wait', () => {
    const { pacer, expensive, runs, send } = openPacedClients()
    pacer.sample([expensive], { elapsedMs: 50, activeMs: 10, uncachedMs: 10 })
    send(expensive, 50)
    assert.equal(runs.length, 50)
  })

  it('is not served on a connection that is closed', async () => {
    const { pacer, expensive, runs, send } = openPacedClients()
    const connections = send(expensive, 20)
    for (const connection of connections) pacer.remove(connection)
    const runsBefore = runs.length
    const [last] = send(expensive, 1)
    await waitUntil('the last request has run', async () => runs.length > runsBefore)
    assert.ok(last !== undefined && runsBefore < 20)
    assert.equal(runs.length, runsBefore + 1)
  })
})
