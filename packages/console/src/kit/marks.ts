import type { KeyboardEvent } from 'react'

const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/**
 * Makes the links of a chart one stop of the Tab key: the arrow keys move between them. Give the links the attribute
 * `data-mark`, the first one `tabIndex={0}`, the others `tabIndex={-1}`. With `columns`, up and down move by a row. With
 * `rows`, the marks follow each other downwards, and left and right move by a column.
 */
export const moveBetweenMarks =
  (columns = 1, rows = 1) =>
  (event: KeyboardEvent<Element>): void => {
    const step = steps[event.key]
    if (step === undefined) return
    const marks = [...event.currentTarget.querySelectorAll<HTMLElement | SVGElement>('[data-mark]')]
    const current = marks.indexOf(document.activeElement as HTMLElement)
    if (current === -1) return
    const distance = step * (event.key === 'ArrowUp' || event.key === 'ArrowDown' ? columns : rows)
    const next = marks[Math.min(marks.length - 1, Math.max(0, current + distance))]
    if (next === undefined) return
    event.preventDefault()
    for (const mark of marks) mark.setAttribute('tabindex', mark === next ? '0' : '-1')
    next.focus({ preventScroll: true })
    // Unlike `focus`, it takes `scroll-padding` into account: what is sticky does not cover the mark.
    next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
