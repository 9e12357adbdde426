import { Keyboard, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../kit/Icon.tsx'
import { openDialog } from './dialogs.ts'
import { loadSearchDialog } from './search/load.ts'
import styles from './TopBar.module.css'

interface TopBarProps {
  /** Buttons at the right. */
  readonly children?: ReactNode
}

export const TopBar = ({ children }: TopBarProps) => (
  <div className={styles.bar}>
    <span className={styles.product}>Muster</span>
    <button
      type="button"
      className={styles.find}
      aria-keyshortcuts="/ Control+K"
      aria-haspopup="dialog"
      onPointerEnter={() => void loadSearchDialog()}
      onFocus={() => void loadSearchDialog()}
      onClick={() => openDialog('search')}
    >
      <Icon of={Search} />
      <span className="visually-hidden-on-phones">Search people, jobs, candidates</span>
      <kbd className="only-wide" aria-hidden>
        /
      </kbd>
    </button>
    <span className={styles.space} />
    <div className={styles.tools}>{children}</div>
  </div>
)

export const KeysButton = () => (
  <button
    type="button"
    className={`${styles.tool} only-wide`}
    aria-label="Keys"
    aria-keyshortcuts="?"
    aria-haspopup="dialog"
    onClick={() => openDialog('keys')}
  >
    <Icon of={Keyboard} />
  </button>
)
