import type { ReactNode } from 'react'
import styles from './Stats.module.css'

export interface Stat {
  readonly label: string
  readonly value: ReactNode
  /** Stands after the value in small type, for example a comparison. */
  readonly remark?: ReactNode
}

/** The few large figures of a screen, in one row. */
export const Stats = ({ stats }: { readonly stats: readonly Stat[] }) => (
  <dl className={styles.stats}>
    {stats.map(({ label, value, remark }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          {value}
          {remark === undefined ? undefined : <small>{remark}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
