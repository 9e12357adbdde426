import type { KeyboardEvent, PointerEvent } from 'react'
import { useRef, useState } from 'react'
import { formatInteger } from '../../format/numbers.ts'
import styles from './Scrollbar.module.css'
import { formatTick, positionOfRow, rowAtPosition, scrollTicks } from './scroll-position.ts'

interface ScrollbarProps {
  /** Id of the element with the rows. */
  readonly controls: string
  readonly total: number
  readonly first: number
  readonly visible: number
  readonly onMove: (row: number) => void
}

/** A scrollbar over the whole list: its track is as long as all rows, however many there are. */
export const Scrollbar = ({ controls, total, first, visible, onMove }: ScrollbarProps) => {
  const track = useRef<HTMLDivElement>(null)
  const [isDragging, setIsDragging] = useState(false)
  const position = positionOfRow(first, total, visible)

  const moveTo = (event: PointerEvent): void => {
    const { top, height } = (track.current as HTMLDivElement).getBoundingClientRect()
    onMove(rowAtPosition((event.clientY - top) / height, total, visible))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const distance = keyDistance(event.key, visible, total)
    if (distance === undefined) return
    event.preventDefault()
    onMove(Math.min(total - visible, Math.max(0, first + distance)))
  }

  return (
    <div
      className={styles.scrollbar}
      role="scrollbar"
      tabIndex={0}
      aria-label="Row"
      aria-orientation="vertical"
      aria-controls={controls}
      aria-valuemin={1}
      aria-valuemax={total}
      aria-valuenow={first + 1}
      aria-valuetext={`Row ${formatInteger(first + 1)} of ${formatInteger(total)}`}
      data-dragging={isDragging || undefined}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setIsDragging(true)
        moveTo(event)
      }}
      onPointerMove={(event) => isDragging && moveTo(event)}
      onPointerUp={() => setIsDragging(false)}
      onPointerCancel={() => setIsDragging(false)}
    >
      <div className={styles.track} ref={track}>
        {scrollTicks(total, 5).map((row) => (
          <span
            key={row}
            className={styles.tick}
            style={{ insetBlockStart: `${positionOfRow(row - 1, total, visible) * 100}%` }}
            aria-hidden
          >
            {formatTick(row)}
          </span>
        ))}
        <span className={styles.thumb} style={{ insetBlockStart: `${position * 100}%` }} />
        <span className={styles.row} style={{ insetBlockStart: `${position * 100}%` }} aria-hidden>
          {formatInteger(first + 1)}
        </span>
      </div>
    </div>
  )
}

const keyDistance = (key: string, visible: number, total: number): number | undefined => {
  switch (key) {
    case 'ArrowDown':
      return 1
    case 'ArrowUp':
      return -1
    case 'PageDown':
      return visible
    case 'PageUp':
      return -visible
    case 'Home':
      return -total
    case 'End':
      return total
    default:
      return undefined
  }
}
