import type { ReactNode } from 'react'
import { Modal, ModalOverlay } from 'react-aria-components'
import overlayStyles from '../components/Overlay.module.css'
import { closeDialog } from './dialogs.ts'

interface FrameModalProps {
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** The window of a dialog of the frame. Escape and a press outside close it. */
export const FrameModal = ({ className, children }: FrameModalProps) => (
  <ModalOverlay
    isOpen
    isDismissable
    className={overlayStyles.veil}
    onOpenChange={(isOpen) => {
      if (!isOpen) closeDialog()
    }}
  >
    <Modal className={[overlayStyles.modal, className].join(' ')}>{children}</Modal>
  </ModalOverlay>
)
