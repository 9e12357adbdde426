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

/** Says that personal values are missing on purpose. */
export const WithheldNote = () => (
  <p className={styles.note}>
    <Icon of={LockKeyhole} size={13} />
    <span>
      This service withholds names, e-mail addresses, pay and leaving dates. Sorting and filters on them are not
      offered. To see them, enter a token with the lock in the top bar.
    </span>
  </p>
)
