import '../../src/styles/tokens.css'
import '../../src/styles/base.css'
import axe from 'axe-core'
import type { ReactNode } from 'react'
import type { Root } from 'react-dom/client'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Frame } from '../../kit/Frame.tsx'
import { parts } from '../../kit/parts.tsx'

let root: Root | undefined

/** What React, React Aria and the router complain about. */
const complaints = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')]

afterEach(() => {
  hide()
  delete document.documentElement.dataset.theme
  const printed = complaints.flatMap(({ mock }) => mock.calls.map((values) => values.join(' ')))
  for (const spy of complaints) spy.mockClear()
  expect(printed).toEqual([])
})

export const hide = (): void => {
  root?.unmount()
  document.querySelector('main')?.remove()
}

interface Look {
  readonly direction?: 'ltr' | 'rtl'
  readonly theme?: 'light' | 'dark'
}

export type PartName = keyof typeof parts

/** Shows a part of the kit, with all its states, alone in the page. */
export const showPart = async (name: PartName, { direction = 'ltr', theme = 'light' }: Look = {}): Promise<void> => {
  const Part = parts[name]
  await show(
    <Frame direction={direction}>
      <Part />
    </Frame>,
    theme,
  )
}

export const show = async (content: ReactNode, theme = 'light'): Promise<void> => {
  document.documentElement.dataset.theme = theme
  const main = document.createElement('main')
  main.style.padding = '1rem'
  document.body.append(main)
  root = createRoot(main)
  root.render(content)
  await expect.poll(() => main.childElementCount).toBeGreaterThan(0)
}

/** What a part says that it has done. */
export const status = () => page.getByRole('status')

/** Presses keys one after the other, such as `Tab` and `Enter`. */
export const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await userEvent.keyboard(`{${key}}`)
}

/** One line for each element that violates a rule of axe-core. */
export const findViolations = async (exceptions: readonly string[] = []): Promise<string[]> => {
  const { violations } = await axe.run(document.body, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // A part is no page with a heading of its own.
    rules: Object.fromEntries(
      ['page-has-heading-one', 'region', ...exceptions].map((rule) => [rule, { enabled: false }]),
    ),
    resultTypes: ['violations'],
  })
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}
