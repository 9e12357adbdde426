/** The history checker sees what it is there to see: each way a service can lie, one at a time. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Attempt, Stored, Verdict } from '../history.ts'
import { openHistory } from '../history.ts'

const attempt = (mark: string, status: number | undefined, id?: number, [start, end] = [0, 10]): Attempt => ({
  route: 'leave',
  mark,
  start: start as number,
  end: end as number,
  status,
  ...(id === undefined ? {} : { id }),
})
const row = (mark: string, id: number): Stored => ({ route: 'leave', mark, id })

const judged = (attempts: readonly Attempt[], stored: readonly Stored[]): Verdict => {
  const history = openHistory()
  for (const each of attempts) history.attempted(each)
  return history.judge(stored)
}
const figures = ({ acknowledged, lost, duplicated, unexpected, stale }: Verdict): number[] => [
  acknowledged,
  lost.length,
  duplicated.length,
  unexpected.length,
  stale.length,
]

describe('the history', () => {
  it('is right where what was acknowledged is there once, what was refused is not, and the rest may be', () => {
    const attempts = [
      attempt('a', 201, 1),
      attempt('b', 422),
      attempt('c', 503),
      attempt('d', undefined),
      attempt('e', undefined),
      attempt('e', 201, 3),
    ]
    assert.deepEqual(figures(judged(attempts, [row('a', 1), row('c', 2), row('e', 3)])), [2, 0, 0, 0, 0])
  })

  it('sees what is lost: not there, or there under another id', () => {
    assert.deepEqual(figures(judged([attempt('a', 201, 1)], [])), [1, 1, 0, 0, 0])
    assert.deepEqual(figures(judged([attempt('a', 201, 1)], [row('a', 2)])), [1, 1, 0, 0, 0])
  })

  it('sees what is there twice, acknowledged or not', () => {
    assert.deepEqual(figures(judged([attempt('a', undefined)], [row('a', 1), row('a', 2)])), [0, 0, 1, 0, 0])
    const twice = [attempt('a', 201, 1), attempt('a', 201, 2)]
    assert.deepEqual(figures(judged(twice, [row('a', 1), row('a', 2)])), [1, 0, 1, 0, 0])
    assert.deepEqual(figures(judged(twice, [row('a', 1)])), [1, 1, 0, 0, 0])
  })

  it('sees what nobody should find: refused and stored, or never sent', () => {
    assert.deepEqual(figures(judged([attempt('a', 422)], [row('a', 1)])), [0, 0, 0, 1, 0])
    assert.deepEqual(figures(judged([], [row('a', 1)])), [0, 0, 0, 1, 0])
    assert.deepEqual(figures(judged([attempt('a', 503), attempt('a', 422)], [row('a', 1)])), [0, 0, 0, 0, 0])
  })

  it('sees reads that do not show what was acknowledged, and totals that fall', () => {
    const history = openHistory()
    history.read({ mark: 'a', shown: true })
    history.read({ mark: 'b', shown: false })
    history.counted({ route: 'leave', start: 0, end: 5, total: 7 })
    history.counted({ route: 'leave', start: 4, end: 9, total: 6 })
    history.counted({ route: 'leave', start: 6, end: 9, total: 6 })
    history.counted({ route: 'brands', start: 6, end: 9, total: 1 })
    assert.deepEqual(history.judge([]).stale, ['b was not shown', 'the total of leave fell from 7 to 6'])
  })

  it('counts answers, and knows the slowest', () => {
    const { answers, slowestMs } = judged([attempt('a', 201, 1, [5, 40]), attempt('b', undefined)], [row('a', 1)])
    assert.deepEqual([...answers, slowestMs], [['201', 1], ['none', 1], 35])
  })
})
