import type { CSSProperties, ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './Legend.module.css'

interface LegendProps {
  readonly label?: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** What the colours and marks of a chart mean: list items, each with a swatch and its text. */
export const Legend = ({ label, className, children }: LegendProps) => (
  <ul className={classes(styles.legend, className)} aria-label={label}>
    {children}
  </ul>
)

interface SwatchProps {
  readonly className?: string | undefined
  readonly style?: CSSProperties
}

export const Swatch = ({ className, style }: SwatchProps) => (
  <span className={classes(styles.swatch, className)} style={style} aria-hidden />
)
