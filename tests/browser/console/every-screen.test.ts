/** What holds on every screen: accessibility, no foreign requests, no errors, a bounded page, and exact links. */
import { checkAccessibility } from '../support/accessibility.ts'
import { openConsole, screens, themes } from '../support/console-page.ts'
import type { Figure } from '../support/figures.ts'
import { figuresOnPage } from '../support/figures.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

const maxNodes = 3_000

for (const [name, path] of Object.entries(screenPaths)) {
  for (const [sizeName, size] of Object.entries(screens)) {
    test(`${name}, ${sizeName}: no accessibility violations in either theme, no errors, no foreign requests`, async ({
      page,
      muster,
    }) => {
      const network = await recordNetwork(page, muster.origin)
      for (const theme of themes) {
        await openConsole(page, muster, path, { theme, ...size })
        await waitForScreen(page)
        await checkAccessibility(page)
      }
      expectNoErrors(network)
      const { nodes, overflow } = await page.evaluate(() => ({
        nodes: document.querySelectorAll('*').length,
        overflow: document.documentElement.scrollWidth - innerWidth,
      }))
      expect(nodes).toBeLessThanOrEqual(maxNodes)
      expect(overflow).toBeLessThanOrEqual(0)
    })
  }

  test(`${name}: every figure that counts records links to exactly these records`, async ({ page, muster }) => {
    await openConsole(page, muster, path)
    await waitForScreen(page)
    const figures = countsOf(await figuresOnPage(page))
    const differences: string[] = []
    for (const { name: figureName, text, href } of figures) {
      const total = await totalOf(muster.origin, href)
      if (total !== integerOf(text)) differences.push(`${figureName}: ${text} on the page, ${total} at ${href}`)
    }
    console.log(`${name}: ${figures.length} linked figures`)
    expect(differences).toEqual([])
  })
}

/** Figures that add up a field of the linked records, such as places to fill, or that describe them. */
const sums = /places|filled|median|p90|wait_days|days_|rate|turnover|share/

const countsOf = (figures: readonly Figure[]): (Figure & { href: string })[] =>
  figures.flatMap((figure) =>
    figure.href === undefined || integerOf(figure.text) === undefined || sums.test(figure.name)
      ? []
      : [{ ...figure, href: figure.href }],
  )

const integerOf = (text: string): number | undefined => {
  const digits = text.replace(/^[+\u2212]/, '').replaceAll(',', '')
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}

/** The number of records in the list that a link of the explorer opens. */
const totalOf = async (origin: string, href: string): Promise<number | undefined> => {
  const { pathname, searchParams } = new URL(href)
  const resource = /^\/console\/data\/([a-z-]+)$/.exec(pathname)?.[1]
  if (resource === undefined) return undefined
  const parameters = new URLSearchParams([...searchParams].filter(([key]) => key !== 'as_of' && !key.startsWith('_')))
  parameters.set('limit', '1')
  const response = await fetch(`${origin}/api/v1/${resource}?${parameters}`, { headers: { prefer: 'handling=strict' } })
  return ((await response.json()) as { meta?: { total: number } }).meta?.total
}
