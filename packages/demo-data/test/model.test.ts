import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fc } from '../../../tests/support/fast-check.ts'
import { addWorkdays, formatDay, isCalendarDay, isWorkday, parseDay, workdaysBetween } from '../src/calendar.ts'
import { makeCompany } from '../src/company/company.ts'
import { formatRow } from '../src/copy-text.ts'
import { makePlan } from '../src/plan.ts'
import { pools } from '../src/vocabulary/names.ts'
import { FICTION_PATTERN, phoneIn } from '../src/vocabulary/phones.ts'

const someDay = fc.integer({ min: parseDay('1990-01-01'), max: parseDay('2060-12-31') })

suite('calendar functions', () => {
  test('count working days', () => {
    fc.assert(
      fc.property(someDay, fc.integer({ min: 0, max: 400 }), (from, length) => {
        let workdays = 0
        for (let day = from; day <= from + length; day++) if (isWorkday(day)) workdays++
        assert.equal(workdaysBetween(from, from + length), workdays)
      }),
    )
  })

  test('add working days consistently with counting them', () => {
    fc.assert(
      fc.property(someDay, fc.integer({ min: 0, max: 300 }), (from, count) => {
        const to = addWorkdays(from, count)
        assert.ok(isWorkday(to))
        assert.equal(workdaysBetween(from, to), count + 1)
      }),
    )
  })

  test('accept only days that exist', () => {
    assert.ok(isCalendarDay('2024-02-29'))
    for (const text of ['2023-02-29', '2024-13-01', '2024-1-1', '20240101', '']) assert.ok(!isCalendarDay(text), text)
    assert.equal(formatDay(parseDay('2026-10-30')), '2026-10-30')
  })
})

suite('generated people', () => {
  test('have ASCII e-mail addresses, whatever the script of their names', () => {
    for (const { female, male, familyNamesOfMen, familyNamesOfWomen } of pools)
      for (const { written, ascii } of [...female, ...male, ...familyNamesOfMen, ...familyNamesOfWomen]) {
        assert.match(ascii, /^[a-z]+$/, written)
        assert.equal(written, written.trim())
      }
  })

  test('have telephone numbers from ranges reserved for fiction, in every country', () => {
    for (const country of ['GB', 'IE', 'AU', 'DE', 'FR', 'US', 'JP', 'NG'])
      for (let randomKey = 0; randomKey < 200; randomKey++)
        assert.match(phoneIn(country, randomKey), new RegExp(FICTION_PATTERN))
  })
})

suite('generated tables', () => {
  test('have the expected number of rows for any seed, day and number of employees', () => {
    const anyPlan = fc.record({
      size: fc.constantFrom('small' as const, 'medium' as const, 'large' as const),
      employees: fc.integer({ min: 50, max: 300 }),
      seed: fc.string(),
      asOf: someDay,
    })
    fc.assert(
      fc.property(anyPlan, (options) => {
        for (const { rowCount, chunks, name } of makeCompany(makePlan(options))) {
          let rows = 0
          for (const chunk of chunks()) rows += chunk.rows
          assert.equal(rows, rowCount, name)
        }
      }),
      { numRuns: 8 },
    )
  })

  test('escape the special characters of COPY', () => {
    assert.equal(formatRow([1, null, 'a\tb\\c\nd\re']), '1\t\\N\ta\\tb\\\\c\\nd\\re\n')
  })
})
