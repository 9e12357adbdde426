import { LockKeyhole } from 'lucide-react'
import { Icon } from '../kit/Icon.tsx'
import styles from './Withheld.module.css'

/** Stands for a value that the service does not show to readers without a token. */
export const Withheld = ({ what = 'withheld' }: { readonly what?: string }) => (
  <span className={styles.withheld}>
    <Icon of={LockKeyhole} size={12} />
    {what}
  </span>
)

interface WithheldNoteProps {
  readonly what?: string
}

/** Says that personal values are missing on purpose. */
export const WithheldNote = ({ what = 'names, e-mail addresses, pay and leaving dates' }: WithheldNoteProps) => (
  <p className={styles.note}>
    <Icon of={LockKeyhole} size={13} />
    <span>
      This service withholds {what}. Sorting and filters on them are not offered. To see them, enter a token with the
      lock in the top bar.
    </span>
  </p>
)
