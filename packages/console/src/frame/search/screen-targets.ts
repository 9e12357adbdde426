import { containsAll, searchTerms } from './matching-text.ts'

/** A link, button or box of the open screen. */
export interface ScreenTarget {
  readonly id: string
  readonly name: string
  /** What it belongs to: the head of its row or the title of its group. */
  readonly owner: string
  readonly element: HTMLElement
}

const targetSelector = 'a[href], button, label:has(input[type=checkbox])'
const mostResults = 5

/** Everything on the screen that can be pressed, in the order of the document. */
export const collectScreenTargets = (): ScreenTarget[] =>
  [...document.querySelectorAll<HTMLElement>(`main :is(${targetSelector})`)]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element, index) => ({
      id: `target ${index}`,
      name: textOf(element),
      owner: textOf(ownerOf(element)),
      // A click by script on the label of a box does nothing.
      element: (element instanceof HTMLLabelElement ? element.control : undefined) ?? element,
    }))
    .filter(({ name }) => name !== '')

const ownerOf = (element: Element): Element | null =>
  element.closest('tr')?.querySelector(':scope > th[scope=row] a') ??
  document.getElementById(element.closest('[role=group]')?.getAttribute('aria-labelledby') ?? '')

/** Longer texts are contents, not names. */
const maxLength = 120

const textOf = (element: Element | null): string =>
  (element?.getAttribute('aria-label') ?? element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, maxLength)

/** The first targets whose name, together with that of their owner, contains all words of the text. */
export const findScreenTargets = (text: string, targets: readonly ScreenTarget[]): ScreenTarget[] => {
  const terms = searchTerms(text)
  return terms.length === 0
    ? []
    : targets.filter(({ name, owner }) => containsAll(`${owner} ${name}`, terms)).slice(0, mostResults)
}
