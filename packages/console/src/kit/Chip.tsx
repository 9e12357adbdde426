import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import styles from './Chip.module.css'
import { Icon } from './Icon.tsx'
import { Popover } from './Popover.tsx'

interface ChipListProps {
  readonly count: number
  /** Removes all chips. Needed if there can be several. */
  readonly onClear?: () => void
  readonly children: ReactNode
}

/** The filters of a list. */
export const ChipList = ({ count, onClear, children }: ChipListProps) =>
  count === 0 ? undefined : (
    <ul className={styles.chips} aria-label="Filters">
      {children}
      {count < 2 || onClear === undefined ? undefined : (
        <li>
          <Button kind="bare" onPress={onClear}>
            Clear
          </Button>
        </li>
      )}
    </ul>
  )

interface ChipProps {
  /** What is filtered, and by which value. */
  readonly name: string
  readonly value: string
  readonly onRemove: () => void
  /** Changes the filter, in a popover. */
  readonly editor?: (close: () => void) => ReactNode
}

/** Longer values are cut before the style sheet cuts them. */
const maxLength = 200

/** A filter that can be removed, and changed if it has an editor. */
export const Chip = ({ name, value, onRemove, editor }: ChipProps) => {
  const text = (
    <>
      {name}{' '}
      <b>
        <bdi>{value.slice(0, maxLength)}</bdi>
      </b>
    </>
  )
  return (
    <li className={styles.chip}>
      {editor === undefined ? (
        <span className={styles.text}>{text}</span>
      ) : (
        <Popover
          width="small"
          label={`Filter by ${name}`}
          trigger={
            <Button
              kind="own"
              className={styles.text}
              aria-label={`Change the filter ${name}: ${value.slice(0, maxLength)}`}
            >
              {text}
            </Button>
          }
        >
          {editor}
        </Popover>
      )}
      <Button
        kind="own"
        className={styles.remove}
        aria-label={`Remove the filter ${name}: ${value.slice(0, maxLength)}`}
        onPress={onRemove}
      >
        <Icon of={X} size={13} />
      </Button>
    </li>
  )
}
