import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Disclosure as AriaDisclosure, Button, DisclosurePanel, Heading } from 'react-aria-components'
import { classes } from './classes.ts'
import styles from './Disclosure.module.css'
import { Icon } from './Icon.tsx'

interface DisclosureProps {
  readonly title: ReactNode
  /** Stands after the title, in a lighter weight. */
  readonly remark?: ReactNode
  readonly isExpanded?: boolean
  readonly onExpandedChange?: (isExpanded: boolean) => void
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A title that shows and hides what is below it. */
export const Disclosure = ({ title, remark, className, children, ...state }: DisclosureProps) => (
  <AriaDisclosure {...state} className={classes(styles.disclosure, className)}>
    <Heading level={3} className={styles.heading}>
      <Button slot="trigger" className={styles.trigger}>
        <Icon of={ChevronRight} size={13} />
        <span>
          {title} {remark === undefined ? undefined : <span className={styles.remark}>{remark}</span>}
        </span>
      </Button>
    </Heading>
    <DisclosurePanel>{children}</DisclosurePanel>
  </AriaDisclosure>
)
