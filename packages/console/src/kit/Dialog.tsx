import { X } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { Dialog as AriaDialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { classes } from './classes.ts'
import styles from './Dialog.module.css'
import { IconButton } from './IconButton.tsx'

interface DialogProps {
  /** A visible heading, or the name for screen readers. */
  readonly title?: string
  readonly label?: string
  /** `sheet`: at the bottom of the window, as high as its content. `own`: without padding. */
  readonly kind?: 'window' | 'sheet' | 'own'
  readonly hasCloseButton?: boolean
  /** The button that opens it. Without one, the dialog is open as long as it is rendered. */
  readonly trigger?: ReactElement
  readonly onClose?: () => void
  readonly className?: string | undefined
  /** Stays in view below the content. */
  readonly footer?: (close: () => void) => ReactNode
  readonly children: ReactNode
}

/** A dialog above the page, which cannot be used meanwhile. Escape and a press outside close it. */
export const Dialog = ({ trigger, onClose, ...props }: DialogProps) => {
  const onOpenChange = (isOpen: boolean): void => {
    if (!isOpen) onClose?.()
  }
  // React Aria tells the change to the trigger if there is one, and otherwise to the overlay.
  const overlay = (
    <ModalOverlay
      {...(trigger === undefined ? { isOpen: true, onOpenChange } : {})}
      isDismissable
      className={props.kind === 'sheet' ? styles.sheetVeil : styles.veil}
    >
      <Window {...props} />
    </ModalOverlay>
  )
  return trigger === undefined ? (
    overlay
  ) : (
    <DialogTrigger onOpenChange={onOpenChange}>
      {trigger}
      {overlay}
    </DialogTrigger>
  )
}

const Window = ({
  title,
  label,
  kind = 'window',
  hasCloseButton = false,
  className,
  footer,
  children,
}: DialogProps) => (
  <Modal className={classes(kind === 'sheet' ? styles.sheet : styles.window, className)}>
    <AriaDialog
      className={kind === 'own' ? styles.own : kind === 'sheet' ? styles.sheetContent : styles.content}
      aria-label={label}
    >
      {({ close }) => (
        <>
          {title === undefined ? undefined : (
            <header className={styles.head}>
              <Heading slot="title" level={2} className={styles.title}>
                {title}
              </Heading>
              {hasCloseButton ? <IconButton slot="close" icon={X} label="Close" /> : undefined}
            </header>
          )}
          {kind === 'sheet' ? <div className={styles.scroll}>{children}</div> : children}
          {footer === undefined ? undefined : <footer className={styles.foot}>{footer(close)}</footer>}
        </>
      )}
    </AriaDialog>
  </Modal>
)
