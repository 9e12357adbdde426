import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addMonths,
  barPosition,
  fullestDays,
  groupByEmployee,
  isMonth,
  makeAgenda,
  monthDays,
  shareStep,
} from '../src/screens/leave/calendar.ts'

const november = monthDays('2026-11')
const period = (from_date: string | null, to_date: string | null) => ({ from_date, to_date })

describe('a month', () => {
  it('has its days with weekdays', () => {
    assert.equal(november.length, 30)
    assert.deepEqual(november[0], { day: '2026-11-01', date: 1, weekday: 'Su', isWeekend: true })
    assert.deepEqual(november[12], { day: '2026-11-13', date: 13, weekday: 'Fr', isWeekend: false })
    assert.equal(monthDays('2028-02').length, 29)
  })

  it('is followed by the next one', () => {
    assert.equal(addMonths('2026-12', 1), '2027-01')
    assert.equal(addMonths('2026-01', -1), '2025-12')
  })

  it('is written with two digits', () => {
    assert.equal(isMonth('2026-11'), true)
    for (const text of ['2026-13', '2026-1', 'x', '', undefined]) assert.equal(isMonth(text), false)
  })
})

describe('the bar of a request', () => {
  it('covers the days in the month', () => {
    assert.deepEqual(barPosition(period('2026-11-09', '2026-11-13'), november), {
      from: 9,
      to: 13,
      isFromBefore: false,
      goesOn: false,
    })
    assert.deepEqual(barPosition(period('2026-10-30', '2027-01-22'), november), {
      from: 1,
      to: 30,
      isFromBefore: true,
      goesOn: true,
    })
  })

  it('is missing outside the month, without dates and for dates in the wrong order', () => {
    assert.equal(barPosition(period('2026-12-01', '2026-12-02'), november), undefined)
    assert.equal(barPosition(period('2026-10-01', '2026-10-31'), november), undefined)
    assert.equal(barPosition(period(null, '2026-11-02'), november), undefined)
    assert.equal(barPosition(period('2026-11-05', '2026-11-02'), november), undefined)
  })
})

describe('requests', () => {
  it('are grouped by person in their order', () => {
    const [a, b, c] = [{ employee_id: 7 }, { employee_id: 3 }, { employee_id: 7 }] as const
    assert.deepEqual(groupByEmployee([a, b, c]), [
      [7, [a, c]],
      [3, [b]],
    ])
  })

  it('are named on the first day of the agenda if they include it, later if they begin', () => {
    const requests = [
      period('2026-11-02', '2026-11-20'),
      period('2026-11-16', '2026-11-18'),
      period('2026-11-02', '2026-11-03'),
    ]
    assert.deepEqual(makeAgenda(requests, november, '2026-11-13'), [
      { day: '2026-11-13', requests: [requests[0]] },
      { day: '2026-11-16', requests: [requests[1]] },
    ])
    assert.deepEqual(makeAgenda([], november, '2026-11-13'), [{ day: '2026-11-13', requests: [] }])
  })
})

describe('days', () => {
  const counts = (out: readonly number[]) =>
    out.map((count, index) => ({ day: `d${index}`, out: count, pending: 10 - count }))

  it('are the fullest by the people who are out, not by waiting requests', () => {
    assert.deepEqual([...fullestDays(counts([1, 9, 3, 8, 7]), 3)], ['d1', 'd3', 'd4'])
    assert.deepEqual([...fullestDays(counts([9, 9, 9, 9, 1]), 3)], ['d0', 'd1', 'd2', 'd3'])
  })

  it('do not stand out if most are alike or empty', () => {
    assert.equal(fullestDays(counts([5, 5, 5, 5, 5, 5, 5]), 3).size, 0)
    assert.equal(fullestDays([{ day: 'd0', out: 0, pending: 0 }], 3).size, 0)
  })

  it('have a step of colour by the share of people who are out', () => {
    assert.equal(shareStep(0, 100), 0)
    assert.equal(shareStep(3, 100), 1)
    assert.equal(shareStep(9, 100), 4)
    assert.equal(shareStep(9, 19), undefined)
  })
})
