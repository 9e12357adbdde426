import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './DotList.module.css'

interface DotListProps {
  readonly size: 'small' | 'large'
  readonly children: ReactNode
}

/** Steps from the top down, each with a dot, and a line from dot to dot. */
export const DotList = ({ size, children }: DotListProps) => (
  <ol className={classes(styles.list, styles[size])}>{children}</ol>
)

interface DotListItemProps {
  /** `accent`: the one that matters most. `ring`: the steps below it may be incomplete, so their line is dotted. */
  readonly mark?: 'accent' | 'ring' | undefined
  readonly isCurrent?: boolean
  readonly children: ReactNode
}

export const DotListItem = ({ mark, isCurrent = false, children }: DotListItemProps) => (
  <li className={mark && styles[mark]} aria-current={isCurrent || undefined}>
    {children}
  </li>
)
