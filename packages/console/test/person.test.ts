import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PathApplication } from '../src/screens/person/hiring-path.ts'
import { hiringPath } from '../src/screens/person/hiring-path.ts'
import { buildStrip, monthTotals, nextMark, statusTotals, stripStart } from '../src/screens/person/strip.ts'

const attendance = (day: string, status: string | null, count = 1) => ({ 'day(att_date)': day, status, count })
const leaveFrom = (from_date: string, to_date: string | null, status = 'approved', id = 7) => ({
  id,
  status,
  from_date,
  to_date,
})

describe('the strip of attendance and leave', () => {
  const asOf = '2026-11-13'

  it('covers twelve months up to the day', () => {
    assert.equal(stripStart('2026-11-13'), '2025-11-14')
    assert.equal(stripStart('2026-12-31'), '2026-01-01')
    assert.equal(stripStart('2024-02-29'), '2023-03-01')
    assert.equal(stripStart('2024-03-01'), '2023-03-02')
    assert.equal(stripStart('2025-02-28'), '2024-02-29')
    const { days, weeks } = buildStrip(asOf, [], [])
    assert.equal(days[0]?.day, '2025-11-14')
    assert.equal(days.at(-1)?.day, asOf)
    assert.equal(weeks, 53)
  })

  it('has weeks that begin on Monday', () => {
    const { days } = buildStrip(asOf, [], [])
    assert.deepEqual(
      days.slice(0, 2).map(({ day, week, weekday }) => [day, week, weekday]),
      [
        ['2025-11-14', 0, 4],
        ['2025-11-17', 1, 0],
      ],
    )
  })

  it('shows weekends only if something is recorded on them', () => {
    assert.equal(buildStrip(asOf, [], []).weekdays, 5)
    assert.equal(buildStrip(asOf, [attendance('2026-11-07', 'present')], []).weekdays, 7)
  })

  it('continues to the end of leave that is ahead, but not for ever', () => {
    assert.equal(buildStrip(asOf, [], [leaveFrom('2026-12-21', '2027-01-01')]).days.at(-1)?.day, '2027-01-01')
    assert.equal(buildStrip(asOf, [], [leaveFrom('2026-12-21', '2036-01-01')]).days.at(-1)?.day, '2027-05-14')
  })

  it('shows leave only on days without a record', () => {
    const { days } = buildStrip(
      asOf,
      [attendance('2026-11-12', 'present')],
      [leaveFrom('2026-11-12', '2026-11-16', 'pending'), leaveFrom('2026-11-17', null, 'approved', 8)],
    )
    assert.deepEqual(
      days.slice(-3).map(({ day, status, leave }) => [day, status, leave?.isApproved]),
      [
        ['2026-11-12', 'present', undefined],
        ['2026-11-13', undefined, false],
        ['2026-11-16', undefined, false],
      ],
    )
  })

  it('names a month above the first week that begins in it', () => {
    const { months } = buildStrip(asOf, [], [])
    assert.deepEqual(months[0], { label: 'Dec', week: 3 })
    assert.deepEqual(months[1], { label: 'Jan 2026', week: 8 })
  })

  it('counts the records by status and by month', () => {
    const groups = [
      attendance('2026-10-01', 'absent'),
      attendance('2026-11-02', 'present', 2),
      attendance('2026-11-03', null),
    ]
    assert.deepEqual(
      [...statusTotals(groups)],
      [
        ['present', 2],
        ['work_from_home', 0],
        ['on_leave', 0],
        ['half_day', 0],
        ['absent', 1],
        [null, 1],
      ],
    )
    assert.deepEqual(
      monthTotals(groups).map(({ month, totals }) => [month, totals.get('present'), totals.get('absent')]),
      [
        ['2026-10', 0, 1],
        ['2026-11', 2, 0],
      ],
    )
  })

  it('moves by days and weeks, and over gaps', () => {
    const marks = ['2026-11-02', '2026-11-03', '2026-11-06', '2026-11-10']
    assert.equal(nextMark(marks, '2026-11-03', 'ArrowDown'), '2026-11-06')
    assert.equal(nextMark(marks, '2026-11-03', 'ArrowUp'), '2026-11-02')
    assert.equal(nextMark(marks, '2026-11-03', 'ArrowRight'), '2026-11-10')
    assert.equal(nextMark(marks, '2026-11-10', 'ArrowLeft'), '2026-11-03')
    assert.equal(nextMark(marks, '2026-11-10', 'ArrowRight'), '2026-11-10')
    assert.equal(nextMark(marks, '2026-11-06', 'Home'), '2026-11-02')
    assert.equal(nextMark(marks, '2026-11-02', 'End'), '2026-11-10')
    assert.equal(nextMark(marks, '2026-11-02', 'Enter'), undefined)
  })
})

describe('the path from candidate to employee', () => {
  const asOf = '2026-11-13'
  const employee = {
    id: 5,
    code: 'K5',
    status: 'active',
    date_of_joining: '2024-09-09',
    termination_date: null,
  }
  const application = (values: Partial<PathApplication>): PathApplication => ({
    id: 1,
    stage: 'applied',
    status: 'active',
    applied_on: '2024-06-13',
    stage_entered_on: '2024-06-13',
    job: { code: 'REQ-1', title: 'Engineer' },
    ...values,
  })

  it('leads from the candidate through applications to the first day', () => {
    const steps = hiringPath(
      employee,
      { id: 9, source: 'job_board', created: '2024-06-12T08:00:00Z' },
      [
        application({ status: 'rejected', stage: 'phone_screen' }),
        application({ id: 2, status: 'hired', stage: 'hired', stage_entered_on: '2024-07-30' }),
      ],
      asOf,
      false,
    )
    assert.deepEqual(
      steps.map(({ day, title, detail }) => [day, title, detail]),
      [
        ['2024-06-12', 'Became a candidate', 'Candidate 9 · source Job board'],
        ['2024-06-13', 'Application to REQ-1 Engineer', 'rejected at Phone screen'],
        ['2024-06-13', 'Application to REQ-1 Engineer', ''],
        ['2024-07-30', 'Hired', '47 days after applying'],
        ['2024-09-09', 'Joined', 'K5 · 41 days after being hired'],
      ],
    )
  })

  it('says nothing about times that would be negative', () => {
    const hire = application({ status: 'active', stage: 'Hired', stage_entered_on: '2024-06-01' })
    const hired = hiringPath(employee, null, [hire], asOf, false).find(({ title }) => title === 'Hired')
    assert.equal(hired?.detail, '')
  })

  it('ends with the last day, which may be withheld or ahead', () => {
    const last = (values: Partial<typeof employee> & { termination_date?: string | null }, isWithheld = false) =>
      hiringPath({ ...employee, ...values }, null, [], asOf, isWithheld).at(-1)
    assert.equal(last({})?.title, 'Joined')
    assert.equal(last({ date_of_joining: '2027-01-04' })?.title, 'Joins')
    assert.equal(last({ termination_date: '2025-09-09' } as never)?.title, 'Left')
    assert.equal(last({ termination_date: '2025-09-09' } as never)?.detail, '365 days after joining')
    assert.equal(last({ termination_date: '2026-12-31' } as never)?.title, 'Leaves')
    const withheld = last({ status: 'terminated' }, true)
    assert.deepEqual([withheld?.title, withheld?.day, withheld?.isDayWithheld], ['Left', null, true])
  })
})
