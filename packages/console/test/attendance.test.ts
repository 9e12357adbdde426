import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttendanceRow } from '../src/screens/attendance/attendance.ts'
import {
  colorSteps,
  highestDay,
  monthsOf,
  rateOf,
  readDays,
  sicknessRateOf,
  totalsOf,
  weeksOf,
} from '../src/screens/attendance/attendance.ts'

const day = (group: string, recorded: number, absent: number, onLeave = 0, sick: number | null = 0) =>
  ({
    group,
    recorded,
    absent,
    on_leave: onLeave,
    sick,
    absence_rate: recorded === onLeave ? null : absent / (recorded - onLeave),
  }) as AttendanceRow

test('the period is 13 weeks by default and at most 53', () => {
  assert.deepEqual(readDays(undefined, undefined, '2026-11-13'), { from: '2026-08-17', to: '2026-11-13', isCut: false })
  assert.deepEqual(readDays('2026-11-02', undefined, '2026-11-13'), {
    from: '2026-11-02',
    to: '2026-11-13',
    isCut: false,
  })
  assert.deepEqual(readDays('2020-01-01', '2026-11-13', '2026-11-13'), {
    from: '2025-11-08',
    to: '2026-11-13',
    isCut: true,
  })
  assert.deepEqual(readDays('any', undefined, '2026-11-13').isCut, true)
  assert.deepEqual(readDays('2026-11-13', '2026-11-02', '2026-11-13').from, '2026-11-02')
})

test('weeks have the days until Friday, or until Sunday if there are records at weekends', () => {
  const days = { from: '2026-11-03', to: '2026-11-11' }
  const weeks = weeksOf(days, [day('2026-11-04', 30, 1)])
  assert.deepEqual(
    weeks.map((week) => week.map(({ day: text, isInPeriod }) => (isInPeriod ? text.slice(8) : ''))),
    [
      ['', '03', '04', '05', '06'],
      ['09', '10', '11', '', ''],
    ],
  )
  assert.equal(weeks[0]?.[2]?.row?.recorded, 30)
  assert.equal(weeksOf(days, [day('2026-11-08', 30, 1)])[0]?.length, 7)
})

test('a rate needs 20 records that are not on leave, and the highest day has a rate', () => {
  const rows = [
    day('2026-11-02', 40, 4, 20),
    day('2026-11-03', 19, 19),
    day('2026-11-04', 50, 10),
    day('2026-11-05', 5, 0, 5),
  ]
  assert.deepEqual(rows.map(rateOf), [0.2, undefined, 0.2, undefined])
  assert.equal(highestDay(rows)?.group, '2026-11-04')
  assert.equal(highestDay([]), undefined)
  assert.deepEqual(totalsOf(rows), { recorded: 114, expected: 89, rate: 33 / 89, sick: 0 })
  assert.equal(totalsOf([]).rate, undefined)
})

test('the sickness rate is a share of all records, needs 20 of them, and is null if it is withheld', () => {
  const rows = [day('2026-11-02', 40, 4, 20, 8), day('2026-11-03', 20, 0, 20, 1), day('2026-11-04', 19, 0, 5, 5)]
  assert.deepEqual(rows.map(sicknessRateOf), [0.2, 0.05, undefined])
  assert.equal(totalsOf(rows).sick, 14)
  assert.equal(sicknessRateOf(day('2026-11-05', 40, 4, 20, null)), null)
  assert.equal(totalsOf([...rows, day('2026-11-05', 40, 4, 20, null)]).sick, null)
})

test('the colours change at round rates', () => {
  const round = (rates: readonly number[]) => colorSteps(rates).map((rate) => Number((rate * 100).toFixed(3)))
  assert.deepEqual(round([0.004, 0.005, 0.006, 0.007, 0.008, 0.009, 0.01]), [0.5, 0.6, 0.7, 0.8, 0.9, 1])
  assert.deepEqual(round([]), [0.05, 0.1, 0.15, 0.2, 0.25, 0.3])
  assert.equal(round([0.1, 0.5, 0.9]).length, 6)
})

test('months are limited to the period', () => {
  assert.deepEqual(monthsOf({ from: '2026-08-17', to: '2026-10-02' }), [
    { month: '2026-08', from: '2026-08-17', to: '2026-08-31' },
    { month: '2026-09', from: '2026-09-01', to: '2026-09-30' },
    { month: '2026-10', from: '2026-10-01', to: '2026-10-02' },
  ])
  assert.equal(monthsOf({ from: '9999-12-30', to: '9999-12-31' }).length, 1)
})
