/** Opens screens and compares their figures with SQL over the same database. */
import type { Locator, Page } from '@playwright/test'
import { isDated } from '../../../packages/console/src/frame/screens.ts'
import type { DemoCompany } from '../../support/database.ts'
import { setToday } from '../support/clock.ts'
import { openConsole } from '../support/console-page.ts'
import type { Figure } from '../support/figures.ts'
import { figuresOnPage } from '../support/figures.ts'
import type { Muster } from '../support/muster.ts'
import { expect, publicOptions, test } from '../support/test.ts'
import type { ExpectedFigure } from './expected/texts.ts'
import { waitForScreen } from './screens.ts'
import type { Truth } from './truths.ts'

export interface ComparedCompany {
  readonly data: DemoCompany
  readonly days: readonly string[]
  /** Statements that change records of the demo company before the screens are opened. */
  readonly changes?: readonly string[]
}

/** Screens of the present must ignore the day that another screen has left in the URL. */
const ignoredDay = '2025-06-30'

/**
 * Defines one test for each screen: each of its figures equals SQL, and SQL has no figure that the screen has not. The
 * day is chosen on screens that have one; for the others, it is today.
 */
export const compareScreens = (
  { data, days, changes = [] }: ComparedCompany,
  truths: Readonly<Record<string, Truth>>,
): void => {
  test.describe(`company ${JSON.stringify(data)}`, () => {
    let muster: Muster
    test.beforeAll(async ({ services }) => {
      // Creating a company with a million attendance records takes minutes on a busy machine.
      test.setTimeout(1_200_000)
      muster = await services.start({ ...publicOptions, data }, changes)
    })

    for (const [name, { path, subject, expected }] of Object.entries(truths))
      test(`${name}: every figure equals SQL`, async ({ page }) => {
        const [row] = subject === undefined ? [{ id: 0 }] : await muster.sql<{ id: number }>(subject)
        if (row === undefined) throw new Error(`The company has no subject for the screen ${name}`)
        const hasDay = isDated(`/${path.split('?')[0]}`)
        for (const day of days) {
          if (!hasDay) await setToday(page.context(), day)
          const expectations = await expected(muster, day, row.id)
          const chosen = `as_of=${hasDay ? day : ignoredDay}`
          const dayPath = `${path.replace(':id', String(row.id))}${path.includes('?') ? '&' : '?'}${chosen}`
          // On a busy machine, the last figures can come after the network was idle.
          await expect(async () => {
            await openConsole(page, muster, dayPath)
            await waitForScreen(page)
            await expect(page.getByText(/^(Loading|Checking) /)).toHaveCount(0)
            expect(differencesOf(await figuresInAllViews(page), expectations), `${name} on ${day}`).toEqual([])
          }).toPass({ timeout: 60_000 })
          console.log(`${name} on ${day}: ${expectations.length} figures equal`)
        }
      })
  })
}

/** The figures of the charts, then those of the tables that the charts can be shown as. */
const figuresInAllViews = async (page: Page): Promise<Figure[]> => {
  const main = page.getByRole('main')
  await clickAll(main.getByRole('button', { name: /^(Show )?\d+ more/ }))
  await clickAll(main.getByRole('row', { name: /^and \d+ more/ }))
  const charts = await figuresOnPage(page)
  const hasTables = await clickAll(main.getByRole('button', { name: /^Show as a table/ }))
  return hasTables ? [...charts, ...(await figuresOnPage(page))] : charts
}

/** Clicks until none is left: a click changes the name by which they are found. */
const clickAll = async (targets: Locator): Promise<boolean> => {
  const count = await targets.count()
  for (let left = count; left > 0; left -= 1) {
    await targets.first().click()
    await expect(targets).toHaveCount(left - 1)
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
