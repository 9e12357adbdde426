import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordedValue } from '@muster/client'
import type { TrackedField } from '../src/components/employee-changes.ts'
import { changeTitle, referredIds } from '../src/components/employee-changes.ts'
import { stageStays } from '../src/screens/hiring/stage-stays.ts'
import { hiringPath } from '../src/screens/person/hiring-path.ts'
import { spanText, timelineOf } from '../src/screens/person/timeline.ts'

const entry = <F extends string>(
  id: number | null,
  field: F,
  on: string | null,
  before: string | null,
  after: string | null,
  since: string | null = null,
): RecordedValue<F> => ({
  id,
  field,
  on,
  old: before,
  new: after,
  since,
  at: id === null ? null : '2026-01-01T00:00:00Z',
})

const historyOf = <F extends string>(historyFrom: string, data: RecordedValue<F>[]) => ({
  data,
  meta: { total: data.length, history_from: historyFrom },
})

describe('the timeline of a person', () => {
  const asOf = '2026-11-13'
  const employee = {
    id: 5,
    code: 'K5',
    status: 'active',
    date_of_joining: '2021-09-06' as string | null,
    termination_date: null as string | null,
  }
  const stepsOf = (values: Partial<typeof employee> = {}) =>
    hiringPath({ ...employee, ...values }, { id: 9, source: null, created: null }, [], asOf, false)
  const firsts = [entry<TrackedField>(null, 'designation', '2021-09-06', null, 'Engineer')]
  const changes = [
    entry<TrackedField>(1, 'designation', '2024-09-02', 'Engineer', 'Senior Engineer'),
    entry<TrackedField>(2, 'manager_id', '2025-04-01', '7', '8'),
    entry<TrackedField>(3, 'dept_id', '2025-04-01', '1', '2'),
    entry<TrackedField>(4, 'manager_id', '2025-04-01', '8', null),
  ]
  /** Each entry as a text, with an asterisk if it shows the first values. */
  const texts = (...parameters: Parameters<typeof timelineOf>) =>
    timelineOf(...parameters).map((item) => {
      const text =
        item.kind === 'step'
          ? `${item.step.day} ${item.step.title}`
          : item.kind === 'change'
            ? `${item.day} ${changeTitle(item.changes)}, ${item.span}`
            : item.kind === 'known'
              ? `${item.day} known`
              : 'first'
      return `${text}${item.kind !== 'change' && item.firstValues !== undefined ? ' *' : ''}`
    })

  it('has the changes of a day as one entry, and how long each state lasted', () => {
    assert.deepEqual(texts(stepsOf(), historyOf('2020-01-01', [...firsts, ...changes]), asOf), [
      'null Became a candidate',
      '2021-09-06 Joined *',
      '2024-09-02 New title, 6 months',
      '2025-04-01 Moved department, new manager, for 19 months',
    ])
  })

  it('keeps every value of a field that changed several times on a day', () => {
    const last = timelineOf(stepsOf(), historyOf('2020-01-01', [...firsts, ...changes]), asOf).at(-1)
    assert.deepEqual(last?.kind === 'change' ? last.changes : undefined, [
      { field: 'dept_id', values: ['1', '2'] },
      { field: 'manager_id', values: ['7', '8', null] },
    ])
  })

  it('says from which day on changes are known, and does not say what somebody was on the first day', () => {
    assert.deepEqual(texts(stepsOf(), historyOf('2024-03-03', [...firsts, ...changes]), asOf), [
      'null Became a candidate',
      '2021-09-06 Joined',
      '2024-03-03 known *',
      '2024-09-02 New title, 6 months',
      '2025-04-01 Moved department, new manager, for 19 months',
    ])
    assert.deepEqual(texts(stepsOf({ date_of_joining: null }), historyOf('2020-01-01', firsts), asOf), [
      'null Became a candidate',
      'null Joined',
      '2020-01-01 known *',
    ])
  })

  it('has the first values below changes from before that day', () => {
    assert.deepEqual(texts(stepsOf(), historyOf('2025-01-01', [...firsts, ...changes]), asOf), [
      'null Became a candidate',
      '2021-09-06 Joined',
      'first *',
      '2024-09-02 New title, 6 months',
      '2025-01-01 known',
      '2025-04-01 Moved department, new manager, for 19 months',
    ])
    const early = [entry<TrackedField>(1, 'designation', '2021-01-01', 'Engineer', 'Senior Engineer')]
    assert.deepEqual(texts(stepsOf(), historyOf('2020-01-01', [...firsts, ...early]), asOf), [
      'null Became a candidate',
      'first *',
      '2021-01-01 New title, for 5 years 10 months',
      '2021-09-06 Joined',
    ])
  })

  it('does not say that the last state of somebody who left goes on', () => {
    const steps = stepsOf({ status: 'terminated', termination_date: '2026-01-31' })
    assert.deepEqual(texts(steps, historyOf('2020-01-01', [...firsts, ...changes]), asOf).slice(-2), [
      '2025-04-01 Moved department, new manager, ',
      '2026-01-31 Left',
    ])
    const withheld = stepsOf({ status: 'terminated' })
    assert.equal(texts(withheld, historyOf('2020-01-01', [...firsts, ...changes]), asOf).at(-1), 'null Left')
  })

  it('asks for each department and manager once', () => {
    const history = historyOf('2020-01-01', [...firsts, ...changes])
    assert.deepEqual(referredIds(history.data, 'manager_id'), [7, 8])
    assert.deepEqual(referredIds(history.data, 'dept_id'), [1, 2])
  })

  it('has spans of days, months and years', () => {
    assert.deepEqual(
      (
        [
          ['2026-01-31', '2026-02-01'],
          ['2026-01-15', '2026-03-14'],
          ['2026-01-15', '2026-03-15'],
          ['2024-01-15', '2026-01-14'],
          ['2024-01-15', '2026-01-15'],
          ['2024-01-15', '2026-02-15'],
        ] as const
      ).map(([from, to]) => spanText(from, to)),
      ['1 day', '58 days', '2 months', '23 months', '2 years', '2 years 1 month'],
    )
  })
})

describe('the days of an application in each stage', () => {
  type Field = 'stage' | 'status'
  const asOf = '2026-11-13'
  const application = { applied_on: '2026-10-01', stage_entered_on: '2026-10-19' }
  const firsts = [
    entry<Field>(null, 'stage', '2026-10-01', null, 'applied'),
    entry<Field>(null, 'status', '2026-10-01', null, 'active'),
  ]
  const changes = [
    entry<Field>(1, 'stage', '2026-10-02', 'applied', 'phone_screen', '2026-10-01'),
    entry<Field>(2, 'stage', '2026-10-19', 'phone_screen', 'interview', '2026-10-02'),
  ]
  const staysOf = (
    historyFrom: string,
    data: RecordedValue<Field>[],
    of: Parameters<typeof stageStays>[0] = application,
  ) => {
    const { stays, isCut } = stageStays(of, historyOf(historyFrom, data), asOf)
    return [...stays.map(({ stage, from, to, days, goesOn }) => [stage, from, to, days, goesOn]), isCut]
  }

  it('has the stages from the application on', () => {
    assert.deepEqual(staysOf('2026-01-01', [...firsts, ...changes]), [
      ['applied', '2026-10-01', '2026-10-02', 1, false],
      ['phone_screen', '2026-10-02', '2026-10-19', 17, false],
      ['interview', '2026-10-19', null, 25, true],
      false,
    ])
  })

  it('ends with the day of the rejection, if that was recorded', () => {
    const rejected = entry<Field>(3, 'status', '2026-11-02', 'active', 'rejected')
    assert.deepEqual(staysOf('2026-01-01', [...firsts, ...changes, rejected]).at(-2), [
      'interview',
      '2026-10-19',
      '2026-11-02',
      14,
      false,
    ])
    const unrecorded = [firsts[0] as RecordedValue<Field>, entry<Field>(null, 'status', null, null, 'Rejected')]
    assert.deepEqual(staysOf('2026-01-01', [...unrecorded, ...changes]).at(-2), [
      'interview',
      '2026-10-19',
      null,
      undefined,
      false,
    ])
  })

  it('says that earlier stages may be missing if they were not recorded', () => {
    const interview = [entry<Field>(null, 'stage', '2026-10-01', null, 'interview'), firsts[1] as RecordedValue<Field>]
    assert.deepEqual(staysOf('2026-11-01', interview), [['interview', '2026-10-19', null, 25, true], true])
    assert.deepEqual(staysOf('2026-10-10', [...firsts, ...changes.slice(1)]), [
      ['applied', '2026-10-02', '2026-10-19', 17, false],
      ['interview', '2026-10-19', null, 25, true],
      true,
    ])
  })

  it('does not end with another spelling of the same stage or status', () => {
    const respelled = [
      entry<Field>(4, 'stage', '2026-10-25', 'interview', 'INTERVIEW', '2026-10-19'),
      entry<Field>(5, 'status', '2026-11-02', 'active', 'rejected'),
      entry<Field>(6, 'status', '2026-11-10', 'rejected', 'REJECTED'),
    ]
    assert.deepEqual(staysOf('2026-01-01', [...firsts, ...changes, ...respelled]).slice(-2), [
      ['interview', '2026-10-19', '2026-11-02', 14, false],
      false,
    ])
  })

  it('has no days where the recorded ones contradict each other', () => {
    const late = entry<Field>(1, 'stage', '2026-10-19', 'applied', 'interview', '2026-10-20')
    assert.deepEqual(staysOf('2026-11-01', [...firsts, late])[0], [
      'applied',
      '2026-10-20',
      '2026-10-19',
      undefined,
      false,
    ])
    const unknown = { applied_on: null, stage_entered_on: null }
    assert.deepEqual(staysOf('2020-01-01', firsts, unknown), [['applied', null, null, undefined, true], false])
  })
})
