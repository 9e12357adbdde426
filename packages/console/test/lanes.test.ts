import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordHistory } from '@muster/client'
import type { TrackedField } from '../src/components/employee-changes.ts'
import { lanePosition, lanesOf, laneTicks } from '../src/screens/person/lanes.ts'

const asOf = '2026-11-13'
const employee = { status: 'active', date_of_joining: '2021-09-06', termination_date: null }

type Entry = readonly [
  id: number | null,
  field: TrackedField,
  on: string | null,
  old: string | null,
  value: string | null,
]

const historyOf = (from: string, entries: readonly Entry[]): RecordHistory<TrackedField> => ({
  data: entries.map(([id, field, on, old, value]) => ({ id, field, on, old, new: value, since: null, at: null })),
  meta: { total: entries.length, history_from: from },
})

const changes: readonly Entry[] = [
  [null, 'designation', '2021-09-06', null, 'Engineer'],
  [null, 'branch', '2021-09-06', null, 'Berlin'],
  [1, 'designation', '2022-01-10', 'Engineer', 'Senior Engineer'],
  [2, 'designation', '2025-04-01', 'Senior Engineer', 'Lead Engineer'],
  [3, 'designation', '2025-04-01', 'Lead Engineer', 'Team Manager'],
]

const titles = (...args: Parameters<typeof lanesOf>): string[] | undefined =>
  lanesOf(...args)
    ?.lanes.find(({ field }) => field === 'designation')
    ?.stays.map(({ value, from, to }) => `${value} ${from} ${to}`)

describe('the lanes of a person', () => {
  it('have each value with its days, and of several on one day the last one', () => {
    assert.deepEqual(titles(employee, historyOf('2020-01-01', changes), asOf), [
      'Engineer 2021-09-06 2022-01-10',
      'Senior Engineer 2022-01-10 2025-04-01',
      'Team Manager 2025-04-01 2026-11-13',
    ])
  })

  it('begin with the first recorded day, and show that the person was employed before', () => {
    const lanes = lanesOf(employee, historyOf('2024-03-03', changes), asOf)
    assert.equal(lanes?.unknownFrom, '2021-09-06')
    assert.deepEqual(titles(employee, historyOf('2024-03-03', changes), asOf), [
      'Senior Engineer 2024-03-03 2025-04-01',
      'Team Manager 2025-04-01 2026-11-13',
    ])
    if (lanes === undefined) throw new Error('no lanes')
    assert.equal(lanePosition(lanes, '2024-03-03'), 0.14)
    assert.equal(lanePosition(lanes, asOf), 1)
    assert.deepEqual(
      laneTicks(lanes).map(({ label }) => label),
      ['Sep 2021', 'Mar 2024', '2025', '2026'],
    )
  })

  it('end when somebody leaves', () => {
    const left = { ...employee, status: 'terminated', termination_date: '2025-12-31' }
    assert.equal(titles(left, historyOf('2020-01-01', changes), asOf)?.at(-1), 'Team Manager 2025-04-01 2025-12-31')
  })

  it('are left out if the days of the employment are withheld, missing or ahead', () => {
    const history = historyOf('2020-01-01', changes)
    assert.equal(lanesOf({ ...employee, status: 'terminated' }, history, asOf), undefined)
    assert.equal(lanesOf({ ...employee, date_of_joining: null }, history, asOf), undefined)
    assert.equal(lanesOf({ ...employee, date_of_joining: '2027-01-01' }, history, asOf), undefined)
  })
})
