import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overdueFilters, recordsLocation, soonFilters } from '../src/components/work-lists.ts'
import { today } from '../src/format/dates.ts'
import { findDestinations } from '../src/frame/search/destinations.ts'
import type { CountedKind } from '../src/screens/work-lists/dates.ts'
import {
  dateDetail,
  datePeriods,
  dayInPeriod,
  kindsOfDates,
  readDatePeriod,
  sumOfDays,
  weeksOf,
} from '../src/screens/work-lists/dates.ts'
import { dayWindow, readAll } from '../src/screens/work-lists/day-window.ts'
import { daysTaken, overdueGroups } from '../src/screens/work-lists/leave-requests.ts'
import { countedPick, matchingTotal } from '../src/screens/work-lists/picks.ts'
import { daysOfGroup, waitingGroupOf } from '../src/screens/work-lists/waiting-groups.ts'

const day = '2026-11-13'

test('the search finds the lists by their names', () => {
  const found = findDestinations('coming dates', [])
  assert.deepEqual(found, [{ path: '/today/dates', label: 'Coming dates', remark: 'Today' }])
})

test('leave begins soon from tomorrow to the seventh day', () => {
  assert.deepEqual(soonFilters(day), { status: 'pending', from_date_from: '2026-11-14', from_date_to: '2026-11-20' })
})

test('a list of the API opens a work list only if its filters are those of today, and the others are filters of the list', () => {
  const path = `/api/v1/leave?status=pending&from_date_to=${today()}`
  assert.deepEqual(recordsLocation(path), { to: '/today/approvals', search: {} })
  assert.deepEqual(recordsLocation(`${path}&employee.dept_id=3`), {
    to: '/today/approvals',
    search: { 'employee.dept_id': '3' },
  })
  assert.deepEqual(
    recordsLocation(`/api/v1/jobs?status=open&past_target=${today()}&location=Lisboa%2C%2C+Portugal`).search,
    { location: 'Lisboa, Portugal' },
  )
  for (const other of [
    `${path}&employee.dept_id=3%2C4`,
    '/api/v1/leave?status=pending',
    '/api/v1/leave?status=pending&from_date_to=2020-01-01',
    `${path}&leave_type=sick`,
    `/api/v1/attendance?status=pending&from_date_to=${today()}`,
    '/api/v1/employees?date_of_joining_from=2020-01-01&date_of_joining_to=2020-02-01',
    '/api/v1/employees?status=active',
  ])
    assert.equal(recordsLocation(other).to, '/data/$resource', other)
  assert.deepEqual(recordsLocation('/api/v1/employees?probation_end_from=9999-01-01&probation_end_to=9999-02-01'), {
    to: '/today/dates',
    search: { kind: 'probation', from: '9999-01-01', to: '9999-02-01', dept_id: undefined },
  })
})

test('the groups of overdue leave are parts of the list', () => {
  for (const { filters } of overdueGroups(day)) {
    assert.equal(filters.status, 'pending')
    assert.ok((filters.from_date_to ?? '9999') <= overdueFilters(day).from_date_to)
  }
})

test('days taken are the working days until today, at most those of the request', () => {
  const leave = { from_date: '2026-11-09', to_date: '2026-11-20', days: 10 }
  assert.equal(daysTaken(leave, day), 5)
  assert.equal(daysTaken(leave, '2026-11-15'), 5)
  assert.equal(daysTaken({ ...leave, days: 4 }, day), 4)
  assert.equal(daysTaken({ ...leave, days: null }, day), 5)
  assert.equal(daysTaken({ ...leave, to_date: null, days: null }, '2026-11-23'), 11)
  assert.equal(daysTaken({ ...leave, to_date: '2026-11-11', days: 2.5 }, day), 2.5)
  assert.equal(daysTaken({ ...leave, from_date: null }, day), 0)
})

test('the page of a list in the order of days begins within the first of its days', () => {
  const counts = new Map([
    ['2026-11-03', 4],
    ['2026-11-01', 3],
    ['2026-11-02', 0],
  ])
  assert.deepEqual(dayWindow(counts, 0, 3), { from: '2026-11-01', to: '2026-11-01', skip: 0 })
  assert.deepEqual(dayWindow(counts, 2, 3), { from: '2026-11-01', to: '2026-11-03', skip: 2 })
  assert.deepEqual(dayWindow(counts, 5, 3), { from: '2026-11-03', to: '2026-11-03', skip: 2 })
  assert.equal(dayWindow(counts, 7, 3), undefined)
})

test('a list that is longer than a page is read to its end', async () => {
  const all = Array.from({ length: 450 }, (_, index) => index)
  const read = async ({ limit, offset }: { readonly limit: number; readonly offset: number }) => ({
    data: all.slice(offset, offset + limit),
    meta: { total: all.length, limit, offset },
  })
  assert.deepEqual(await readAll(read), all)
})

test('the number of records that match all filters is that of the chosen value among those without its filter', () => {
  const counts = {
    data: [
      { dept_id: 3, count: 1 },
      { dept_id: 4, count: 6 },
      { dept_id: null, count: 2 },
    ],
    meta: { total: 9, groups: 3 },
  }
  const pick = countedPick('dept_id', 'Department', {}, counts)
  assert.deepEqual(
    pick.values.map(({ value }) => value),
    ['4', '3'],
  )
  assert.equal(matchingTotal([pick]), 9)
  assert.equal(matchingTotal([countedPick('dept_id', 'Department', { dept_id: '3' }, counts)]), 1)
  assert.equal(matchingTotal([countedPick('dept_id', 'Department', { dept_id: '5' }, counts)]), 0)
})

test('applications are grouped by multiples of the median of their stage', () => {
  const medians = new Map([
    ['interview', 7.5],
    ['offer', 20],
  ])
  const groupOf = (stage: string, since: string) => waitingGroupOf({ stage, since }, medians, day)
  assert.equal(groupOf('interview', '2026-10-21'), '3')
  assert.equal(groupOf('Interview', '2026-10-22'), '2')
  assert.equal(groupOf('interview', '2026-10-29'), '2')
  assert.equal(groupOf('interview', '2026-10-30'), '0')
  assert.equal(groupOf('offer', '2026-10-21'), '0')
  assert.equal(groupOf('trial day', '2020-01-01'), '0')
  const cells = [
    { stage: 'interview', since: '2026-10-21', count: 2 },
    { stage: 'offer', since: '2026-10-21', count: 5 },
    { stage: 'offer', since: '2026-10-20', count: 1 },
  ]
  assert.deepEqual(daysOfGroup(cells, '0', medians, day), {
    counts: new Map([
      ['2026-10-21', 5],
      ['2026-10-20', 1],
    ]),
    stages: ['offer'],
  })
})

test('the period of dates is the next 30 days, or the one in the URL, of at most a year', () => {
  assert.deepEqual(readDatePeriod(undefined, undefined, day), { from: day, to: '2026-12-13' })
  assert.deepEqual(readDatePeriod('2026-12-01', undefined, day), { from: '2026-12-01', to: '2026-12-31' })
  assert.deepEqual(readDatePeriod('2026-12-01', '2026-11-01', day), { from: '2026-12-01', to: '2026-12-01' })
  assert.deepEqual(readDatePeriod('tomorrow', '9999-01-01', day), { from: day, to: '2027-11-12' })
  const periods = Object.fromEntries(datePeriods('2026-12-13').map(([id, , period]) => [id, period]))
  assert.deepEqual(periods.month, { from: '2026-12-01', to: '2026-12-31' })
  assert.deepEqual(periods.next, { from: '2027-01-01', to: '2027-01-31' })
})

test('anniversaries are in the period also over the turn of the year, and on 28 February if there is no 29th', () => {
  const turn = { from: '2026-12-20', to: '2027-01-10' }
  assert.equal(dayInPeriod('anniversary', '2015-12-24', turn), '2026-12-24')
  assert.equal(dayInPeriod('anniversary', '2015-01-06', turn), '2027-01-06')
  const february = { from: '2027-02-01', to: '2027-03-31' }
  assert.equal(dayInPeriod('anniversary', '2024-02-29', february), '2027-02-28')
  assert.equal(dayInPeriod('joining', '2027-03-01', february), '2027-03-01')
  const filters = kindsOfDates.find(({ kind }) => kind === 'anniversary')?.filters(turn)
  assert.deepEqual(filters, {
    anniversary_from: '12-20',
    anniversary_to: '01-10',
    date_of_joining_to: '2026-01-10',
    status_not: 'terminated',
  })
})

test('the first and the last week of a period are cut', () => {
  assert.deepEqual(weeksOf({ from: '2026-11-13', to: '2026-11-24' }), [
    { key: '2026-11-09', from: '2026-11-13', to: '2026-11-15' },
    { key: '2026-11-16', from: '2026-11-16', to: '2026-11-22' },
    { key: '2026-11-23', from: '2026-11-23', to: '2026-11-24' },
  ])
})

test('the dates of a day are those of all kinds within the period', () => {
  const counted = kindsOfDates.map(
    (kind, index): CountedKind => ({
      ...kind,
      total: 3,
      days: new Map([
        [day, index],
        ['2027-01-01', 1],
      ]),
    }),
  )
  assert.deepEqual(sumOfDays(counted, { from: day, to: day }), new Map([[day, 6]]))
})

test('the detail of a date says how long somebody has been here', () => {
  const person = {
    id: 1,
    first_name: null,
    last_name: null,
    dept_id: null,
    designation: null,
    manager_id: null,
    branch: 'Berlin',
    date_of_joining: '2016-11-14',
    probation_end: null,
    termination_date: null,
    department: null,
    manager: null,
  }
  const detailOf = (name: string, on: string) => {
    const kind = kindsOfDates.find((each) => each.kind === name)
    assert.ok(kind)
    return dateDetail({ kind, day: on, person })
  }
  assert.equal(detailOf('joining', '2016-11-14'), 'Berlin')
  assert.equal(detailOf('anniversary', '2026-11-14'), '10 years')
  assert.equal(detailOf('leaving', '2020-01-31'), 'after 3 years 2 months')
  assert.equal(detailOf('leaving', '2017-11-13'), 'after 1 year')
  assert.equal(detailOf('probation', '2016-11-20'), 'after 7 days')
})
