import { LockKeyhole } from 'lucide-react'
import { Icon } from '../kit/Icon.tsx'
import styles from './Withheld.module.css'

/** Stands for a value that the service does not show to readers without a token. */
export const Withheld = () => (
  <span className={styles.withheld}>
    <Icon of={LockKeyhole} size={12} />
    withheld
  </span>
)
