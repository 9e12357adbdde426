import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change, ReportRows } from '@muster/client'
import { changeKinds, changesLimits, maxListedIds } from '@muster/model'
import { chartDays, firstChartDay, labelledDays } from '../src/screens/today/absence-days.ts'
import { missingAttendanceDays } from '../src/screens/today/attention-dates.ts'
import { changedResources, kinds, maxLinkedIds, maxPageSize } from '../src/screens/today/changed-today.ts'
import { isNothingRecorded, todayFigures } from '../src/screens/today/today-figures.ts'

type Row = ReportRows['today']

const row = (figure: string, value: number | null, rest: Partial<Row> = {}): Row => ({
  figure,
  group: null,
  value,
  day: null,
  links: value === null ? {} : { value: `/api/v1/${figure}` },
  ...rest,
})

const emptyRows = [
  'joining',
  'leaving',
  'leave_pending',
  'leave_overdue',
  'openings_open',
  'places_open',
  'openings_past_target',
  'applications_waiting',
  'attendance_last_day',
].map((figure) => row(figure, 0))

test('the people are those who are employed by their status', () => {
  const figures = todayFigures(
    [
      row('people', 30, { group: 'active' }),
      row('people', 20, { group: 'terminated' }),
      row('people', 4, { group: 'on_leave' }),
      row('people', 3, { group: 'on strike' }),
      row('people', 2, { group: 'pending' }),
    ],
    '2026-11-13',
  )
  assert.deepEqual(
    figures.people.map(({ group }) => group),
    ['active', 'on_leave'],
  )
  assert.deepEqual(figures.peopleTotal, {
    value: 34,
    link: '/api/v1/employees?status=active%2Con_leave%2Csuspended',
  })
  assert.equal(figures.former.value, 20)
  assert.equal(figures.notJoined.value, 2)
  assert.deepEqual(figures.otherStatus, {
    value: 3,
    link: '/api/v1/employees?status_not=active%2Con_leave%2Csuspended%2Cterminated%2Cpending',
  })
})

test('stages have the order of hiring, and unknown ones follow', () => {
  const figures = todayFigures(
    ['interview', 'take-home task', 'applied', null, 'sourced'].map((group) =>
      row('applications_active', 1, { group }),
    ),
    '2026-11-13',
  )
  assert.deepEqual(
    figures.applications.map(({ group }) => group),
    ['sourced', 'applied', 'interview', 'take-home task', null],
  )
  assert.equal(figures.applicationsTotal.value, 5)
})

test('a withheld value stays null', () => {
  assert.deepEqual(todayFigures([row('leaving', null)], '2026-11-13').leaving, { value: null, link: undefined })
})

test('the total of people who are out links to all approved leave of the day', () => {
  const { outTotal } = todayFigures(
    [row('out', 4, { group: 'sick' }), row('out', 3, { group: 'annual' })],
    '2026-11-13',
  )
  assert.deepEqual(outTotal, {
    value: 7,
    link: '/api/v1/leave?status=approved&from_date_to=2026-11-13&to_date_from=2026-11-13',
  })
})

test('leave types that are withheld are one group, which is left out if nobody is out', () => {
  const outOf = (value: number) => todayFigures([row('out', value)], '2026-11-13').out
  assert.deepEqual(outOf(7), [{ group: null, value: 7, link: '/api/v1/out' }])
  assert.deepEqual(outOf(0), [])
})

test('an empty database is recognized, and one record is enough to end that', () => {
  assert.equal(isNothingRecorded(todayFigures(emptyRows, '2026-11-13')), true)
  const former = row('people', 1, { group: 'terminated' })
  assert.equal(isNothingRecorded(todayFigures([...emptyRows, former], '2026-11-13')), false)
})

test('the chart begins on a Monday and has 13 weeks', () => {
  assert.equal(firstChartDay('2026-11-13'), '2026-08-17')
  assert.equal(firstChartDay('2026-11-15'), '2026-08-17')
  assert.equal(firstChartDay('2026-11-16'), '2026-08-24')
})

test('weekends have a place in the chart only if one of them has records', () => {
  assert.equal(chartDays('2026-08-17', '2026-11-13', new Set(['2026-11-13'])).length, 65)
  assert.equal(chartDays('2026-08-17', '2026-11-13', new Set(['2026-11-07'])).length, 89)
})

test('every second Monday is labelled, and fewer in a narrow chart', () => {
  const days = chartDays('2026-08-17', '2026-11-13', new Set())
  assert.deepEqual(labelledDays(days, 1_100), [
    '2026-08-17',
    '2026-08-31',
    '2026-09-14',
    '2026-09-28',
    '2026-10-12',
    '2026-10-26',
    '2026-11-09',
  ])
  assert.deepEqual(labelledDays(days, 280), ['2026-08-17', '2026-09-07', '2026-09-28', '2026-10-19', '2026-11-09'])
})

test('attendance is missing if it is older than a week', () => {
  assert.equal(missingAttendanceDays('2026-11-06', '2026-11-13'), undefined)
  assert.equal(missingAttendanceDays('2026-11-05', '2026-11-13'), 8)
  assert.equal(missingAttendanceDays(null, '2026-11-13'), undefined)
})

const change = (resource: Change['resource'], id: number, kind: Change['kind'], at: string): Change => ({
  resource,
  id,
  kind,
  at: `2026-11-13T${at}Z`,
})

test('each changed record counts once, by its last change, and the resource that was changed last is first', () => {
  const changes = [
    change('leave', 1, 'created', '08:00:00.5'),
    change('leave', 2, 'updated', '08:01:00'),
    change('leave', 1, 'updated', '08:02:00'),
    change('jobs', 5, 'updated', '09:00:00'),
    change('jobs', 6, 'created', '07:00:00'),
    change('jobs', 6, 'updated', '07:00:00'),
    change('jobs', 6, 'deleted', '07:00:00'),
    change('leave', 2, 'updated', '08:03:00'),
  ]
  assert.deepEqual(changedResources(changes), [
    {
      resource: 'jobs',
      kinds: [
        { kind: 'updated', count: 1, link: '/api/v1/jobs?id=5&sort=-id' },
        { kind: 'deleted', count: 1, link: undefined },
      ],
      last: '2026-11-13T09:00:00Z',
    },
    {
      resource: 'leave',
      kinds: [
        { kind: 'created', count: 1, link: '/api/v1/leave?id=1&sort=-id' },
        { kind: 'updated', count: 1, link: '/api/v1/leave?id=2&sort=-id' },
      ],
      last: '2026-11-13T08:03:00Z',
    },
  ])
})

test('more changed records than a list by id can have are not linked', () => {
  const changes = Array.from({ length: 201 }, (_, id) => change('leave', id, 'updated', '08:00:00'))
  assert.equal(changedResources(changes)[0]?.kinds[0]?.link, undefined)
  assert.match(changedResources(changes.slice(1))[0]?.kinds[0]?.link ?? '', /id=1%2C2%2C/)
  assert.equal(maxLinkedIds, maxListedIds)
  assert.deepEqual(kinds, changeKinds)
  assert.equal(maxPageSize, changesLimits.maxLimit)
})
