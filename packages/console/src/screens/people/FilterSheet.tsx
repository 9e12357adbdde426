import { ListFilter, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'
import buttonStyles from '../../components/Button.module.css'
import { Icon } from '../../components/Icon.tsx'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import styles from './FilterSheet.module.css'

interface FilterSheetProps {
  /** The number of active filters. */
  readonly filters: number
  readonly total: number
  /** The facets. */
  readonly children: ReactNode
}

/** The facets as a dialog, where there is no room for them beside the list. */
export const FilterSheet = ({ filters, total, children }: FilterSheetProps) => (
  <DialogTrigger>
    <Button className={`${buttonStyles.button} ${styles.trigger}`}>
      <Icon of={ListFilter} /> Filter{' '}
      {filters === 0 ? undefined : <span className="number muted">{formatInteger(filters)}</span>}
    </Button>
    <ModalOverlay className={styles.overlay} isDismissable>
      <Modal className={styles.sheet}>
        <Dialog className={styles.dialog}>
          {({ close }) => (
            <>
              <header className={styles.head}>
                <Heading slot="title" level={2} className={styles.title}>
                  Filter
                </Heading>
                <Button className={buttonStyles.icon} aria-label="Close" onPress={close}>
                  <Icon of={X} />
                </Button>
              </header>
              <div className={styles.facets}>{children}</div>
              <footer className={styles.foot}>
                <Button className={`${buttonStyles.button} ${buttonStyles.main}`} onPress={close}>
                  Show {formatInteger(total)} {plural(total, 'person', 'people')}
                </Button>
              </footer>
            </>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  </DialogTrigger>
)
