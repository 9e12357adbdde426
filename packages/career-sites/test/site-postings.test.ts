import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fc } from '../../../tests/support/fast-check.ts'
import { frameLanguages, textsIn } from '../src/locales/texts/texts.ts'
import { noFilters } from '../src/postings/posting.ts'
import type { IndexedPosting } from '../src/postings/site-postings.ts'
import { filterPostings, SitePostings, withTexts } from '../src/postings/site-postings.ts'
import { formatPay } from '../src/rendering/formats.ts'
import { posting, site } from './samples.ts'

const indexed = (id: number, values: Partial<IndexedPosting> = {}): IndexedPosting => ({
  ...posting,
  id,
  jobId: id,
  slug: `job-${id}`,
  postedMs: -Infinity,
  startsMs: -Infinity,
  endsMs: Infinity,
  bytes: 1,
  ...values,
})
const idsIn = (postings: readonly IndexedPosting[]) => postings.map(({ id }) => id)

describe('the postings of a site', () => {
  it('are visible from their start until before their end', () => {
    const postings = new SitePostings(site, [
      indexed(1),
      indexed(2, { startsMs: 100, postedMs: 100 }),
      indexed(3, { startsMs: 50.5, postedMs: 50.5, endsMs: 200 }),
    ])
    const cases = [
      [50, [1], 50.5],
      [51, [3, 1], 100],
      [99, [3, 1], 100],
      [100, [2, 3, 1], 200],
      [199, [2, 3, 1], 200],
      [200, [2, 1], undefined],
      // A clock that goes back.
      [60, [3, 1], 100],
    ] as const
    for (const [now, ids, expiresAt] of cases) {
      const visible = postings.visibleAt(now)
      assert.deepEqual([idsIn(visible.in('de').postings), visible.expiresAt], [ids, expiresAt], String(now))
    }
  })

  it('are in the order of their dates, then of their ids, and without a date at the end', () => {
    const postings = new SitePostings(site, [
      indexed(1),
      indexed(2, { postedMs: 5 }),
      indexed(3, { postedMs: 9 }),
      indexed(4),
      indexed(5, { postedMs: 9 }),
    ])
    assert.deepEqual(idsIn(postings.published), [5, 3, 2, 4, 1])
    assert.deepEqual(idsIn(postings.visibleAt(10).all()), [1, 2, 3, 4, 5])
  })

  it('have choices in the order of the language, without those of other locales', () => {
    const places = ['Zürich', 'Österreich', 'Aachen', undefined, 'Aachen', 'Zürich']
    const postings = new SitePostings(site, [
      ...places.map((location, index) => indexed(index, { location })),
      indexed(9, { locale: 'en', location: 'York' }),
    ])
    assert.deepEqual(postings.visibleAt(0).in('de').choices.place, ['Aachen', 'Österreich', 'Zürich'])
    assert.deepEqual(postings.visibleAt(0).in('fr'), {
      postings: [],
      choices: { department: [], contract: [], workplace: [], place: [] },
    })
  })

  it('have choices of a filter only for more than five postings, and for two values or more', () => {
    const choicesOf = (count: number) => {
      const postings = Array.from({ length: count }, (_, index) =>
        indexed(index, { location: `Place ${index}`, department: 'Depot', employmentType: undefined }),
      )
      return new SitePostings(site, postings).visibleAt(0).in('de').choices
    }
    assert.deepEqual(choicesOf(5).place, [])
    const { place, department, contract } = choicesOf(6)
    assert.deepEqual([place.length, department, contract], [6, [], []])
  })

  it('are filtered by all filters and by the jobs that contain the words', () => {
    const postings = [
      indexed(1, { department: 'A', location: 'X' }),
      indexed(2, { department: 'A', location: undefined }),
      indexed(3, { department: 'B', location: 'X' }),
    ]
    assert.deepEqual(idsIn(filterPostings(postings, noFilters, undefined)), [1, 2, 3])
    assert.deepEqual(idsIn(filterPostings(postings, { ...noFilters, department: 'A', place: 'X' }, undefined)), [1])
    assert.deepEqual(idsIn(filterPostings(postings, { ...noFilters, department: 'A' }, new Set([2, 3]))), [2])
  })

  it('have dates only where JavaScript has them', () => {
    const texts = { code: undefined, description: undefined, requirements: undefined }
    const datesOf = (values: Partial<IndexedPosting>) => {
      const { postedAt, endsAt } = withTexts(indexed(1, values), texts)
      return [postedAt, endsAt]
    }
    const day = Date.UTC(2026, 0, 5)
    assert.deepEqual(datesOf({ postedMs: day }), ['2026-01-05', undefined])
    assert.deepEqual(datesOf({ postedMs: day, startsMs: day + 0.5, endsMs: day }), [
      '2026-01-05T00:00:00.000Z',
      '2026-01-05T00:00:00.000Z',
    ])
    for (const ms of [Infinity, -Infinity, Number.NaN, 1e18])
      assert.deepEqual(datesOf({ postedMs: ms }), [undefined, undefined])
  })
})

describe('a range of pay', () => {
  it('is what formatRange of Intl returns, in every language and currency', () => {
    const amount = fc.oneof(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 10_000_000 }))
    fc.assert(
      fc.property(
        fc.constantFrom(...frameLanguages),
        fc.constantFrom('', '-AT', '-CH', '-IN', '-BR'),
        fc.constantFrom(...Intl.supportedValuesOf('currency')),
        amount,
        amount,
        (language, region, currency, first, second) => {
          fc.pre(first !== second)
          const [min, max] = [Math.min(first, second), Math.max(first, second)]
          const formats = language + region
          const expected = new Intl.NumberFormat(formats, {
            style: 'currency',
            currency,
            maximumFractionDigits: 0,
          }).formatRange(min, max)
          const text = formatPay(
            { min, max, currency },
            { language, formats, contentLanguage: undefined, direction: 'ltr' },
          )
          assert.equal(
            text,
            textsIn(language).perYear.replace('{pay}', () => expected),
          )
        },
      ),
      { numRuns: 400 },
    )
  })

  it('is one amount if both ends look the same', () => {
    const frame = { language: 'en', formats: 'en', contentLanguage: undefined, direction: 'ltr' } as const
    assert.equal(formatPay({ min: 100.1, max: 100.4, currency: 'EUR' }, frame), '€100 per year')
  })
})
