import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { maxRowsInPart, partAround } from './scroll-position.ts'

export interface RowWindow {
  /** The rows that are in the document: from `start` up to, not including, `end`. */
  readonly start: number
  readonly end: number
  /** The first row that the reader sees, and how many fit. */
  readonly first: number
  readonly visible: number
  /** Pixels above the first row in the document, and of all rows. */
  readonly offset: number
  readonly height: number
  /** Scrolls the row to the top. */
  readonly goTo: (row: number) => void
  /** Scrolls just so far that the row is visible. */
  readonly reveal: (row: number) => void
  /** Keeps the router from restoring a scroll position that belonged to another part of the list. */
  readonly restorationId: string
}

interface RowWindowOptions {
  readonly viewport: RefObject<HTMLElement | null>
  readonly total: number
  readonly rowHeight: number
  /** Height of what covers the top of the viewport. */
  readonly headHeight: number
  /** The first visible row at the beginning. */
  readonly initialRow: number
}

const overscan = 4

/** The rows of a list of any length that are in view. */
export const useRowWindow = ({ viewport, total, rowHeight, headHeight, initialRow }: RowWindowOptions): RowWindow => {
  const mountId = useId()
  const [position, setPosition] = useState(() => ({ part: partAround(initialRow, -1, total), row: initialRow }))
  const part = Math.min(position.part, Math.max(0, total - maxRowsInPart))
  const count = Math.min(total, maxRowsInPart)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan,
    initialOffset: (initialRow - part) * rowHeight,
    initialRect: { width: 800, height: 600 },
    useFlushSync: false,
  })
  const scrollTop = virtualizer.scrollOffset ?? 0
  const viewportHeight = virtualizer.scrollRect?.height ?? 600
  const visible = Math.max(1, Math.floor((viewportHeight - headHeight) / rowHeight))
  const first = part + Math.min(Math.max(0, count - 1), Math.max(0, Math.round(scrollTop / rowHeight)))

  const latest = useRef({ part, first, visible })
  latest.current = { part, first, visible }

  const goTo = useCallback(
    (row: number) => {
      const wanted = Math.min(Math.max(0, total - 1), Math.max(0, row))
      const next = partAround(wanted, latest.current.part, total)
      // The event of the scrolling element comes later; until then, rows of the wrong place would be drawn.
      const last = count * rowHeight + headHeight - viewportHeight
      virtualizer.scrollOffset = Math.min((wanted - next) * rowHeight, Math.max(0, last))
      setPosition({ part: next, row: wanted })
    },
    [total, count, rowHeight, headHeight, viewportHeight, virtualizer],
  )

  // Each call of goTo makes a new object, also for the row at which the list already was.
  useLayoutEffect(() => {
    if (viewport.current !== null) viewport.current.scrollTop = (position.row - position.part) * rowHeight
  }, [viewport, position, rowHeight])

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured again
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])

  const needsOtherPart = partAround(first, part, total) !== part
  useEffect(() => {
    if (needsOtherPart) goTo(latest.current.part + (viewport.current?.scrollTop ?? 0) / rowHeight)
  }, [needsOtherPart, goTo, rowHeight, viewport])

  const reveal = useCallback(
    (row: number) => {
      const { first: top, visible: rows } = latest.current
      if (row < top) goTo(row)
      else if (row >= top + rows) goTo(row - rows + 1)
    },
    [goTo],
  )

  const items = virtualizer.getVirtualItems()
  return {
    start: part + (items[0]?.index ?? 0),
    end: part + (items.at(-1)?.index ?? -1) + 1,
    first,
    visible,
    offset: items[0]?.start ?? 0,
    height: count * rowHeight,
    goTo,
    reveal,
    restorationId: `${mountId}-${part}`,
  }
}
