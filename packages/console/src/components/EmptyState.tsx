import type { ReactNode } from 'react'
import styles from './State.module.css'

interface EmptyStateProps {
  readonly title: string
  /** Says why there is nothing, and offers what to do about it. */
  readonly children?: ReactNode
}

export const EmptyState = ({ title, children }: EmptyStateProps) => (
  <div className={styles.state}>
    <h2 className={styles.title}>{title}</h2>
    {children}
  </div>
)
