import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useContext, useId } from 'react'
import { formatInteger } from '../format/numbers.ts'
import { NamedBy } from '../kit/named-by.ts'
import styles from './Figure.module.css'
import { recordsLocation } from './work-lists.ts'

interface FigureProps {
  /** Names the figure for tests, as in `people.total`. */
  readonly name: string
  readonly value: number
  /** Path of the list whose records make up the figure. Without it, the figure is no link. */
  readonly link?: string | undefined
  /** The text, if it is not the number itself: a rate, or a number with a unit. */
  readonly children?: ReactNode
  /**
   * What is counted: `people in all`. With the number it is the name of the link. It can be left out in tables, stats and
   * bars, whose heads and labels say it.
   */
  readonly what?: string | undefined
}

/** A number that counts records. It opens exactly these records: in a work list, or else in the explorer. */
export const Figure = ({ name, value, link, children, what }: FigureProps) => {
  const id = useId()
  const namedBy = useContext(NamedBy)
  const text = children ?? formatInteger(value)
  if (link === undefined)
    return (
      <span className={styles.plain} data-figure={name} data-value={value} data-what={what} data-named-by={namedBy}>
        {text}
      </span>
    )
  const naming =
    what !== undefined
      ? { 'aria-label': `${[text].flat().join('')} ${what}` }
      : namedBy !== undefined && { id, 'aria-labelledby': `${id} ${namedBy}` }
  return (
    <Link className={styles.figure} data-figure={name} data-value={value} {...naming} {...recordsLocation(link)}>
      {text}
    </Link>
  )
}
