import type { ReactNode } from 'react'
import { useId } from 'react'
import { NamedBy } from '../kit/named-by.ts'
import styles from './StatList.module.css'

/** The few large figures of a screen, in one row. */
export const StatList = ({ children }: { readonly children: ReactNode }) => <dl className={styles.list}>{children}</dl>

interface StatProps {
  readonly label: ReactNode
  readonly children: ReactNode
  /** Stands after the value in small type, for example a comparison. */
  readonly remark?: ReactNode
}

export const Stat = ({ label, children, remark }: StatProps) => {
  const id = useId()
  return (
    <div>
      <dt id={id}>{label}</dt>
      <dd>
        <NamedBy value={id}>{children}</NamedBy>
        {remark === undefined ? undefined : <small>{remark}</small>}
      </dd>
    </div>
  )
}
