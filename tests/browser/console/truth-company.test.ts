/**
 * Every figure on the screens about the whole company equals SQL that is written from the definitions in
 * docs/reports.md, over the same database. A figure without such SQL is an error, and so is one that is missing on the page.
 */
import type { Page } from '@playwright/test'
import { openConsole } from '../support/console-page.ts'
import type { Figure } from '../support/figures.ts'
import { figuresOnPage } from '../support/figures.ts'
import type { Muster } from '../support/muster.ts'
import { demoDay, startMuster } from '../support/muster.ts'
import { expect, test } from '../support/test.ts'
import { attendanceSql } from './expected/attendance.ts'
import { headcountSql } from './expected/headcount.ts'
import { expectedHealth } from './expected/health.ts'
import { leaveSql } from './expected/leave.ts'
import type { ExpectedFigure } from './expected/texts.ts'
import { changedTodaySql, todaySql } from './expected/today.ts'
import { waitForScreen } from './screens.ts'

/** The second company has records that break the rules of Health. One day ends a month, one is after the last record. */
const companies = [
  { data: { seed: 'truth-1' }, days: [demoDay, '2026-09-30'] },
  { data: { seed: 'truth-2', asOf: '2027-02-26', withFaults: true }, days: ['2027-02-26', '2027-03-10'] },
] as const

const realDay = new Date().toISOString().slice(0, 10)

type Expectation = (muster: Muster, day: string) => Promise<ExpectedFigure[]>

const bySql =
  (query: string): Expectation =>
  ({ sql }, day) =>
    sql<ExpectedFigure>(query, [day])

/** The panel "Changed today" is shown only for the real day. */
const expectedToday: Expectation = async ({ sql }, day) => [
  ...(await sql<ExpectedFigure>(todaySql, [day])),
  ...(day === realDay ? await sql<ExpectedFigure>(changedTodaySql) : []),
]

const truths: Readonly<Record<string, readonly [path: string, expected: Expectation]>> = {
  today: ['today?', expectedToday],
  headcount: ['headcount?', bySql(headcountSql('dept_id'))],
  'headcount by contract': ['headcount?by=employment_type&', bySql(headcountSql('employment_type'))],
  attendance: ['attendance?', bySql(attendanceSql)],
  leave: ['leave?', bySql(leaveSql('dept_id'))],
  'leave by manager': ['leave?by=manager&', bySql(leaveSql('manager_id'))],
  health: ['health?', expectedHealth],
}

for (const { data, days } of companies) {
  test.describe(`company ${data.seed}`, () => {
    let muster: Muster
    test.beforeAll(async () => {
      muster = await startMuster({ data, tokens: {} })
      // The first request to the feed of a cloned database empties it.
      await fetch(`${muster.origin}/api/v1/changes`)
      await muster.sql("update employees set designation = coalesce(designation, '') || ' ' where id % 7 = 0")
    })
    test.afterAll(() => muster.stop())

    for (const [name, [path, expected]] of Object.entries(truths))
      test(`${name}: every figure equals SQL`, async ({ page }) => {
        for (const day of name === 'today' ? [...days, realDay] : days) {
          const expectations = await expected(muster, day)
          await openConsole(page, muster, `${path}as_of=${day}`)
          await waitForScreen(page)
          if (name === 'today' && day === realDay)
            await expect(page.getByRole('region', { name: 'Changed today' }).getByRole('table')).toBeVisible()
          await expect(page.getByText(/^(Loading|Checking) /)).toHaveCount(0)
          const figures = await figuresInAllViews(page)
          expect(differencesOf(figures, expectations), `${name} on ${day}`).toEqual([])
          console.log(`${name} on ${day}: ${figures.length} figures equal`)
        }
      })
  })
}

/** The figures of the charts, then those of the tables that the charts can be shown as. */
const figuresInAllViews = async (page: Page): Promise<Figure[]> => {
  await clickAll(page, /^Show \d+ more$/)
  const charts = await figuresOnPage(page)
  const hasTables = await clickAll(page, /^Show as a table/)
  return hasTables ? [...charts, ...(await figuresOnPage(page))] : charts
}

/** Clicks until no button has the name: the name changes with the click. */
const clickAll = async (page: Page, name: RegExp): Promise<boolean> => {
  const buttons = page.getByRole('main').getByRole('button', { name })
  const count = await buttons.count()
  for (let left = count; left > 0; left -= 1) {
    await buttons.first().click()
    await expect(buttons).toHaveCount(left - 1)
  }
  return count > 0
}

const differencesOf = (figures: readonly Figure[], expectations: readonly ExpectedFigure[]): string[] => {
  const expectedByName = new Map(expectations.map((expectation) => [expectation.name, expectation]))
  const names = new Set(figures.map(({ name }) => name))
  return [
    ...figures.flatMap(({ name, text }) => {
      const expectation = expectedByName.get(name)
      if (expectation === undefined) return [`${name}: ${text} on the page, no SQL`]
      return [expectation.text, expectation.label].includes(text)
        ? []
        : [`${name}: ${text} on the page, ${expectation.text} by SQL (${expectation.label ?? 'no label'})`]
    }),
    ...expectations.flatMap(({ name, text }) => (names.has(name) ? [] : [`${name}: not on the page, ${text} by SQL`])),
  ]
}
