import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attempt, HistoryResult, StoredRecord } from '../history.ts'
import { openHistory } from '../history.ts'

const makeAttempt = (marker: string, status: number | undefined, id?: number, [startMs, endMs] = [0, 10]): Attempt => ({
  route: 'leave',
  marker,
  startMs: startMs as number,
  endMs: endMs as number,
  status,
  ...(id === undefined ? {} : { id }),
})
const row = (marker: string, id: number): StoredRecord => ({ route: 'leave', marker, id })

const checkAttempts = (attempts: readonly Attempt[], storedRecords: readonly StoredRecord[]): HistoryResult => {
  const history = openHistory()
  for (const entry of attempts) history.addAttempt(entry)
  return history.check(storedRecords)
}
const resultCounts = ({ acknowledgedCount, lost, duplicated, unexpected, stale }: HistoryResult): number[] => [
  acknowledgedCount,
  lost.length,
  duplicated.length,
  unexpected.length,
  stale.length,
]

describe('the history checker', () => {
  it('accepts an acknowledged create stored once, a rejected create not stored, and any result after 503', () => {
    const attempts = [
      makeAttempt('a', 201, 1),
      makeAttempt('b', 422),
      makeAttempt('c', 503),
      makeAttempt('d', undefined),
      makeAttempt('e', undefined),
      makeAttempt('e', 201, 3),
    ]
    assert.deepEqual(resultCounts(checkAttempts(attempts, [row('a', 1), row('c', 2), row('e', 3)])), [2, 0, 0, 0, 0])
  })

  it('reports an acknowledged record as lost if it is missing or stored with a different id', () => {
    assert.deepEqual(resultCounts(checkAttempts([makeAttempt('a', 201, 1)], [])), [1, 1, 0, 0, 0])
    assert.deepEqual(resultCounts(checkAttempts([makeAttempt('a', 201, 1)], [row('a', 2)])), [1, 1, 0, 0, 0])
  })

  it('reports a second record of one create as a duplicate, whether or not the create was acknowledged', () => {
    assert.deepEqual(
      resultCounts(checkAttempts([makeAttempt('a', undefined)], [row('a', 1), row('a', 2)])),
      [0, 0, 1, 0, 0],
    )
    const twoAcknowledgements = [makeAttempt('a', 201, 1), makeAttempt('a', 201, 2)]
    assert.deepEqual(resultCounts(checkAttempts(twoAcknowledgements, [row('a', 1), row('a', 2)])), [1, 0, 1, 0, 0])
    assert.deepEqual(resultCounts(checkAttempts(twoAcknowledgements, [row('a', 1)])), [1, 1, 0, 0, 0])
  })

  it('reports a stored record as unexpected if its create was rejected or never sent', () => {
    assert.deepEqual(resultCounts(checkAttempts([makeAttempt('a', 422)], [row('a', 1)])), [0, 0, 0, 1, 0])
    assert.deepEqual(resultCounts(checkAttempts([], [row('a', 1)])), [0, 0, 0, 1, 0])
    assert.deepEqual(
      resultCounts(checkAttempts([makeAttempt('a', 503), makeAttempt('a', 422)], [row('a', 1)])),
      [0, 0, 0, 0, 0],
    )
  })

  it('reports reads that miss an acknowledged record, and totals that decrease', () => {
    const history = openHistory()
    history.addRead({ marker: 'a', isShown: true })
    history.addRead({ marker: 'b', isShown: false })
    history.addTotal({ route: 'leave', startMs: 0, endMs: 5, total: 7 })
    history.addTotal({ route: 'leave', startMs: 4, endMs: 9, total: 6 })
    history.addTotal({ route: 'leave', startMs: 6, endMs: 9, total: 6 })
    history.addTotal({ route: 'brands', startMs: 6, endMs: 9, total: 1 })
    assert.deepEqual(history.check([]).stale, ['b was not shown', 'the total of leave fell from 7 to 6'])
  })

  it('counts statuses and measures the slowest response', () => {
    const { statuses, slowestMs } = checkAttempts(
      [makeAttempt('a', 201, 1, [5, 40]), makeAttempt('b', undefined)],
      [row('a', 1)],
    )
    assert.deepEqual([...statuses, slowestMs], [['201', 1], ['none', 1], 35])
  })
})
