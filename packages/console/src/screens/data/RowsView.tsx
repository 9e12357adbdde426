import type { NamedField } from '@muster/model'
import type { CSSProperties, ReactNode, RefObject } from 'react'
import { useCallback, useEffect, useId, useRef } from 'react'
import type { Neighbours } from '../../explorer/use-list-keys.ts'
import { useRowFocus } from '../../explorer/use-row-focus.ts'
import { reportPointer } from '../../kit/interaction.ts'
import { columnTemplate, totalWidth } from './columns.ts'
import { FilterRow } from './FilterRow.tsx'
import type { Row } from './list-query.ts'
import { RowLines } from './RowLines.tsx'
import styles from './RowsView.module.css'
import { RowTable } from './RowTable.tsx'
import { resourceTitle } from './record-label.ts'
import type { RowItem, RowsProps } from './rows.ts'
import { Scrollbar } from './Scrollbar.tsx'
import { useExplorer } from './use-explorer.ts'
import { filtersHeight, lineHeight } from './use-row-sizes.ts'
import type { RowWindow } from './use-row-window.ts'

interface RowsViewProps {
  readonly viewport: RefObject<HTMLDivElement | null>
  readonly window: RowWindow
  readonly total: number
  readonly rowAt: (index: number) => Row | undefined
  readonly columns: readonly NamedField[]
  readonly isPhone: boolean
  readonly hasScrollbar: boolean
  readonly onNeighbours: (neighbours: Neighbours) => void
  /** Stands below the head of the table, if there are no rows or if they could not be read. */
  readonly children?: ReactNode
}

/** The part of a list that is in view, and its scrollbar. */
export const RowsView = ({
  viewport,
  window,
  total,
  rowAt,
  columns,
  isPhone,
  hasScrollbar,
  onNeighbours,
  children,
}: RowsViewProps) => {
  const { resource, search, parameters, isWithheld, open, changeList } = useExplorer()
  const id = useId()
  const { items, isBlank } = useItems(window, rowAt)
  const openIndex = useOpenIndex(items, search._open)
  const ids = [openIndex === undefined ? undefined : openIndex - 1, openIndex && openIndex + 1, window.first].map(
    (index) => (index === undefined || index < 0 || index >= total ? undefined : rowAt(index)?.id),
  )
  const [previous, next, first] = openIndex === 0 ? [undefined, rowAt(1)?.id, ids[2]] : ids
  useEffect(() => onNeighbours({ previous, next, first }), [onNeighbours, previous, next, first])

  useRowFocus(viewport, search._open !== undefined, items.find(({ index }) => index === openIndex)?.key)

  const { reveal } = window
  useEffect(() => {
    if (openIndex !== undefined) reveal(openIndex)
  }, [openIndex, reveal])

  const onOpen = useCallback(
    (index: number | undefined) => open(items.find((item) => item.index === index)?.row?.id),
    [items, open],
  )
  const onSort = useCallback((sort: string | undefined) => changeList({ sort }), [changeList])
  const props: RowsProps = {
    resource,
    isWithheld,
    items,
    total,
    columns,
    openIndex,
    label: resourceTitle(resource),
    onOpen,
  }
  const style = {
    '--columns': columnTemplate(columns),
    '--filters': `${filtersHeight}rem`,
    '--line-height': `${lineHeight(columns.length)}rem`,
    '--lines': lineHeight(columns.length) > 4 ? 2 : 1,
    '--height': isPhone ? `${window.height}px` : `calc(${window.height}px + ${2 + filtersHeight}rem + 1px)`,
    '--width': isPhone ? 0 : `${totalWidth(columns)}rem`,
    '--offset': `${window.offset}px`,
  } as CSSProperties
  return (
    <div className={styles.rows} style={style}>
      {/* The rows are reached by the keys of the table, so the element around them is no stop of the Tab key. */}
      <div
        className={styles.viewport}
        ref={viewport}
        id={id}
        data-scroll-restoration-id={window.restorationId}
        onWheel={reportPointer}
      >
        <div className={styles.canvas}>
          <div className={styles.shown} data-blank={isBlank || undefined} aria-busy={isBlank}>
            {isPhone ? (
              <RowLines {...props} />
            ) : (
              <>
                <FilterRow columns={columns} />
                <RowTable {...props} sort={parameters.sort} onSort={onSort} />
              </>
            )}
          </div>
        </div>
        {children}
      </div>
      {hasScrollbar && total > window.visible ? (
        <Scrollbar
          controls={id}
          total={total}
          first={Math.min(window.first, Math.max(0, total - window.visible))}
          visible={window.visible}
          onMove={window.goTo}
        />
      ) : undefined}
    </div>
  )
}

/** As many keys as rows can be in the document. */
const keyCount = 256

interface Items {
  readonly items: readonly RowItem[]
  /** If true, the rows in view have not arrived, and the items are those before, which must not be seen. */
  readonly isBlank: boolean
}

/**
 * The rows in view. As long as none of them has arrived, the earlier ones stay in the document, hidden: while somebody
 * drags the scrollbar, no row is drawn that nobody could read.
 */
const useItems = ({ start, end }: RowWindow, rowAt: (index: number) => Row | undefined): Items => {
  const drawn = useRef<readonly RowItem[]>([])
  const before = drawn.current
  const offset = start - (before[0]?.index ?? 0)
  // A row that did not change stays the same object, so that it is not drawn again.
  const items = Array.from({ length: Math.max(0, end - start) }, (_, position) => {
    const index = start + position
    const row = rowAt(index)
    const old = before[offset + position]
    return old !== undefined && old.row === row ? old : { index, row, key: `row ${index % keyCount}` }
  })
  if (before.length > 0 && items.length > 0 && items.every(({ row }) => row === undefined))
    return { items: before, isBlank: true }
  const isSame = items.length === before.length && items.every((item, position) => item === before[position])
  if (!isSame) drawn.current = items
  return { items: drawn.current, isBlank: false }
}

/** Where the open record is, as long as it is among the rows in view, or was there when it was last seen. */
const useOpenIndex = (items: readonly RowItem[], open: string | undefined): number | undefined => {
  const seen = useRef<{ readonly open: string; readonly index: number }>(undefined)
  const index = open === undefined ? undefined : items.find(({ row }) => String(row?.id) === open)?.index
  if (open !== undefined && index !== undefined) seen.current = { open, index }
  return index ?? (seen.current?.open === open ? seen.current?.index : undefined)
}
