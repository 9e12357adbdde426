import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatChange, formatShare } from '../src/format/numbers.ts'
import type { HeadcountRow } from '../src/screens/headcount/headcount-figures.ts'
import { headcountGroups, yearFigures } from '../src/screens/headcount/headcount-figures.ts'
import { monthsOf, monthTicks } from '../src/screens/headcount/month-axis.ts'
import { lastWholeMonth, monthEnds, periodChoices, periodOf, wholeMonths } from '../src/screens/headcount/period.ts'

const row = (month: string, values: Partial<HeadcountRow> = {}): HeadcountRow => ({
  month,
  group: null,
  joined: 1,
  left: 0,
  moved_in: null,
  moved_out: null,
  at_end: 10,
  turnover_12m: null,
  links: {},
  ...values,
})

test('the month of the day is whole only on its last day', () => {
  assert.equal(lastWholeMonth('2026-11-13'), '2026-10')
  assert.equal(lastWholeMonth('2026-11-30'), '2026-11')
})

test('the period is 24 whole months and the part of the present one', () => {
  assert.deepEqual(periodOf({}, '2026-11-13', monthEnds), {
    from: '2024-10',
    to: '2026-11',
    lastWholeMonth: '2026-10',
    firstAskedMonth: '2024-10',
  })
})

test('a short period still asks for the month a year before', () => {
  const { from, firstAskedMonth } = periodOf({ from: '2026-09', to: '2026-10' }, '2026-11-13', monthEnds)
  assert.deepEqual({ from, firstAskedMonth }, { from: '2026-09', firstAskedMonth: '2025-10' })
})

test('parameters that make no sense have default values', () => {
  const usual = periodOf({}, '2026-11-13', monthEnds)
  assert.deepEqual(periodOf({ from: 'soon', to: '2026-13' }, '2026-11-13', monthEnds), usual)
  assert.deepEqual(periodOf({ from: '2027-01', to: '2027-05' }, '2026-11-13', monthEnds), usual)
})

test('a period that is longer than the report allows is cut', () => {
  const { firstAskedMonth, to } = periodOf({ from: '1900-01' }, '2026-11-13', monthEnds)
  assert.ok(monthsOf(firstAskedMonth, to).length <= 600)
})

test('the choices of periods begin whole months before the last month-end', () => {
  assert.deepEqual(
    periodChoices('2026-11-13', monthEnds).map(({ from }) => from),
    ['2025-10', '2024-10', '2023-10', '2021-10', '2016-10'],
  )
})

test('months are labelled as far as there is room, with the year in January', () => {
  const months = monthsOf('2024-10', '2026-11')
  assert.equal(months.length, 26)
  assert.deepEqual(
    monthTicks(months, 700).map(({ label }) => label),
    ['Oct 24', 'Jan 25', 'Apr', 'Jul', 'Oct', 'Jan 26', 'Apr', 'Jul', 'Oct'],
  )
  assert.deepEqual(
    monthTicks(months, 250).map(({ label }) => label),
    ['Jan 25', 'Jan 26'],
  )
})

test('the figures of a year count twelve months and link to all of them', () => {
  const months = monthsOf('2025-09', '2026-11')
  const rows = months.map((month, index) =>
    row(month, {
      joined: index,
      left: 1,
      at_end: 100 + index,
      links: {
        joined: `/api/v1/employees?date_of_joining_from=${month}-01&date_of_joining_to=${month}-31&branch=a%2C%2Cb`,
        left: `/api/v1/employees?termination_date_from=${month}-01&termination_date_to=${month}-31`,
      },
    }),
  )
  const year = yearFigures(rows, '2026-10', 'company')
  assert.equal(year.atEnd.value, 113)
  assert.equal(year.yearBefore.value, 101)
  // November 2025 is the third row, October 2026 the fourteenth.
  assert.equal(year.joined.value, 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13)
  assert.equal(year.left.value, 12)
  assert.equal(
    year.joined.link,
    '/api/v1/employees?date_of_joining_from=2025-11-01&date_of_joining_to=2026-10-31&branch=a%2C%2Cb',
  )
  assert.equal(year.left.link, '/api/v1/employees?termination_date_from=2025-11-01&termination_date_to=2026-10-31')
})

test('withheld numbers stay null, and so do their sums', () => {
  const rows = monthsOf('2025-10', '2026-10').map((month) => row(month, { left: null, at_end: null }))
  const year = yearFigures(rows, '2026-10', 'company')
  assert.deepEqual([year.atEnd.value, year.left.value, year.joined.value], [null, null, 12])
})

test('groups are sorted by size, and those without anybody are left out', () => {
  const rows = [
    row('2026-10', { group: 'small', at_end: 3 }),
    row('2026-10', { group: 'gone', at_end: 0, joined: 0, left: 0 }),
    row('2026-10', { group: null, at_end: 5 }),
    row('2026-10', { group: 'large', at_end: 8 }),
  ]
  assert.deepEqual(
    headcountGroups(rows, '2026-10', '2026-10').map(({ group }) => group),
    ['large', null, 'small'],
  )
})

test('groups have only the rows of the period, but the figures of the year', () => {
  const rows = monthsOf('2025-10', '2026-10').map((month) => row(month, { group: 'a' }))
  const [group] = headcountGroups(rows, '2026-10', '2026-08')
  assert.deepEqual([group?.rows.length, group?.year.joined.value], [3, 12])
})

test('changes have a sign, and shares one decimal', () => {
  assert.deepEqual([formatChange(466), formatChange(-12), formatChange(0)], ['+466', '−12', '0'])
  assert.equal(formatShare(0.0926), '9.3\u202f%')
  assert.equal(formatShare(0.0905), '9.1\u202f%')
})

test('a period of changes does not have the month before its first whole one', () => {
  assert.equal(periodOf({}, '2026-11-13', wholeMonths).from, '2025-11')
  assert.deepEqual(
    periodChoices('2026-11-13', wholeMonths).map(({ from }) => from),
    ['2025-11', '2024-11', '2023-11', '2021-11', '2016-11'],
  )
})
