import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import type axe from 'axe-core'

/** WCAG 2.2 up to level AA, and the rules that axe-core recommends beyond it. */
const ruleTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export const checkAccessibility = async (page: Page): Promise<void> =>
  expect(await findAccessibilityViolations(page)).toEqual([])

/** Returns one line for each element that violates a rule of axe-core. */
export const findAccessibilityViolations = async (page: Page): Promise<string[]> => {
  // The Content Security Policy of a page does not apply to scripts that are evaluated through the DevTools protocol. A
  // script element (`page.addScriptTag`) would be blocked.
  await page.evaluate(await axeSource())
  await waitForAnimations(page)
  const { violations } = await page.evaluate(
    (tags) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        runOnly: tags,
        resultTypes: ['violations'],
      }),
    ruleTags,
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
