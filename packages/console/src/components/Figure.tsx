import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatInteger } from '../format/numbers.ts'
import { dataLocation } from './data-links.ts'
import styles from './Figure.module.css'

interface FigureProps {
  /** Names the figure for tests, as in `people.total`. */
  readonly name: string
  readonly value: number
  /** Path of the list whose records make up the figure. Without it, the figure is no link. */
  readonly link?: string | undefined
  /** The text, if it is not the number itself: a rate, or a number with a unit. */
  readonly children?: ReactNode
  /** Says what is counted, for figures whose label is not beside them. */
  readonly label?: string | undefined
}

/** A number that counts records. It opens exactly these records in the explorer. */
export const Figure = ({ name, value, link, children, label }: FigureProps) => {
  const text = children ?? formatInteger(value)
  return link === undefined ? (
    <span className={styles.plain} data-figure={name} data-value={value}>
      {text}
    </span>
  ) : (
    <Link className={styles.figure} data-figure={name} data-value={value} aria-label={label} {...dataLocation(link)}>
      {text}
    </Link>
  )
}
