import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import type axe from 'axe-core'

/** WCAG 2.2 up to level AA, and the rules that axe-core recommends beyond it. */
const ruleTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules among them that depend on colours. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Checks all rules, or only those that depend on colours: nothing else differs between the themes. */
export const checkAccessibility = async (page: Page, rules: 'all' | 'colors' = 'all'): Promise<void> =>
  expect(await findAccessibilityViolations(page, rules)).toEqual([])

/** Returns one line for each element that violates a rule of axe-core. */
export const findAccessibilityViolations = async (page: Page, rules: 'all' | 'colors' = 'all'): Promise<string[]> => {
  // The Content Security Policy of a page does not apply to scripts that are evaluated through the DevTools protocol. A
  // script element (`page.addScriptTag`) would be blocked.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource())
  // A link that the page's bar covers in part would count as too small a target.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await waitForAnimations(page)
  const { violations } = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, { runOnly, resultTypes: ['violations'] }),
    rules === 'all' ? ruleTags : colorRules,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}

/** Colours of an element that still appears have too little contrast. The mark of a loading list never ends. */
const waitForAnimations = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ).then(() => undefined),
  )

let source: Promise<string> | undefined
const axeSource = (): Promise<string> => {
  source ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  return source
}
