import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeLabel } from '../src/format/labels.ts'
import { boardColumns, cardsByStage, countOfStatus, isComplete } from '../src/screens/hiring/board.ts'
import { isFilterable, outcomeOf, outcomesBySource, readCohort } from '../src/screens/hiring/cohort.ts'
import type { TimeRow } from '../src/screens/hiring/days.ts'
import { monthsOf, scaleEnd, spreadOf } from '../src/screens/hiring/days.ts'
import type { OpeningRow } from '../src/screens/hiring/openings.ts'
import { byLongestWait, stagesByJob, sumCounts } from '../src/screens/hiring/openings.ts'
import { monthFilter, monthsBySource, monthsWithApplications } from '../src/screens/hiring/sources.ts'
import { compareStages, stageStep } from '../src/screens/hiring/stages.ts'

const opening = (group: string, days: number | null) => ({ group, longest_wait_days: days }) as OpeningRow

test('openings are in the order of the longest wait, those where nobody waits last', () => {
  const rows = [opening('9', 3), opening('2', null), opening('10', 0), opening('3', 12), opening('4', 12)]
  assert.deepEqual(
    byLongestWait(rows).map(({ group }) => group),
    ['3', '4', '9', '10', '2'],
  )
})

test('a cohort has only a department whose id is a whole number of up to 15 digits', () => {
  const deptIdOf = (text: string) => readCohort({ 'job.dept_id': text }, '2026-11-13').deptId
  assert.equal(deptIdOf('9'), 9)
  for (const text of ['9e0', '0x9', '-9', '9.5', '9'.repeat(20), 'none']) assert.equal(deptIdOf(text), undefined, text)
})

test('the counts of each opening are in the order of the stages', () => {
  const groups = [
    { job_id: 7, stage: 'offer', count: 1 },
    { job_id: 7, stage: 'applied', count: 4 },
    { job_id: 8, stage: 'trial day', count: 2 },
    { job_id: 7, stage: 'sourced', count: 3 },
  ]
  const stages = stagesByJob(groups)
  assert.deepEqual(
    stages.get(7)?.map(({ stage }) => stage),
    ['sourced', 'applied', 'offer'],
  )
  assert.equal(sumCounts(stages.get(7) ?? []), 8)
  assert.deepEqual(stages.get(8), [{ stage: 'trial day', count: 2 }])
})

test('stages that are not suggested come last and have no colour of the scale', () => {
  assert.deepEqual(['trial day', 'hired', 'Applied', 'background check'].toSorted(compareStages), [
    'Applied',
    'hired',
    'background check',
    'trial day',
  ])
  assert.deepEqual(['sourced', 'Offer', 'hired', 'trial day'].map(stageStep), [0, 6, undefined, undefined])
})

test('the columns of an opening are its stages before the hire, and others in which somebody is', () => {
  const groups = [
    { stage: 'applied', status: 'active', count: 4 },
    { stage: 'applied', status: 'rejected', count: 40 },
    { stage: 'trial day', status: 'active', count: 1 },
    { stage: 'hired', status: 'hired', count: 2 },
  ]
  const stages = '["sourced","applied","offer","hired"]'
  assert.deepEqual(boardColumns(stages, groups), [
    { stage: 'applied', count: 4 },
    { stage: 'offer', count: 0 },
    { stage: 'trial day', count: 1 },
  ])
  const sourced = [{ stage: 'sourced', status: 'active', count: 3 }]
  assert.deepEqual(boardColumns(stages, sourced)[0], { stage: 'sourced', count: 3 })
  assert.equal(countOfStatus(groups, 'rejected'), 40)
})

test('a column has its first cards, and is complete if it has 20 or all of them', () => {
  const applications = Array.from({ length: 50 }, (_, id) => ({ id, stage: id % 2 === 0 ? 'Applied' : 'offer' }))
  const cards = cardsByStage(applications)
  assert.deepEqual(
    cards.get('applied')?.map(({ id }) => id),
    Array.from({ length: 20 }, (_, index) => index * 2),
  )
  assert.equal(isComplete({ stage: 'applied', count: 25 }, cards.get('applied') ?? []), true)
  assert.equal(isComplete({ stage: 'offer', count: 3 }, applications.slice(0, 3)), true)
  assert.equal(isComplete({ stage: 'offer', count: 30 }, applications.slice(0, 3)), false)
})

test('applications that are neither hired, rejected nor withdrawn are active, and small samples have no rate', () => {
  const groups = [
    { status: 'active', count: 5 },
    { status: 'paused', count: 2 },
    { status: 'hired', count: 4 },
    { status: 'rejected', count: 15 },
    { status: 'withdrawn', count: 1 },
  ]
  assert.deepEqual(outcomeOf(groups), { applications: 27, ended: 20, active: 7, hired: 4, hiredShare: 0.2 })
  assert.equal(outcomeOf(groups.slice(0, 4)).hiredShare, undefined)
})

test('sources are in the order of their applications, with those without a source', () => {
  const groups = [
    { 'candidate.source': 'event', status: 'hired', count: 3 },
    { 'candidate.source': null, status: 'active', count: 9 },
    { 'candidate.source': 'event', status: 'rejected', count: 5 },
  ]
  assert.deepEqual(
    outcomesBySource(groups).map(({ source, applications, hired }) => [source, applications, hired]),
    [
      [null, 9, 0],
      ['event', 8, 3],
    ],
  )
  assert.deepEqual([null, ' ', 'x'.repeat(201), 'event'].map(isFilterable), [false, false, false, true])
})

const hires = (group: string, values: Partial<TimeRow> = {}) =>
  ({ group, n: 0, fill_n: 0, median_days: null, links: {}, ...values }) as TimeRow

test('the months of a period include those without hires and end with the day', () => {
  const rows = [hires('2026-02'), hires('2026-05')]
  const year = { from: '2026-01-15', to: '2026-12-31' }
  assert.deepEqual(monthsOf(year, '2026-04-02', rows), ['2026-01', '2026-02', '2026-03', '2026-04'])
  assert.deepEqual(monthsOf({ from: undefined, to: '2026-03-31' }, '2026-06-02', rows), ['2026-02', '2026-03'])
  assert.deepEqual(monthsOf({ from: undefined, to: undefined }, '2026-06-02', []), [])
  assert.equal(monthsOf({ from: '0001-01-01', to: undefined }, '2026-06-02', []).length, 240)
})

test('a row without hires has no days, and the scale ends with full tens', () => {
  const row = hires('2026-02', { n: 3, median_days: 4.5, p90_days: 11, min_days: 1, max_days: 41, links: { n: '/n' } })
  assert.deepEqual(spreadOf(row, 'hire'), { n: 3, median: 4.5, p90: 11, min: 1, max: 41, link: '/n' })
  assert.equal(spreadOf(row, 'fill'), undefined)
  assert.equal(scaleEnd([spreadOf(row, 'hire'), undefined]), 50)
  assert.equal(scaleEnd([]), 10)
})

test('applications per month are in the order of the sources and months, with zeros', () => {
  const groups = [
    { 'candidate.source': 'event', 'month(applied_on)': '2026-04', count: 2 },
    { 'candidate.source': 'agency', 'month(applied_on)': '2026-02', count: 5 },
  ]
  const months = monthsWithApplications(groups)
  // A month without applications is shown too.
  assert.deepEqual(months, ['2026-02', '2026-03', '2026-04'])
  assert.deepEqual(monthsBySource(groups, months, ['agency', 'event', null]), [
    { source: 'agency', counts: [5, 0, 0] },
    { source: 'event', counts: [0, 0, 2] },
    { source: null, counts: [0, 0, 0] },
  ])
  assert.deepEqual(monthFilter('2026-02', { from: '2026-02-10', to: undefined }), {
    applied_on_from: '2026-02-10',
    applied_on_to: '2026-02-28',
  })
})

test('the words of a place begin with a capital letter', () => {
  assert.equal(placeLabel('hà nội, vietnam'), 'Hà Nội, Vietnam')
  assert.equal(placeLabel("l'aquila"), "L'aquila")
  assert.equal(placeLabel('大阪, japan'), '大阪, Japan')
  assert.equal(placeLabel('aix-en-provence (sud)'), 'Aix-En-Provence (Sud)')
})
