import { ChevronDown, ChevronUp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import styles from './Drawer.module.css'
import { IconButton } from './IconButton.tsx'

interface DrawerProps {
  readonly label: string
  /** What a record is called in the names of the buttons: `record`. */
  readonly noun: string
  /** Stands at the left of the buttons: the number of the record. */
  readonly mark: ReactNode
  readonly id: number
  /** The records before and after this one in the list. */
  readonly previous: number | undefined
  readonly next: number | undefined
  readonly onMove: (id: number) => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** One record beside a list, which stays usable. On phones it covers the list. */
export const Drawer = ({ label, noun, mark, id, previous, next, onMove, onClose, children }: DrawerProps) => {
  const panel = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = panel.current
    // The focus must not stay in a list that the drawer covers.
    const isCovering =
      element !== null && getComputedStyle(element).position === 'fixed' && element.offsetWidth >= innerWidth
    if (isCovering) element.focus()
  }, [])
  // Another record begins at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect belongs to the record
  useEffect(() => {
    for (const element of [panel.current, content.current]) if (element !== null) element.scrollTop = 0
  }, [id])
  return (
    <aside className={styles.drawer} ref={panel} aria-label={label} tabIndex={-1}>
      <div className={styles.content} ref={content}>
        <div className={styles.bar}>
          <span className="number">{mark}</span>
          <span className={styles.buttons}>
            <IconButton
              icon={ChevronUp}
              label={`Previous ${noun}`}
              aria-keyshortcuts="k"
              isDisabled={previous === undefined}
              onPress={() => previous !== undefined && onMove(previous)}
            />
            <IconButton
              icon={ChevronDown}
              label={`Next ${noun}`}
              aria-keyshortcuts="j"
              isDisabled={next === undefined}
              onPress={() => next !== undefined && onMove(next)}
            />
            <IconButton icon={X} label="Close" aria-keyshortcuts="Escape" onPress={onClose} />
          </span>
        </div>
        {children}
      </div>
    </aside>
  )
}
