import type { ReactNode } from 'react'
import styles from './StatList.module.css'

/** The main figures of a screen, in one line. */
export const StatList = ({ children }: { readonly children: ReactNode }) => <dl className={styles.list}>{children}</dl>

interface StatProps {
  readonly label: ReactNode
  readonly children: ReactNode
  /** Stands after the figure, in small type. */
  readonly remark?: ReactNode
}

export const Stat = ({ label, children, remark }: StatProps) => (
  <div className={styles.stat}>
    <dt className={styles.label}>{label}</dt>
    <dd className={styles.value}>
      {children}
      {remark === undefined ? undefined : <small className={styles.remark}>{remark}</small>}
    </dd>
  </div>
)
