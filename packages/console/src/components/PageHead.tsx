import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { useTitle } from '../frame/way-back.ts'
import { classes } from '../kit/classes.ts'
import styles from './PageHead.module.css'

interface PageHeadProps {
  readonly title: ReactNode
  /** The title is the name of one person or thing. */
  readonly isLarge?: boolean
  /** The title of the browser tab, if `title` is not a text. */
  readonly tabTitle?: string
  /** Stands above the title: what the subject of the screen belongs to. */
  readonly above?: ReactNode
  /** Stands below the title: what the subject of the screen is. */
  readonly subtitle?: ReactNode
  /** The question that the screen answers. */
  readonly question: string
  /** Stands beside the question: usually "How is this counted?". */
  readonly how?: ReactNode
  /**
   * Buttons that export the screen or copy its link. Phones show only their icons, beside the title. In the order of
   * the Tab key they follow the fields: on People, the export comes after the search.
   */
  readonly tools?: ReactNode
  /** Buttons and fields at the right. */
  readonly children?: ReactNode
}

export const PageHead = (props: PageHeadProps) => {
  const { title, isLarge = false, tabTitle, above, subtitle, question, how, tools, children } = props
  const text = tabTitle ?? (typeof title === 'string' ? title : undefined)
  useEffect(() => {
    document.title = text === undefined ? 'Muster' : `${text} · Muster`
  }, [text])
  useTitle(text)
  return (
    <header className={styles.head}>
      {above}
      <div className={styles.line}>
        <div className={styles.text}>
          <h1 className={classes(styles.title, isLarge && styles.large)}>{title}</h1>
          {subtitle}
          <p className={styles.question}>
            {question} {how}
          </p>
        </div>
        {children === undefined && tools === undefined ? undefined : (
          <div className={styles.actions}>
            {children === undefined ? undefined : <div className={styles.fields}>{children}</div>}
            {tools === undefined ? undefined : <div className={`${styles.tools} icons-on-phones`}>{tools}</div>}
          </div>
        )}
      </div>
    </header>
  )
}

/** A line below a large title: what the person or thing is. */
export const PageFacts = ({ children }: { readonly children: ReactNode }) => <p className={styles.facts}>{children}</p>
