import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../kit/IconButton.tsx'
import styles from './Notices.module.css'

interface NoticeProps {
  readonly kind?: 'info' | 'error'
  readonly action?: ReactNode
  readonly dismiss?: () => void
  readonly children: ReactNode
}

export const Notice = ({ kind = 'info', action, dismiss, children }: NoticeProps) => (
  <div className={[styles.notice, styles[kind]].join(' ')}>
    <p className={styles.text}>{children}</p>
    {action}
    {dismiss === undefined ? undefined : (
      <IconButton icon={X} className={styles.dismiss} label="Dismiss" onPress={dismiss} />
    )}
  </div>
)
