import type { ReactNode } from 'react'
import { useId } from 'react'
import { NamedBy } from '../kit/named-by.ts'
import styles from './FactList.module.css'

interface FactListProps {
  /** `lines` below each other, or a `grid` of four columns. */
  readonly layout: 'lines' | 'grid'
  readonly children: ReactNode
}

/** What is known about the subject of a screen. */
export const FactList = ({ layout, children }: FactListProps) => (
  <dl className={`${styles.facts} ${styles[layout]}`}>{children}</dl>
)

interface FactProps {
  readonly label: string
  /** Stands below the value, in small type. */
  readonly remark?: ReactNode
  readonly children: ReactNode
}

export const Fact = ({ label, remark, children }: FactProps) => {
  const id = useId()
  return (
    <div>
      <dt id={id}>{label}</dt>
      <dd>
        <NamedBy value={id}>{children}</NamedBy>
        {remark === undefined ? undefined : <span className={styles.remark}>{remark}</span>}
      </dd>
    </div>
  )
}
