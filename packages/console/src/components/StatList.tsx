import type { ReactNode } from 'react'
import styles from './StatList.module.css'

/** The few large figures of a screen, in one row. */
export const StatList = ({ children }: { readonly children: ReactNode }) => <dl className={styles.list}>{children}</dl>

interface StatProps {
  readonly label: ReactNode
  readonly children: ReactNode
  /** Stands after the value in small type, for example a comparison. */
  readonly remark?: ReactNode
}

export const Stat = ({ label, children, remark }: StatProps) => (
  <div>
    <dt>{label}</dt>
    <dd>
      {children}
      {remark === undefined ? undefined : <small>{remark}</small>}
    </dd>
  </div>
)
