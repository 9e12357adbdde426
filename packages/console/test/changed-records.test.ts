import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { resources } from '../../model/src/registry.ts'
import { reports } from '../../model/src/reports/registry.ts'
import { maxChanges, openChangedRecords } from '../src/frame/changed-records.ts'
import { reportResources } from '../src/service/shown-resources.ts'

const openRecords = () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: Infinity } } })
  const records = openChangedRecords(queryClient)
  records.watchQueries(() => {})
  return { queryClient, records }
}

/** Shows the result of a query. Returns a function that removes it from the screen. */
const show = async (
  queryClient: QueryClient,
  queryKey: readonly unknown[],
  options: { readonly queryFn?: () => unknown; readonly meta?: Record<string, unknown> } = {},
): Promise<() => void> => {
  const observer = new QueryObserver(queryClient, { queryKey, queryFn: () => 'result', ...options })
  const hide = observer.subscribe(() => {})
  while (!observer.getCurrentResult().isSuccess) await new Promise((resolve) => setImmediate(resolve))
  return hide
}

/** What arrives in the millisecond in which a query is sent counts as read by it. */
const nextMillisecond = async (): Promise<void> => {
  const now = Date.now()
  while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve))
}

const openScreen = async (...keys: readonly (readonly unknown[])[]) => {
  const { queryClient, records } = openRecords()
  for (const key of keys) await show(queryClient, key)
  await nextMillisecond()
  return records
}

test('changes of the resources that the screen reads are counted, each record once', async () => {
  const records = await openScreen(['leave', 'list', {}], ['report', 'leaveDays', {}])
  records.add({ leave: [1, 2], employees: [3], jobs: [4] })
  records.add({ leave: [2, 5] })
  assert.deepEqual(records.onScreen().counts, [
    { resource: 'leave', count: 3 },
    { resource: 'employees', count: 1 },
  ])
})

test('of a resource of which the screen reads one record, changes of this record are counted', async () => {
  const records = await openScreen(['employees', 'get', 1, {}], ['employees', 'history', 1])
  records.add({ employees: [2] })
  assert.deepEqual(records.onScreen().counts, [])
  records.add({ employees: [1] })
  assert.deepEqual(records.onScreen().counts, [{ resource: 'employees', count: 1 }])
})

test('changes before a request was sent are not counted, and those while it was answered are', async () => {
  const { queryClient, records } = openRecords()
  records.add({ leave: [1] })
  await nextMillisecond()
  const { promise, resolve } = Promise.withResolvers<string>()
  const shown = show(queryClient, ['leave', 'list', {}], { queryFn: () => promise })
  await nextMillisecond()
  records.add({ leave: [2, 3] })
  resolve('result')
  const hide = await shown
  assert.deepEqual(records.onScreen().counts, [{ resource: 'leave', count: 2 }])
  hide()
  assert.deepEqual(records.onScreen().counts, [])
})

test('results of the frame are not part of the screen', async () => {
  const { queryClient, records } = openRecords()
  await show(queryClient, ['attendance', 'list', {}], { meta: { isOfFrame: true } })
  await nextMillisecond()
  records.add({ attendance: [1] })
  assert.deepEqual(records.onScreen().counts, [])
})

test('missed changes make the screen incomplete until it is read again or they are dismissed', async () => {
  const records = await openScreen(['leave', 'list', {}])
  records.add(undefined)
  assert.equal(records.onScreen().isIncomplete, true)
  await nextMillisecond()
  await records.refresh()
  assert.equal(records.onScreen().isIncomplete, false)
  await nextMillisecond()
  records.add(undefined)
  records.add({ leave: [1] })
  records.dismiss()
  assert.deepEqual(records.onScreen(), { counts: [], isIncomplete: false })
})

test('a thousand changed records of a resource are kept', async () => {
  const records = await openScreen(['leave', 'list', {}])
  records.add({ leave: Array.from({ length: maxChanges + 5 }, (_, id) => id) })
  assert.deepEqual(records.onScreen().counts, [{ resource: 'leave', count: maxChanges }])
})

test('the resources of each report are those of its declaration', () => {
  const pathOf = (table: string) => resources.find((resource) => resource.table === table)?.path
  for (const [key, paths] of Object.entries(reportResources)) {
    const report = reports.find(
      ({ name }) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) === key,
    )
    const declared = report?.tables.filter((table) => table !== 'history').map(pathOf)
    assert.deepEqual([...paths].sort(), declared?.length === 0 ? ['employees'] : declared?.toSorted(), key)
  }
  assert.equal(Object.keys(reportResources).length, reports.length)
})
