import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApplicationTypes, RecordHistory, ReportRows } from '@muster/client'
import {
  candidateChips,
  candidateFilters,
  filtersWithout,
  noFilters,
  selectedValues,
  sortOrder,
} from '../src/screens/candidates/candidate-query.ts'
import { endText, isOngoing, ongoingFirst, totalDays, trackParts } from '../src/screens/candidates/tracks.ts'
import { slowestStage, stageMedians } from '../src/screens/hiring/stage-medians.ts'
import { stageStays } from '../src/screens/hiring/stage-stays.ts'

type Change = RecordHistory<ApplicationTypes['trackedField']>['data'][number]

const asOf = '2026-11-13'
const first = (field: Change['field'], value: string): Change => ({
  id: null,
  field,
  old: null,
  new: value,
  on: null,
  since: null,
  at: null,
})
const change = (
  field: Change['field'],
  old: string,
  value: string,
  on: string,
  since: string | null = null,
): Change => ({
  id: 1,
  field,
  old,
  new: value,
  on,
  since,
  at: `${on}T08:00:00Z`,
})
const history = (history_from: string, ...data: Change[]) => ({ data, meta: { total: data.length, history_from } })

const ongoing = { applied_on: '2026-10-01', stage_entered_on: '2026-10-08' }
const recorded = history(
  '2024-03-03',
  first('stage', 'applied'),
  change('stage', 'applied', 'Interview', '2026-10-08', '2026-10-01'),
  first('status', 'active'),
)

describe('the track of an application', () => {
  it('has the days of each stage, up to today in the present one', () => {
    const parts = trackParts(ongoing.applied_on, stageStays(ongoing, recorded, asOf))
    assert.deepEqual(
      parts.map(({ stay, days }) => [stay?.stage, stay?.goesOn, days]),
      [
        ['applied', false, 7],
        ['Interview', true, 36],
      ],
    )
    assert.equal(totalDays(parts), 43)
  })

  it('has a part without a stage for the days before the first one that is recorded', () => {
    const cut = history(
      '2026-10-05',
      first('stage', 'interview'),
      change('stage', 'interview', 'offer', '2026-10-20', '2026-10-10'),
      first('status', 'active'),
    )
    assert.deepEqual(
      trackParts(ongoing.applied_on, stageStays(ongoing, cut, asOf)).map(({ stay, days }) => [stay?.stage, days]),
      [
        [undefined, 9],
        ['interview', 10],
        ['offer', 24],
      ],
    )
  })

  it('has no part for a stage of no days, nor for the hire', () => {
    const hired = history(
      '2024-03-03',
      first('stage', 'applied'),
      change('stage', 'applied', 'shortlisted', '2026-10-01', '2026-10-01'),
      change('stage', 'shortlisted', 'hired', '2026-10-08', '2026-10-01'),
      first('status', 'active'),
      change('status', 'active', 'hired', '2026-10-08'),
    )
    assert.deepEqual(
      trackParts(ongoing.applied_on, stageStays(ongoing, hired, asOf)).map(({ stay, days }) => [stay?.stage, days]),
      [['shortlisted', 7]],
    )
  })
})

describe('the applications of a candidate', () => {
  const application = (stage: string, status: string) => ({ stage, status, ...ongoing })

  it('go on unless they are hired, rejected or withdrawn, in any spelling', () => {
    assert.equal(isOngoing(application('interview', 'Active')), true)
    for (const [stage, status] of [
      ['interview', 'REJECTED'],
      ['interview', 'withdrawn'],
      ['Hired', 'active'],
      ['offer', 'Hired'],
    ] as const)
      assert.equal(isOngoing(application(stage, status)), false, `${stage} ${status}`)
  })

  it('are listed with those that go on first, and otherwise in their order', () => {
    const listed = [
      application('offer', 'rejected'),
      application('applied', 'active'),
      application('interview', 'active'),
    ]
    assert.deepEqual(
      ongoingFirst(listed).map(({ stage }) => stage),
      ['applied', 'interview', 'offer'],
    )
  })

  it('say from when to when they went on, and how they ended', () => {
    const stays = stageStays(
      ongoing,
      history(
        '2024-03-03',
        first('stage', 'interview'),
        first('status', 'active'),
        change('status', 'active', 'rejected', '2026-10-20'),
      ),
      asOf,
    ).stays
    assert.equal(endText(application('interview', 'rejected'), stays), '1 Oct – 20 Oct 2026, rejected after Interview')
    assert.equal(endText(application('hired', 'hired'), []), '1 Oct – 8 Oct 2026, hired')
    assert.equal(
      endText(application('phone_screen', 'withdrawn'), []),
      'applied 1 Oct 2026, withdrawn after Phone screen',
    )
    assert.equal(endText({ ...application('offer', 'rejected'), applied_on: null }, []), 'rejected after Offer')
  })
})

describe('the slowest stage of an opening', () => {
  const row = (stage: string, median_days: number | null) =>
    ({ stage, median_days, links: {} }) as ReportRows['timeInStage']
  const company = [row('applied', 4), row('interview', 8), row('offer', 5)]

  it('is the one with most days above the median of the company', () => {
    const own = [row('applied', 8), row('interview', 13), row('offer', 3)]
    assert.equal(slowestStage(['applied', 'interview', 'offer'], stageMedians(own, company)), 'interview')
  })

  it('is none if no median is clearly above', () => {
    const own = [row('applied', 5), row('interview', 10), row('offer', null)]
    assert.equal(slowestStage(['applied', 'interview', 'offer'], stageMedians(own, company)), undefined)
    assert.equal(slowestStage([], stageMedians([], [])), undefined)
  })
})

describe('the list of candidates', () => {
  it('ignores values that no filter of the API accepts', () => {
    assert.deepEqual(candidateFilters({ q: ' ', status: ', ', consent: 'perhaps' }), {
      q: undefined,
      status: undefined,
      source: undefined,
      consent_at_is_null: undefined,
    })
  })

  it('filters by consent, unless both values are chosen', () => {
    assert.equal(candidateFilters({ consent: 'none' }).consent_at_is_null, true)
    assert.equal(candidateFilters({ consent: 'given' }).consent_at_is_null, false)
    assert.equal(candidateFilters({ consent: 'given,none' }).consent_at_is_null, undefined)
    assert.deepEqual(selectedValues({ consent: 'given,none' }, 'consent'), ['given', 'none'])
  })

  it('leaves out the filter of the facet that is counted', () => {
    const filters = candidateFilters({ q: 'ada', status: 'active', source: 'event', consent: 'none' })
    assert.equal(filtersWithout(filters, 'consent').consent_at_is_null, undefined)
    assert.equal(filtersWithout(filters, 'status').status, undefined)
    assert.deepEqual(filtersWithout(filters, 'status').source, ['event'])
  })

  it('has a chip for the search and for each value, which says what remains without it', () => {
    const chips = candidateChips({ q: ' ada ', source: 'event,job_board', consent: 'none' })
    assert.deepEqual(
      chips.map(({ title, text }) => `${title} ${text}`),
      ['Search ada', 'Source Event', 'Source Job board', 'Consent None recorded'],
    )
    assert.deepEqual(chips[1]?.without, { source: 'job_board' })
    assert.deepEqual(candidateChips(noFilters), [])
  })

  it('has the newest first, and is not sorted by names that are withheld', () => {
    const newest = { field: 'created', isDescending: true }
    assert.deepEqual(sortOrder(undefined, false), newest)
    assert.deepEqual(sortOrder('last_name', false), { field: 'last_name', isDescending: false })
    assert.deepEqual(sortOrder('last_name', true), newest)
    assert.deepEqual(sortOrder('email', false), newest)
  })
})
