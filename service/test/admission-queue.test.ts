/** The admission queue by example: shares of clients and tables, round robin, bounds on wait and length. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AdmissionQueue } from '../src/database/admission-queue.ts'
import { maxWaitMs, openAdmissionQueue } from '../src/database/admission-queue.ts'
import { Problem } from '../src/errors.ts'

const isOverloaded = (error: unknown): boolean => error instanceof Problem && error.code === 'overloaded'

/** Tasks that record their start and run until they are finished by name. */
const openTasks = (queue: AdmissionQueue) => {
  const started: string[] = []
  const running = new Map<string, () => void>()
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    started,
    async run(
      name: string,
      client: string | undefined,
      tables: readonly string[] = [],
    ): Promise<{ done: Promise<void> }> {
      const done = queue.run({ client, tables }, () => {
        started.push(name)
        return new Promise<void>((resolve) => running.set(name, resolve))
      })
      done.catch(() => {})
      await settled()
      return { done }
    },
    async finish(name: string): Promise<void> {
      running.get(name)?.()
      running.delete(name)
      await settled()
    },
    async finishAll(): Promise<void> {
      while (running.size > 0) for (const name of [...running.keys()]) await this.finish(name)
    },
  }
}

describe('the admission queue', () => {
  it('keeps a quarter of the slots, and at least one of several, from a client that holds the rest', async () => {
    for (const [slots, most] of [
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
      assert.deepEqual([queue.active, queue.queued], [most, slots + 1 - most], `${slots} slots`)
      await tasks.run('b', 'b')
      assert.equal(tasks.started.includes('b'), slots > 1, `${slots} slots`)
      await tasks.finishAll()
      assert.deepEqual([queue.active, queue.queued], [0, 0])
    }
  })

  it('keeps a quarter of the slots from the statements on one table, and a half from those of one client', async () => {
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

  it('lets a client that holds half of the slots yield to one that holds less', async () => {
    const tasks = openTasks(openAdmissionQueue(4))
    for (const name of ['a1', 'a2', 'a3', 'a4']) await tasks.run(name, 'a')
    for (const name of ['b1', 'b2']) await tasks.run(name, 'b')
    assert.deepEqual(tasks.started, ['a1', 'a2', 'a3', 'b1'])
    await tasks.finish('b1')
    assert.deepEqual(tasks.started.at(-1), 'b2')
    await tasks.finishAll()
  })

  it('skips statements on a locked table without holding up the others of the client', async () => {
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

  it('serves waiting clients in turn, and each in the order of arrival', async () => {
    const queue = openAdmissionQueue(1)
    const tasks = openTasks(queue)
    for (const name of ['a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']) await tasks.run(name, name[0])
    await tasks.finishAll()
    assert.deepEqual(tasks.started, ['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('lets work of no client take what slots there are', async () => {
    const queue = openAdmissionQueue(4)
    const tasks = openTasks(queue)
    for (const name of ['one', 'two', 'three', 'four', 'five']) await tasks.run(name, undefined)
    assert.deepEqual([queue.active, queue.queued], [4, 1])
    await tasks.finishAll()
    assert.equal(tasks.started.length, 5)
  })

  it('rejects as overloaded what has waited for half a second, and keeps the slot', async () => {
    const waits: number[] = []
    const queue = openAdmissionQueue(1, (ms) => waits.push(ms))
    const tasks = openTasks(queue)
    await tasks.run('a', 'a')
    const { done } = await tasks.run('b', 'b')
    await assert.rejects(done, isOverloaded)
    assert.ok((waits[1] ?? 0) > maxWaitMs * 0.9, `waited ${waits[1]} ms`)
    assert.deepEqual([queue.active, queue.queued], [1, 0])
    await tasks.finish('a')
    await tasks.run('c', 'c')
    assert.deepEqual(tasks.started, ['a', 'c'])
    await tasks.finishAll()
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

  it('makes room in a full queue by dropping the newest entry of the client with the most', async () => {
    const queue = openAdmissionQueue(1)
    const finish = Promise.withResolvers<void>()
    const first = queue.run({ client: 'a', tables: [] }, () => finish.promise)
    const order: string[] = []
    const enter = (name: string, client: string) =>
      queue.run({ client, tables: [] }, async () => {
        order.push(name)
      })
    const flood = Array.from({ length: 1_000 }, (_, number) => enter(`a${number}`, 'a'))
    const outcomes = Promise.allSettled(flood)
    await assert.rejects(enter('a1000', 'a'), isOverloaded)
    const other = enter('b', 'b')
    assert.equal(queue.queued, 1_000)
    finish.resolve()
    await Promise.all([first, other])
    assert.deepEqual(order.slice(0, 2), ['a0', 'b'])
    const refused = (await outcomes).flatMap(({ status }, number) => (status === 'rejected' ? [number] : []))
    assert.deepEqual(refused, [999])
  })
})
