/**
 * On a day of the past, no figure of the present looks like one of that day. Two companies have the same records of what
 * happened until that day; all values that can have changed since are different. A figure that differs depends on the
 * present, so its label must say "now".
 */
import type { Page } from '@playwright/test'
import { isDated } from '../../../packages/console/src/frame/screens.ts'
import { openConsole, screens } from '../support/console-page.ts'
import type { Muster } from '../support/muster.ts'
import { demoDay } from '../support/muster.ts'
import { expect, publicOptions, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

const yearAgo = '2025-10-30'
const beforeAllRecords = '1990-10-30'

/** Attendance of a year ago, which the demo company does not have. */
const recordsOfThatTime = `insert into attendance (employee_id, att_date, status)
  select employee_id, att_date - 364, status from attendance`

/** What can have happened since that day without leaving a date of that day or earlier. */
const changesSince: readonly string[] = [
  `update employees set dept_id = case dept_id when 1 then 2 else 1 end, branch = 'Elsewhere',
    employment_type = case employment_type when 'contract' then 'full_time' else 'contract' end`,
  `update employees set status = 'active', termination_date = null where termination_date > '${yearAgo}'`,
  `update employees set status = 'terminated' where termination_date is null and id % 3 = 0`,
  `update employees set manager_id = null where id % 5 = 0`,
  // An application that stays in its stage keeps its day: another one would be a correction.
  `update applications set stage = 'applied',
    stage_entered_on = case when stage = 'applied' then stage_entered_on else (now() at time zone 'utc')::date end,
    status = case status when 'rejected' then 'active' else 'rejected' end
    where stage_entered_on > '${yearAgo}' or lower(status) <> 'hired'`,
  `update job_openings set dept_id = case dept_id when 1 then 2 else 1 end, status = 'closed'`,
  `update leave_requests set status = case status when 'approved' then 'cancelled' else 'approved' end where id % 2 = 0`,
  `update attendance set status = 'absent' where att_date > '${yearAgo}'`,
]

interface LabelledFigure {
  readonly text: string
  readonly value: number
  /** Whether the text that names the figure says that it is of the present. */
  readonly saysNow: boolean
}

type Size = keyof typeof screens
const sizes = Object.keys(screens) as Size[]

/** The figures of the charts in each size of the window, then those of the tables that the charts can be shown as. */
const labelledFigures = async (page: Page): Promise<Map<string, LabelledFigure>> => {
  const figures = new Map<string, LabelledFigure>()
  const buttons = page.getByRole('main').getByRole('button', { name: /^Show as a table/ })
  for (const view of ['chart', 'table'])
    for (const size of sizes) {
      await page.setViewportSize(screens[size])
      await waitForScreen(page)
      for (let left = view === 'table' ? await buttons.count() : 0; left > 0; left -= 1) {
        await buttons.first().click()
        await expect(buttons).toHaveCount(left - 1)
      }
      for (const [name, figure] of await figuresWithLabels(page)) figures.set(`${name}, ${view}, ${size}`, figure)
    }
  return figures
}

const figuresWithLabels = (page: Page): Promise<(readonly [string, LabelledFigure])[]> =>
  page.locator('main [data-figure]').evaluateAll((elements) => {
    /**
     * The heads of the row, of all rows and of the column. A column of bars without a head belongs to the one before it.
     */
    const headsOf = (cell: HTMLTableCellElement): (Element | null | undefined)[] => {
      const titles = [...(cell.closest('table')?.querySelectorAll('thead tr:last-child > *') ?? [])]
      const column = titles.slice(0, cell.cellIndex + 1).findLast((title) => title.textContent !== '')
      return [titles[0], column, cell.parentElement?.querySelector('th')]
    }
    const labelsOf = (element: Element): string[] => {
      const cell = element.closest<HTMLTableCellElement>('td, th')
      return [
        element,
        element.closest('p, h2, [role="status"]'),
        element.closest('dl > div')?.querySelector('dt'),
        element.closest('section')?.firstElementChild,
        ...(cell === null ? [] : headsOf(cell)),
      ]
        .map((label) => label?.textContent ?? '')
        .concat(element.closest('figure')?.getAttribute('aria-label') ?? '')
    }
    return elements.map((element) => [
      element.getAttribute('data-figure') ?? '',
      {
        text: element.textContent || element.getAttribute('aria-label') || '',
        value: Number(element.getAttribute('data-value')),
        saysNow: labelsOf(element).some((label) => /\bnow\b/.test(label)),
      },
    ])
  })

const datedPaths = {
  ...Object.fromEntries(Object.entries(screenPaths).filter(([, path]) => isDated(`/${path.split('?')[0]}`))),
  'leave by manager': `leave?by=manager&as_of=${demoDay}`,
  'headcount by office': `headcount?by=branch&as_of=${demoDay}`,
}

const figuresOn = async (page: Page, muster: Muster, path: string, day: string) => {
  await openConsole(page, muster, path.replace(demoDay, day))
  return labelledFigures(page)
}

type Figures = Awaited<ReturnType<typeof labelledFigures>>
const differentFigures = (before: Figures, after: Figures): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name)?.text !== after.get(name)?.text)

for (const [name, path] of Object.entries(datedPaths))
  test(`${name}: a year ago, figures that depend on the present say "now"`, async ({ page, services }) => {
    const muster = await services.start(publicOptions, [recordsOfThatTime])
    const changed = await services.start(publicOptions, [recordsOfThatTime, ...changesSince])
    const before = await figuresOn(page, muster, path, yearAgo)
    const after = await figuresOn(page, changed, path, yearAgo)
    const names = [...new Set([...before.keys(), ...after.keys()])]
    const different = differentFigures(before, after)
    const ofThatDay = names.filter((figure) => before.get(figure)?.saysNow === false)
    expect(different.filter((figure) => (before.get(figure) ?? after.get(figure))?.saysNow !== true)).toEqual([])
    // The changes reach the screen. If it has only figures of its day, they reach it today.
    const today = new Date().toISOString().slice(0, 10)
    const reached =
      different.length > 0
        ? different
        : differentFigures(await figuresOn(page, muster, path, today), await figuresOn(page, changed, path, today))
    for (const size of sizes) expect(reached.filter((figure) => figure.endsWith(size)).length).toBeGreaterThan(0)
    console.log(`${name}: ${different.length} figures of the present, ${ofThatDay.length} of that day`)

    const long = await figuresOn(page, muster, path, beforeAllRecords)
    expect([...long].filter(([, { value, saysNow }]) => value !== 0 && !saysNow)).toEqual([])
  })
