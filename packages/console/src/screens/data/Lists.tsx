/** The two forms of a list: scrolled as a whole, or page by page. */
import type { Page } from '@muster/client'
import type { NamedField, Resource } from '@muster/model'
import { useEffect, useMemo, useRef } from 'react'
import { ErrorState } from '../../components/ErrorState.tsx'
import { useIsNarrow } from '../../components/use-is-narrow.ts'
import type { Neighbours } from '../../explorer/use-list-keys.ts'
import { columnParameters, shownColumns } from './columns.ts'
import type { Parameters, Row } from './list-query.ts'
import { selection } from './list-query.ts'
import { RowsView } from './RowsView.tsx'
import { useExplorer } from './use-explorer.ts'
import { useRowSizes } from './use-row-sizes.ts'
import { useRowWindow } from './use-row-window.ts'
import { useScrolledRows } from './use-scrolled-rows.ts'

interface ListProps {
  /** The parameters of the list that is shown. While another one is loading, they differ from the URL. */
  readonly parameters: Parameters
  readonly onNeighbours: (neighbours: Neighbours) => void
}

interface ScrolledListProps extends ListProps {
  readonly total: number
  readonly initialRow: number
  readonly onGoTo: (goTo: (row: number) => void) => void
}

/** All rows of a list in the order of ids. */
export const ScrolledList = ({ parameters, total, initialRow, onGoTo, onNeighbours }: ScrolledListProps) => {
  const { resource, search, change } = useExplorer()
  const isPhone = useIsNarrow()
  const columns = useColumns(resource, parameters)
  const viewport = useRef<HTMLDivElement>(null)
  const window = useRowWindow({ viewport, total, initialRow, ...useRowSizes(isPhone, columns.length) })
  const { rowAt, error, retry } = useScrolledRows(
    resource,
    { ...parameters, ...columnParameters(resource, parameters) },
    window.start,
    window.end,
  )
  const { first, goTo } = window
  useEffect(() => onGoTo(goTo), [onGoTo, goTo])
  // Another list begins at its own first row.
  const list = JSON.stringify(selection(parameters))
  const shownList = useRef(list)
  useEffect(() => {
    if (shownList.current === list) return
    shownList.current = list
    goTo(initialRow)
  }, [list, initialRow, goTo])
  useRowInUrl(search._row, first, goTo, (row) => change({ _row: row }, { replace: true }))
  return (
    <RowsView
      viewport={viewport}
      window={window}
      total={total}
      rowAt={rowAt}
      columns={columns}
      isPhone={isPhone}
      hasScrollbar
      onNeighbours={onNeighbours}
    >
      {error === null ? undefined : <ErrorState error={error} asked="these rows" retry={retry} />}
    </RowsView>
  )
}

/** The row in the URL follows once scrolling has paused. */
const pauseMs = 250

/** Writes the first visible row into the URL, and scrolls when the URL gets another one from elsewhere. */
const useRowInUrl = (
  row: string | undefined,
  first: number,
  goTo: (row: number) => void,
  write: (row: string | undefined) => void,
): void => {
  const written = useRef(row)
  const latestWrite = useRef(write)
  latestWrite.current = write
  useEffect(() => {
    if (row === written.current) return
    written.current = row
    goTo(Math.max(0, Number(row ?? 1) - 1) || 0)
  }, [row, goTo])
  useEffect(() => {
    const text = first === 0 ? undefined : String(first + 1)
    if (text === written.current) return
    const timer = setTimeout(() => {
      written.current = text
      latestWrite.current(text)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [first])
}

/** The same array as long as the columns are the same. */
const useColumns = (resource: Resource, { fields, sort }: Parameters): readonly NamedField[] =>
  useMemo(
    () =>
      shownColumns(resource, {
        ...(fields === undefined ? {} : { fields }),
        ...(sort === undefined ? {} : { sort }),
      }),
    [resource, fields, sort],
  )

interface PagedListProps extends ListProps {
  readonly page: Page<Row>
}

/** One page of a sorted or searched list. */
export const PagedList = ({ parameters, page, onNeighbours }: PagedListProps) => {
  const { resource } = useExplorer()
  const isPhone = useIsNarrow()
  const columns = useColumns(resource, parameters)
  const viewport = useRef<HTMLDivElement>(null)
  const total = page.data.length
  const window = useRowWindow({ viewport, total, initialRow: 0, ...useRowSizes(isPhone, columns.length) })
  const { goTo } = window
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its top
  useEffect(() => goTo(0), [page.meta.offset])
  return (
    <RowsView
      viewport={viewport}
      window={window}
      total={total}
      rowAt={(index) => page.data[index]}
      columns={columns}
      isPhone={isPhone}
      hasScrollbar={false}
      onNeighbours={onNeighbours}
    />
  )
}
