import { describe, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { parts } from '../../kit/parts.tsx'
import type { PartName } from './render.tsx'
import { hide, press, showPart } from './render.tsx'

const modules = import.meta.glob<Readonly<Record<string, unknown>>>('../../src/kit/*.tsx', { eager: true })
const sheets = import.meta.glob<Readonly<Record<string, string>>>('../../src/kit/*.module.css', {
  eager: true,
  import: 'default',
})
const examples = Object.values(
  import.meta.glob<string>('../../kit/*.tsx', { eager: true, query: '?raw', import: 'default' }),
).join('')

const shownClasses = (): string[] =>
  [...document.querySelectorAll('[class]')].flatMap((element) => [...element.classList])

/** Style sheets export the names of animations too. */
const animations = (): Set<string> =>
  new Set(
    [...document.styleSheets]
      .flatMap(({ cssRules }) => [...cssRules])
      .flatMap((rule) => (rule instanceof CSSKeyframesRule ? rule.name : [])),
  )

/** The classes of a part, of what its buttons open, and of what a field finds. */
const classesOf = async (name: PartName): Promise<string[]> => {
  await showPart(name)
  const found = shownClasses()
  for (const field of document.querySelectorAll('main [role=combobox]')) {
    await userEvent.fill(field, 'ad')
    await expect.poll(() => document.querySelector('[role=listbox]')).not.toBeNull()
    found.push(...shownClasses())
    await press('Escape')
  }
  for (const opener of document.querySelectorAll(
    'main :is([aria-haspopup], [aria-expanded="false"]):not([role="combobox"])',
  )) {
    // Shown only on phones.
    if (!opener.checkVisibility()) continue
    await userEvent.click(opener)
    found.push(...shownClasses())
    await press('Escape')
  }
  hide()
  return found
}

describe('the page of the kit', () => {
  it('has an example of every part', () => {
    const components = Object.values(modules).flatMap((module) =>
      Object.keys(module).filter((name) => /^[A-Z]/.test(name)),
    )
    expect(components.length).toBeGreaterThan(40)
    expect(components.filter((name) => !new RegExp(`<${name}\\b`).test(examples))).toEqual([])
  })

  it('shows every state: each class of a style sheet is somewhere on it', async () => {
    const shown = new Set<string>()
    for (const name of Object.keys(parts) as PartName[]) for (const found of await classesOf(name)) shown.add(found)
    for (const name of animations()) shown.add(name)
    const missing = Object.entries(sheets).flatMap(([file, styles]) =>
      Object.entries(styles)
        .filter(([, names]) => !names.split(' ').every((name) => shown.has(name)))
        .map(([name]) => `${file.split('/').at(-1)}: ${name}`),
    )
    expect(missing).toEqual([])
  })
})
