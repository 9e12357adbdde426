import styles from './StatusMark.module.css'

export type Status = 'error' | 'warning' | 'good'

interface StatusMarkProps {
  readonly status: Status
  /** What the shape says to screen readers: `Error`, `Warning` or `Good`, unless another word is clearer. */
  readonly label?: string
}

const labels: Readonly<Record<Status, string>> = { error: 'Error', warning: 'Warning', good: 'Good' }

/** A diamond for an error, a dot for a warning, a ring for what is in order. The shape says it without the colour. */
export const StatusMark = ({ status, label = labels[status] }: StatusMarkProps) => (
  <span className={styles.box}>
    <span className={[styles.mark, styles[status]].join(' ')} title={label} />
    <span className="visually-hidden">{label}: </span>
  </span>
)
