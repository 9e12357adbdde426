import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MovementRow } from '../src/screens/movements/movements.ts'
import { changesPath, daysOf, isBeforeHistory, placeFilter, transfersOf } from '../src/screens/movements/movements.ts'

const move = (from: string | null, to: string | null, changes: number): MovementRow => ({
  month: '2026-10',
  kind: 'transfer',
  from_group: from,
  to_group: to,
  changes,
  links: {},
})

describe('the matrix of moves', () => {
  it('has the places with the most moves first', () => {
    const { places, count, highest } = transfersOf([move('1', '2', 1), move('3', '2', 5), move('3', '2', 2)])
    assert.deepEqual(
      places.map(({ key }) => key),
      ['2', '3', '1'],
    )
    assert.equal(count(places[1], places[0]), 7)
    assert.equal(count(undefined, places[0]), 8)
    assert.equal(highest, 7)
  })

  it('adds up the places for which there is no room, but never those without a department', () => {
    const rows = Array.from({ length: 12 }, (_, index) => move(String(index + 1), 'hub', 12 - index))
    const { places, count } = transfersOf([...rows, move(null, 'hub', 1)])
    assert.deepEqual(
      places.map(({ key }) => key),
      ['hub', '1', '2', '3', '4', '5', '6', '7', '8', 'null', 'other'],
    )
    const other = places.at(-1)
    assert.deepEqual(other?.ids, ['9', '10', '11', '12'])
    assert.equal(count(other, undefined), 4 + 3 + 2 + 1)
    assert.equal(count(undefined, undefined), 79)
    assert.deepEqual(placeFilter('old', other), { old: ['9', '10', '11', '12'] })
    assert.deepEqual(placeFilter('new', places.at(-2)), { new_is_null: true })
  })
})

describe('the changes of a period', () => {
  it('end on the day of the screen', () => {
    assert.deepEqual(daysOf('2026-09', '2026-10', '2026-10-12'), { from: '2026-09-01', to: '2026-10-12' })
    assert.equal(
      changesPath('dept_id', { from: '2026-09-01', to: '2026-09-30' }, { old: ['9', '10'] }),
      '/api/v1/history?resource=employees&field=dept_id&on_from=2026-09-01&on_to=2026-09-30&old=9%2C10',
    )
  })

  it('are unknown in months that end before the first recorded day', () => {
    assert.equal(isBeforeHistory('2024-02', '2024-03-03'), true)
    assert.equal(isBeforeHistory('2024-03', '2024-03-03'), false)
    assert.equal(isBeforeHistory('2024-02', undefined), false)
  })
})
