import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

interface EmptyStateProps {
  readonly title: ReactNode
  /** 1 if it stands in place of the whole screen. */
  readonly level?: 1 | 2
  /** Whether something went wrong, so that screen readers say it at once. */
  readonly isAlert?: boolean
  /** Says why there is nothing, and offers what to do about it. */
  readonly children?: ReactNode
}

/** Stands in place of content that is missing: there is none, or it could not be read. */
export const EmptyState = ({ title, level = 2, isAlert = false, children }: EmptyStateProps) => {
  const Title = `h${level}` as const
  return (
    <div className={styles.state} role={isAlert ? 'alert' : undefined}>
      <Title className={styles.title}>{title}</Title>
      {children}
    </div>
  )
}

/** Facts about a failure: terms and descriptions. */
export const StateFacts = ({ children }: { readonly children: ReactNode }) => (
  <dl className={styles.facts}>{children}</dl>
)
