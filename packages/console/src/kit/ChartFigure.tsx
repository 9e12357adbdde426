import { ChartColumn, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from './Button.tsx'
import styles from './ChartFrame.module.css'
import { Icon } from './Icon.tsx'
import { Section } from './Section.tsx'

interface ChartFigureProps {
  readonly title: string
  readonly remark?: ReactNode
  readonly className?: string
  /** Stands beside the button, for example a link to a screen that shows more. */
  readonly aside?: ReactNode
  /** The same values as a table, for screen readers and for everybody who wants exact numbers. */
  readonly table: ReactNode
  readonly children: ReactNode
}

/** A section with a chart that can be shown as a table. */
export const ChartFigure = ({ title, remark, className, aside, table, children }: ChartFigureProps) => {
  const [isTable, setIsTable] = useState(false)
  return (
    <Section
      title={title}
      remark={remark}
      {...(className === undefined ? {} : { className })}
      aside={
        <span className={styles.aside}>
          {aside}
          <Button
            kind="quiet"
            aria-label={`${isTable ? 'Show as a chart' : 'Show as a table'}: ${title}`}
            onPress={() => setIsTable(!isTable)}
          >
            <Icon of={isTable ? ChartColumn : Table2} size={13} />
            {isTable ? 'Show as a chart' : 'Show as a table'}
          </Button>
        </span>
      }
    >
      {isTable ? <div className="scroll-x">{table}</div> : children}
    </Section>
  )
}
