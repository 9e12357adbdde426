import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceAt, resources } from '@muster/model'
import { newestField } from '../src/screens/health/newest-field.ts'
import { createRequestQueue } from '../src/screens/health/request-queue.ts'
import type { RuleResult } from '../src/screens/health/rule-results.ts'
import { summarize, worstFirst } from '../src/screens/health/rule-results.ts'

const { signal } = new AbortController()

/** Tasks that run until they are told to finish. */
const heldTasks = (count: number) => {
  const started: number[] = []
  const held = Array.from({ length: count }, () => Promise.withResolvers<string>())
  const task = (index: number) => () => {
    started.push(index)
    return (held[index] as PromiseWithResolvers<string>).promise
  }
  return { started, held, task }
}

/** All callbacks of promises that are settled have run after a turn of the event loop. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('the queue runs as many tasks as its limit at once, in order', async () => {
  const queue = createRequestQueue(2)
  const { started, held, task } = heldTasks(4)
  const results = [0, 1, 2, 3].map((index) => queue(task(index), signal))
  await nextTurn()
  assert.deepEqual(started, [0, 1])
  held[1]?.resolve('second')
  await nextTurn()
  assert.deepEqual(started, [0, 1, 2])
  for (const { resolve } of held) resolve('other')
  assert.deepEqual(await Promise.all(results), ['other', 'second', 'other', 'other'])
  assert.deepEqual(started, [0, 1, 2, 3])
})

test('a task that fails frees its place', async () => {
  const queue = createRequestQueue(1)
  const { started, held, task } = heldTasks(2)
  const [first, second] = [queue(task(0), signal), queue(task(1), signal)]
  held[0]?.reject(new Error('no response'))
  await assert.rejects(first, { message: 'no response' })
  held[1]?.resolve('done')
  assert.equal(await second, 'done')
  assert.deepEqual(started, [0, 1])
})

test('an aborted task leaves the queue without running', async () => {
  const queue = createRequestQueue(1)
  const { started, held, task } = heldTasks(3)
  const controller = new AbortController()
  const first = queue(task(0), signal)
  const aborted = queue(task(1), controller.signal)
  const last = queue(task(2), signal)
  controller.abort(new Error('left the screen'))
  await assert.rejects(aborted, { message: 'left the screen' })
  for (const { resolve } of held) resolve('done')
  assert.deepEqual(await Promise.all([first, last]), ['done', 'done'])
  assert.deepEqual(started, [0, 2])
})

test('after an idle time, the queue has all its places again', async () => {
  const queue = createRequestQueue(2)
  await Promise.all([1, 2, 3].map((value) => queue(() => Promise.resolve(value), signal)))
  const { started, held, task } = heldTasks(3)
  const results = [0, 1, 2].map((index) => queue(task(index), signal))
  await nextTurn()
  assert.deepEqual(started, [0, 1])
  for (const { resolve } of held) resolve('done')
  await Promise.all(results)
})

const result = (rule: string, state: RuleResult['state'], rest: Partial<RuleResult> = {}): RuleResult => ({
  rule,
  severity: 'error',
  about: '',
  resource: 'employees',
  state,
  checked: undefined,
  broken: undefined,
  checkedLink: undefined,
  brokenLink: undefined,
  ...rest,
})

const results = [
  result('withheld', 'withheld'),
  result('holds', 'holds', { checked: 10, broken: 0 }),
  result('warning', 'broken', { severity: 'warning', checked: 10, broken: 5 }),
  result('failed', 'failed'),
  result('error', 'broken', { checked: 10, broken: 2 }),
]

test('the summary counts rules by state, and adds up what they found', () => {
  assert.deepEqual(summarize(results), { rules: 5, waiting: 0, withheld: 1, failed: 1, broken: 2, findings: 7 })
})

test('broken errors come first, withheld rules last', () => {
  assert.deepEqual(
    worstFirst(results).map(({ rule }) => rule),
    ['error', 'warning', 'failed', 'holds', 'withheld'],
  )
})

test('the newest day of a resource is never that of a personal field', () => {
  const names = Object.fromEntries(resources.map((resource) => [resource.path, newestField(resource)?.name]))
  assert.equal(names.employees, 'date_of_joining')
  assert.equal(names.leave, 'applied_on')
  assert.equal(names.applications, 'created')
  assert.equal(names.departments, undefined)
  const { sortableFields } = resourceAt('employees')
  const onlyPersonal = sortableFields.filter(({ personal }) => personal)
  assert.equal(newestField({ sortableFields: onlyPersonal }), undefined)
})
