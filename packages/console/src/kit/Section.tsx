import type { ReactNode } from 'react'
import { useId } from 'react'
import styles from './Section.module.css'

interface SectionProps {
  readonly title: ReactNode
  /** Stands after the title, in a lighter weight. */
  readonly remark?: ReactNode
  /** Stands at the right end of the title line: a total, or a control. */
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** A part of a screen: a thin line, a title and its content. */
export const Section = ({ title, remark, aside, className, children }: SectionProps) => {
  const id = useId()
  return (
    <section className={[styles.section, className].join(' ')} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title} {remark === undefined ? undefined : <span className={styles.remark}>{remark}</span>}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
