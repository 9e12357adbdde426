/** Dates and date-times as clients write them, against the calendar of JavaScript itself. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { momentPattern, readMoment } from '@muster/model'
import fc from 'fast-check'

describe('a moment', () => {
  it('is every day of the calendar from year 1 to 9999, and no other', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(13), fc.nat(32), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const real = new Date(`${text}T00:00:00Z`)
        const exists = year > 0 && !Number.isNaN(real.getTime()) && real.toISOString().startsWith(text)
        assert.equal(readMoment(text)?.day, exists ? text : undefined)
      }),
      { numRuns: 20_000 },
    )
  })

  it('written by JavaScript is read as the same instant', () => {
    const anyDate = fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(anyDate, (date) => {
        assert.equal(new Date(readMoment(date.toISOString())?.instant ?? '').getTime(), date.getTime())
      }),
    )
  })

  it('with an offset is the instant in UTC and the day as written', () => {
    assert.deepEqual(readMoment('2026-12-24T00:30:00+01:00'), { day: '2026-12-24', instant: '2026-12-23T23:30:00Z' })
    assert.deepEqual(readMoment('2026-12-31 23:30-0100'), { day: '2026-12-31', instant: '2027-01-01T00:30:00Z' })
  })

  it('has a fraction only where it is not zero, and at most microseconds', () => {
    assert.equal(readMoment('2026-01-01T00:00:00.000Z')?.instant, '2026-01-01T00:00:00Z')
    assert.equal(readMoment('2026-01-01T00:00:00.120Z')?.instant, '2026-01-01T00:00:00.12Z')
    assert.equal(readMoment('2026-01-01T00:00:00.123456999Z')?.instant, '2026-01-01T00:00:00.123456Z')
  })

  it('outside the years 1 to 9999 once it is in UTC is none', () => {
    assert.equal(readMoment('0001-01-01T00:00:00+01:00'), undefined)
    assert.equal(readMoment('9999-12-31T23:59:59-00:01'), undefined)
  })

  it('always fits the published pattern', () => {
    const pattern = new RegExp(momentPattern, 'u')
    fc.assert(
      fc.property(fc.stringMatching(pattern), (text) => {
        assert.match(text, pattern)
        readMoment(text)
      }),
    )
  })
})
