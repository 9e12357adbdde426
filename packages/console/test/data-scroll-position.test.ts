import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  formatTick,
  maxRowsInPart,
  parseRowNumber,
  partAround,
  positionOfRow,
  rowAtPosition,
  scrollTicks,
} from '../src/screens/data/scroll-position.ts'

const total = 10_000_000

suite('scrolling through ten million rows', () => {
  test('the part of the list contains the row, and stays where it is near by', () => {
    for (const row of [0, 1, 4_999, 10_000, 5_000_000, 9_899_999, total - 1]) {
      const part = partAround(row, -1, total)
      assert.ok(part <= row && row < part + maxRowsInPart, String(row))
      assert.ok(part >= 0 && part + maxRowsInPart <= total, String(row))
      assert.equal(partAround(row, part, total), part, String(row))
    }
    const part = partAround(5_000_000, -1, total)
    assert.equal(partAround(5_001_000, part, total), part)
  })

  test('the part moves before its end is reached, and never with every row', () => {
    let part = partAround(0, -1, total)
    let moves = 0
    for (let row = 0; row < 200_000; row += 20) {
      const next = partAround(row, part, total)
      assert.ok(row >= next && row + 100 < next + maxRowsInPart, String(row))
      if (next !== part) moves++
      part = next
    }
    assert.ok(moves > 5 && moves < 40, String(moves))
  })

  test('a short list is one part', () => {
    for (const row of [0, 12, 23]) assert.equal(partAround(row, -1, 24), 0)
  })

  test('positions of the thumb and rows are inverse, and the ends are reached', () => {
    assert.equal(rowAtPosition(0, total, 25), 0)
    assert.equal(rowAtPosition(1, total, 25), total - 25)
    assert.equal(rowAtPosition(1.3, total, 25), total - 25)
    for (const row of [0, 1, 9_899_999, total - 25])
      assert.equal(rowAtPosition(positionOfRow(row, total, 25), total, 25), row)
    assert.equal(positionOfRow(3, 10, 25), 0)
  })

  test('ticks are round, few, and include both ends', () => {
    assert.deepEqual(scrollTicks(1_000_000, 5), [1, 200_000, 400_000, 600_000, 800_000, 1_000_000])
    assert.deepEqual(scrollTicks(262, 5), [1, 50, 100, 150, 200, 262])
    for (const rows of [2, 9, 24, 5_000, 90_001, total]) {
      const ticks = scrollTicks(rows, 5)
      assert.ok(ticks.length <= 7 && ticks[0] === 1 && ticks.at(-1) === rows, String(rows))
    }
    assert.deepEqual(scrollTicks(1, 5), [])
    assert.equal(formatTick(200_000), '200\u202fk')
    assert.equal(formatTick(9_900_000), '9.9\u202fM')
  })

  test('row numbers are read with separators, and kept within the list', () => {
    assert.equal(parseRowNumber('9,900,000', total), 9_900_000)
    assert.equal(parseRowNumber(' 9 900 000 ', total), 9_900_000)
    assert.equal(parseRowNumber('0', total), 1)
    assert.equal(parseRowNumber('99999999', total), total)
    for (const text of ['', 'abc', '-5', '1e6']) assert.equal(parseRowNumber(text, total), undefined, text)
  })
})
