import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dateTimePattern, parseDateTime } from '@muster/model'
import { fc } from '../../../tests/support/fast-check.ts'

describe('parseDateTime', () => {
  it('accepts every calendar day of the years 1 to 9999 and no other date', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(13), fc.nat(32), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const dateObject = new Date(`${text}T00:00:00Z`)
        const isCalendarDay =
          year > 0 && !Number.isNaN(dateObject.getTime()) && dateObject.toISOString().startsWith(text)
        assert.equal(parseDateTime(text)?.day, isCalendarDay ? text : undefined)
      }),
      { numRuns: 5_000 },
    )
  })

  it('parses the output of toISOString to the same instant', () => {
    const anyDate = fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(anyDate, (date) => {
        assert.equal(new Date(parseDateTime(date.toISOString())?.instant ?? '').getTime(), date.getTime())
      }),
    )
  })

  it('returns the instant in UTC, and the day without conversion to UTC', () => {
    assert.deepEqual(parseDateTime('2026-12-24T00:30:00+01:00'), { day: '2026-12-24', instant: '2026-12-23T23:30:00Z' })
    assert.deepEqual(parseDateTime('2026-12-31 23:30-0100'), { day: '2026-12-31', instant: '2027-01-01T00:30:00Z' })
  })

  it('keeps a nonzero fraction of a second, truncated to microseconds', () => {
    assert.equal(parseDateTime('2026-01-01T00:00:00.000Z')?.instant, '2026-01-01T00:00:00Z')
    assert.equal(parseDateTime('2026-01-01T00:00:00.120Z')?.instant, '2026-01-01T00:00:00.12Z')
    assert.equal(parseDateTime('2026-01-01T00:00:00.123456999Z')?.instant, '2026-01-01T00:00:00.123456Z')
  })

  it('rejects instants outside the years 1 to 9999 in UTC', () => {
    assert.equal(parseDateTime('0001-01-01T00:00:00+01:00'), undefined)
    assert.equal(parseDateTime('9999-12-31T23:59:59-00:01'), undefined)
  })

  it('never throws for a string that matches the pattern', () => {
    const pattern = new RegExp(dateTimePattern, 'u')
    fc.assert(
      fc.property(fc.stringMatching(pattern), (text) => {
        assert.match(text, pattern)
        parseDateTime(text)
      }),
    )
  })
})
