import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import { dataLocation } from '../../components/data-links.ts'
import { formatInteger } from '../../format/numbers.ts'

interface DayLinkProps {
  /** Names the figure, as in `leave.out.2026-11-13`. */
  readonly name: string
  readonly value: number
  readonly link: string | undefined
  readonly label: string
  /** Whether the Tab key stops here; arrow keys reach the other days of the row. */
  readonly isStop: boolean
  readonly className?: string | undefined
  readonly style?: CSSProperties | undefined
  readonly children?: ReactNode
}

/** The figure of one day, which opens its requests. A row of them is one stop of the Tab key. */
export const DayLink = ({ name, value, link, label, isStop, className, style, children }: DayLinkProps) => {
  const attributes = { 'data-figure': name, 'data-value': value, className, style, title: label }
  const text = children ?? formatInteger(value)
  return link === undefined ? (
    <span {...attributes}>{text}</span>
  ) : (
    <Link {...attributes} {...dataLocation(link)} data-mark tabIndex={isStop ? 0 : -1} aria-label={label}>
      {text}
    </Link>
  )
}
