/** In charge of proving the parts of the invented company that need no database: its calendar, its names, its memory. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { addWorked, dayOf, isCalendarDay, isWorked, workedBetween, writeDay } from '../src/demo/calendar.ts'
import { makeCompany } from '../src/demo/company.ts'
import { writeRow } from '../src/demo/copy-text.ts'
import { pools } from '../src/demo/names.ts'
import { FICTION_PATTERN, phoneIn } from '../src/demo/phones.ts'
import { makePlan } from '../src/demo/plan.ts'

const someDay = fc.integer({ min: dayOf('1990-01-01'), max: dayOf('2060-12-31') })

suite('the calendar', () => {
  test('counts working days as one would by hand', () => {
    fc.assert(
      fc.property(someDay, fc.integer({ min: 0, max: 400 }), (from, length) => {
        let counted = 0
        for (let day = from; day <= from + length; day++) if (isWorked(day)) counted++
        assert.equal(workedBetween(from, from + length), counted)
      }),
    )
  })

  test('adds working days so that counting them gives them back', () => {
    fc.assert(
      fc.property(someDay, fc.integer({ min: 0, max: 300 }), (from, count) => {
        const to = addWorked(from, count)
        assert.ok(isWorked(to))
        assert.equal(workedBetween(from, to), count + 1)
      }),
    )
  })

  test('knows which days exist', () => {
    assert.ok(isCalendarDay('2024-02-29'))
    for (const text of ['2023-02-29', '2024-13-01', '2024-1-1', '20240101', '']) assert.ok(!isCalendarDay(text), text)
    assert.equal(writeDay(dayOf('2026-10-30')), '2026-10-30')
  })
})

suite('the people', () => {
  test('have addresses in plain letters, whatever their script', () => {
    for (const { female, male, familyOfMen, familyOfWomen } of pools)
      for (const { written, plain } of [...female, ...male, ...familyOfMen, ...familyOfWomen]) {
        assert.match(plain, /^[a-z]+$/, written)
        assert.equal(written, written.trim())
      }
  })

  test('have telephone numbers from ranges kept for fiction, in every country', () => {
    for (const country of ['GB', 'IE', 'AU', 'DE', 'FR', 'US', 'JP', 'NG'])
      for (let key = 0; key < 200; key++) assert.match(phoneIn(country, key), new RegExp(FICTION_PATTERN))
  })
})

suite('the tables', () => {
  test('come in full for any seed, day and number of employees', () => {
    const anyPlan = fc.record({
      size: fc.constantFrom('small' as const, 'medium' as const, 'large' as const),
      employees: fc.integer({ min: 50, max: 300 }),
      seed: fc.string(),
      asOf: someDay,
    })
    fc.assert(
      fc.property(anyPlan, (options) => {
        for (const { expected, chunks, name } of makeCompany(makePlan(options))) {
          let rows = 0
          for (const chunk of chunks()) rows += chunk.rows
          if (expected > 0) assert.equal(rows, expected, name)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('are written so that no value can break out of its column', () => {
    assert.equal(writeRow([1, null, 'a\tb\\c\nd\re']), '1\t\\N\ta\\tb\\\\c\\nd\\re\n')
  })
})
