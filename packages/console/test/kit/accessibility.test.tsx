import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { parts } from '../../kit/parts.tsx'
import type { PartName } from './render.tsx'
import { findViolations, press, show, showPart } from './render.tsx'

const names = Object.keys(parts) as PartName[]
const opened: readonly (readonly [PartName, string])[] = [
  ['Popover', 'How is this counted?'],
  ['Popover', 'More'],
  ['Popover', 'Period'],
  ['Dialog', 'Keys'],
  ['Dialog', 'Filter'],
  ['Palette', 'Search'],
  ['Select', 'Berlin Office'],
  ['Select', 'Department 0 Department'],
  ['Chip', 'Change the filter status: Berlin'],
]

describe('every part is accessible', () => {
  for (const name of names)
    for (const theme of ['light', 'dark'] as const)
      it(`${name} in the ${theme} theme`, async () => {
        await showPart(name, { theme })
        expect(await findViolations()).toEqual([])
      })

  for (const name of names)
    it(`${name} from right to left, without overflow`, async () => {
      await showPart(name, { direction: 'rtl' })
      expect(await findViolations()).toEqual([])
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)
    })

  for (const [name, button] of opened)
    for (const direction of ['ltr', 'rtl'] as const)
      it(`${name}, opened by ${button}, ${direction}`, async () => {
        await showPart(name, { direction })
        await page.getByRole('button', { name: button, exact: true }).click()
        await expect.poll(() => document.querySelector('[role=dialog], [role=listbox]')).not.toBeNull()
        // The keys of a field above a list move through the list, which takes no focus of its own.
        expect(await findViolations(['scrollable-region-focusable'])).toEqual([])
        await press('Escape')
      })

  it('and a violation is reported', async () => {
    await show(<button type="button" />)
    expect(await findViolations()).not.toEqual([])
  })
})
