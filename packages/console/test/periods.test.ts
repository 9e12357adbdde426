import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatMonths,
  lastTwelveMonths,
  mondayOf,
  monthChoices,
  readPeriod,
  weeksUntil,
  writePeriod,
  yearUntil,
} from '../src/format/periods.ts'

test('the last twelve full months end before the month of the day', () => {
  assert.deepEqual(lastTwelveMonths('2026-11-13'), { from: '2025-11-01', to: '2026-10-31' })
  assert.deepEqual(lastTwelveMonths('2024-03-31'), { from: '2023-03-01', to: '2024-02-29' })
  assert.deepEqual(yearUntil('2026-11-13'), { from: '2025-11-01', to: '2026-11-13' })
})

test('weeks begin on a Monday and the last one ends on the day', () => {
  assert.deepEqual(weeksUntil('2026-11-13', 13), { from: '2026-08-17', to: '2026-11-13' })
  assert.deepEqual(['2026-11-09', '2026-11-15', '2026-11-16'].map(mondayOf), ['2026-11-09', '2026-11-09', '2026-11-16'])
})

test('the last quarter is the one before that of the day', () => {
  const quarterBefore = (day: string) => {
    const choice = monthChoices(day).find(({ label }) => label === 'Last quarter')
    return [choice?.from, choice?.to]
  }
  assert.deepEqual(quarterBefore('2026-10-01'), ['2026-07-01', '2026-09-30'])
  assert.deepEqual(quarterBefore('2026-12-31'), ['2026-07-01', '2026-09-30'])
  assert.deepEqual(quarterBefore('2027-02-28'), ['2026-10-01', '2026-12-31'])
})

test('whole months are written without days', () => {
  assert.equal(formatMonths({ from: '2025-11-01', to: '2026-10-31' }), 'Nov 2025 – Oct 2026')
  assert.equal(formatMonths({ from: '2026-02-01', to: '2026-02-28' }), 'Feb 2026')
  assert.equal(formatMonths({ from: '2026-02-01', to: '2026-02-27' }), '1 Feb – 27 Feb 2026')
  assert.equal(formatMonths({ from: '2025-11-01', to: undefined }), 'from 1 Nov 2025')
  assert.equal(formatMonths({ from: undefined, to: '2025-11-01' }), 'until 1 Nov 2025')
  assert.equal(formatMonths({ from: undefined, to: undefined }), 'at any time')
})

test('every choice of a period can be written into the URL and read again', () => {
  const standard = lastTwelveMonths('2026-11-13')
  for (const { from, to } of [...monthChoices('2026-11-13'), { from: '2026-01-05', to: undefined }]) {
    const written = writePeriod({ from, to }, standard)
    assert.deepEqual(readPeriod(written.from, written.to, standard), { from, to })
  }
  assert.deepEqual(writePeriod(standard, standard), { from: undefined, to: undefined })
  assert.deepEqual(readPeriod('yesterday', '2026-13-01', standard), { from: undefined, to: undefined })
})
