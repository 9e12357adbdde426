import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dataLocation } from './data-links.ts'

interface MarkLinkProps {
  /** Name of the figure, as in `Figure`. */
  readonly name: string
  readonly value: number
  /** Path of the list whose records make up the figure. Without it, the mark is no link. */
  readonly link: string | undefined
  /** What the mark shows, in words: `13 Nov 2026: 0.85 %`. */
  readonly label: string
  /** Exactly one mark of a chart is in the tab order. Arrow keys move to the others, see `marks.ts`. */
  readonly isTabStop: boolean
  readonly onActive?: (isActive: boolean) => void
  readonly children: ReactNode
}

/** A bar or dot of a chart, which opens the records that it counts. */
export const MarkLink = ({ name, value, link, label, isTabStop, onActive, children }: MarkLinkProps) => {
  const mark = {
    'data-mark': true,
    'data-figure': name,
    'data-value': value,
    'aria-label': label,
    tabIndex: isTabStop ? 0 : -1,
    onPointerEnter: () => onActive?.(true),
    onPointerLeave: () => onActive?.(false),
    onFocus: () => onActive?.(true),
    onBlur: () => onActive?.(false),
  }
  return link === undefined ? (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes the focus only to be read out
    <g role="img" {...mark}>
      {children}
    </g>
  ) : (
    <Link {...mark} {...dataLocation(link)}>
      {children}
    </Link>
  )
}
