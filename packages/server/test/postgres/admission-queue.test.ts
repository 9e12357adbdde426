import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../src/errors.ts'
import type { AdmissionQueue } from '../../src/postgres/connection/admission-queue.ts'
import { openAdmissionQueue } from '../../src/postgres/connection/admission-queue.ts'
import { maxPatient, maxWaitMs } from '../../src/postgres/connection/wait-limit.ts'

const isOverloaded = (error: unknown): boolean => error instanceof Problem && error.code === 'overloaded'

/** Runs named tasks in the queue. Each task records its start, and ends when the test calls `finish` with its name. */
const openTasks = (queue: AdmissionQueue) => {
  const started: string[] = []
  const finishers = new Map<string, () => void>()
  const afterCallbacks = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    started,
    async run(
      name: string,
      client: string | undefined,
      tables: readonly string[] = [],
    ): Promise<{ done: Promise<void> }> {
      const done = queue.run({ client, tables }, () => {
        started.push(name)
        return new Promise<void>((resolve) => finishers.set(name, resolve))
      })
      done.catch(() => {})
      await afterCallbacks()
      return { done }
    },
    async finish(name: string): Promise<void> {
      finishers.get(name)?.()
      finishers.delete(name)
      await afterCallbacks()
    },
    async finishAll(): Promise<void> {
      while (finishers.size > 0) for (const name of [...finishers.keys()]) await this.finish(name)
    },
  }
}

describe('the admission queue', () => {
  it('reserves a quarter of the slots for other clients, and at least one if there are several', async () => {
    for (const [slots, maxActive] of [
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 3],
      [5, 4],
      [10, 8],
    ] as const) {
      const queue = openAdmissionQueue(slots)
      const tasks = openTasks(queue)
      for (let number = 0; number < slots + 1; number += 1) await tasks.run(`a${number}`, 'a')
      assert.deepEqual([queue.active, queue.queued], [maxActive, slots + 1 - maxActive], `${slots} slots`)
      await tasks.run('b', 'b')
      assert.equal(tasks.started.includes('b'), slots > 1, `${slots} slots`)
      await tasks.finishAll()
      assert.deepEqual([queue.active, queue.queued], [0, 0])
    }
  })

  it('limits statements on one table to three quarters of the slots, and those of one client on it to half', async () => {
    const queue = openAdmissionQueue(8)
    const tasks = openTasks(queue)
    for (let number = 0; number < 8; number += 1) await tasks.run(`a${number}`, 'a', ['locked'])
    assert.deepEqual([queue.active, queue.queued], [4, 4])
    for (let number = 0; number < 3; number += 1) await tasks.run(`b${number}`, 'b', ['locked'])
    assert.deepEqual(tasks.started.slice(4), ['b0', 'b1'])
    await tasks.run('a on another table', 'a', ['other'])
    assert.deepEqual(tasks.started.slice(6), ['a on another table'])
    await tasks.finishAll()
    assert.equal(tasks.started.length, 12)
  })

  it('leaves two quarters of the slots to others than one client on one table, each rounded down but at least one', async () => {
    for (const [slots, maxActive] of [
      [1, 1],
      [2, 1],
      [3, 1],
      [5, 3],
      [10, 6],
    ] as const) {
      const queue = openAdmissionQueue(slots)
      const tasks = openTasks(queue)
      for (let number = 0; number < slots; number += 1) await tasks.run(`a${number}`, 'a', ['searched'])
      assert.equal(queue.active, maxActive, `${slots} slots`)
      await tasks.finishAll()
    }
  })

  it('prefers a waiting client with few slots over one that holds more than half of them', async () => {
    const tasks = openTasks(openAdmissionQueue(4))
    for (const name of ['a1', 'a2', 'a3', 'a4']) await tasks.run(name, 'a')
    for (const name of ['b1', 'b2']) await tasks.run(name, 'b')
    assert.deepEqual(tasks.started, ['a1', 'a2', 'a3', 'b1'])
    await tasks.finish('b1')
    assert.deepEqual(tasks.started.at(-1), 'b2')
    await tasks.finishAll()
  })

  it('skips statements on a locked table without delaying other statements of the same client', async () => {
    const queue = openAdmissionQueue(8)
    const tasks = openTasks(queue)
    for (let number = 0; number < 8; number += 1) await tasks.run(`locked${number}`, `client ${number}`, ['locked'])
    assert.deepEqual([queue.active, queue.queued], [6, 2])
    await tasks.run('both', 'z', ['other', 'locked'])
    await tasks.run('other', 'z', ['other'])
    assert.deepEqual(tasks.started.slice(6), ['other'])
    await tasks.finish('other')
    await tasks.finish('locked0')
    assert.deepEqual(tasks.started.slice(6), ['other', 'locked6'])
    await tasks.finishAll()
    assert.deepEqual(tasks.started.slice(7), ['locked6', 'locked7', 'both'])
  })

  it('serves waiting clients round robin, and each client in order of arrival', async () => {
    const queue = openAdmissionQueue(1)
    const tasks = openTasks(queue)
    for (const name of ['a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']) await tasks.run(name, name[0])
    await tasks.finishAll()
    assert.deepEqual(tasks.started, ['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('allows tasks without a client to use all slots', async () => {
    const queue = openAdmissionQueue(4)
    const tasks = openTasks(queue)
    for (const name of ['one', 'two', 'three', 'four', 'five']) await tasks.run(name, undefined)
    assert.deepEqual([queue.active, queue.queued], [4, 1])
    await tasks.finishAll()
    assert.equal(tasks.started.length, 5)
  })

  it('rejects a waiting task as overloaded after the time limit of tasks, and uses the next free slot for another', async () => {
    const waits: number[] = []
    const queue = openAdmissionQueue(1, { patienceMs: 2 * maxWaitMs, onWait: (ms) => waits.push(ms) })
    const tasks = openTasks(queue)
    await tasks.run('a', 'a')
    const { done } = await tasks.run('b', 'b')
    await assert.rejects(done, isOverloaded)
    assert.ok((waits[1] ?? 0) > 2 * maxWaitMs * 0.9, `waited ${waits[1]} ms`)
    assert.deepEqual([queue.active, queue.queued], [1, 0])
    await tasks.finish('a')
    await tasks.run('c', 'c')
    assert.deepEqual(tasks.started, ['a', 'c'])
    await tasks.finishAll()
  })

  it('rejects tasks after half a second while more than a few wait', async () => {
    const waits: number[] = []
    const queue = openAdmissionQueue(1, { patienceMs: 60_000, onWait: (ms) => waits.push(ms) })
    const tasks = openTasks(queue)
    await tasks.run('running', 'a')
    const waiting: Promise<void>[] = []
    for (let number = 0; number < maxPatient + 2; number += 1) waiting.push((await tasks.run(`${number}`, 'a')).done)
    await Promise.all(waiting.slice(0, 2).map((done) => assert.rejects(done, isOverloaded)))
    const [shortest = 0] = waits.slice(1)
    assert.ok(shortest > maxWaitMs * 0.9 && shortest < 60_000, `waited ${shortest} ms`)
    assert.equal(queue.queued, maxPatient)
    await tasks.finishAll()
    await Promise.all(waiting.slice(2))
  })

  it('rejects tasks after half a second once patience has ended, and starts those that get a slot before', async () => {
    const waits: number[] = []
    const queue = openAdmissionQueue(1, { patienceMs: 60_000, onWait: (ms) => waits.push(ms) })
    const tasks = openTasks(queue)
    const { done: running } = await tasks.run('a', 'a')
    const { done: next } = await tasks.run('b', 'b')
    const { done: last } = await tasks.run('c', 'c')
    queue.endPatience()
    await tasks.finish('a')
    await assert.rejects(last, isOverloaded)
    assert.deepEqual([queue.active, queue.queued], [1, 0])
    await tasks.finishAll()
    await Promise.all([running, next])
  })

  it('frees the slot of a task that fails', async () => {
    const queue = openAdmissionQueue(1)
    const failure = new Error('failed')
    await assert.rejects(
      queue.run({ client: 'a', tables: ['t'] }, () => Promise.reject(failure)),
      failure,
    )
    assert.equal(await queue.run({ client: 'a', tables: ['t'] }, async () => 'done'), 'done')
  })

  it('makes room in a full queue by rejecting the newest task of the client with the most tasks', async () => {
    const queue = openAdmissionQueue(1)
    const firstTaskEnd = Promise.withResolvers<void>()
    const firstTask = queue.run({ client: 'a', tables: [] }, () => firstTaskEnd.promise)
    const startOrder: string[] = []
    const enqueue = (name: string, client: string) =>
      queue.run({ client, tables: [] }, async () => {
        startOrder.push(name)
      })
    const tasks = Array.from({ length: 1_000 }, (_, number) => enqueue(`a${number}`, 'a'))
    const outcomes = Promise.allSettled(tasks)
    await assert.rejects(enqueue('a1000', 'a'), isOverloaded)
    const otherTask = enqueue('b', 'b')
    assert.equal(queue.queued, 1_000)
    firstTaskEnd.resolve()
    await Promise.all([firstTask, otherTask])
    assert.deepEqual(startOrder.slice(0, 2), ['a0', 'b'])
    const rejectedNumbers = (await outcomes).flatMap(({ status }, number) => (status === 'rejected' ? [number] : []))
    assert.deepEqual(rejectedNumbers, [999])
  })
})
