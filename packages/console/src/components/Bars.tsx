import type { ReactNode } from 'react'
import styles from './Bars.module.css'
import { Figure } from './Figure.tsx'
import { LabelledFigure } from './LabelledFigure.tsx'

export interface Bar {
  readonly key: string
  readonly label: ReactNode
  readonly value: number
  readonly link?: string | undefined
}

interface BarsProps {
  /** What the bars divide, as in `Active applications`. */
  readonly of: string
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly bars: readonly Bar[]
}

/** Labelled figures with thin bars, all on the scale of the largest. */
export const Bars = ({ of, name, bars }: BarsProps) => {
  const largest = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul aria-label={of}>
      {bars.map(({ key, label, value, link }) => (
        <li key={key} className={styles.item}>
          <LabelledFigure label={label}>
            <Figure name={`${name}.${key}`} value={value} link={link} />
          </LabelledFigure>
          <span className={styles.track} aria-hidden>
            <span className={styles.bar} style={{ inlineSize: `${(value / largest) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
