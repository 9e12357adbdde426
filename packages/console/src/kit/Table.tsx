import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { classes } from './classes.ts'
import { NamedBy } from './named-by.ts'
import styles from './Table.module.css'

export interface TableColumn<Row> {
  /** Needed if the title is no text, or if two columns have the same one. */
  readonly key?: string
  readonly title?: ReactNode
  /** `figure`: numbers, aligned at their end. `picture`: bars, which have no head of their own for screen readers. */
  readonly kind?: 'text' | 'figure' | 'picture'
  /** Whether its cells name the row. Without one, the first column does. */
  readonly isRowHead?: boolean
  readonly sort?: 'ascending' | 'descending' | undefined
  readonly className?: string | undefined
  /** More classes for the head or for the cells alone. */
  readonly headClassName?: string | undefined
  readonly cellClassName?: string | false | undefined | ((row: Row) => string | false | undefined)
  /**
   * If rows become lines on phones: whether its cells take a line of their own, are left out, or are shown only there, on
   * a line of their own.
   */
  readonly onPhones?: 'line' | 'hidden' | 'only'
  readonly cell: (row: Row) => ReactNode
  /** In how many columns the cell of a row is. The columns that it covers have no cells in that row. */
  readonly span?: (row: Row) => number
}

/** Rows that have something in common. */
export interface TableGroup<Row> {
  readonly key: string
  /** Says what they have in common. */
  readonly head: ReactNode
  readonly rows: readonly Row[]
  /** Below its rows: a link to those that are not shown. */
  readonly foot?: ReactNode
}

interface TableProps<Row> {
  readonly columns: readonly (TableColumn<Row> | false | undefined)[]
  readonly rows?: readonly Row[]
  /** Instead of `rows`. */
  readonly groups?: readonly TableGroup<Row>[]
  readonly rowKey: (row: Row) => string | number
  /** The row that a link has led to. It comes into view. */
  readonly currentKey?: string | number | undefined
  readonly rowClassName?: (row: Row) => string | undefined
  readonly isHeadHidden?: boolean
  /** The first and the last column reach to the edges of the section. */
  readonly isFlush?: boolean
  /** Rows become lines of two columns on phones, without heads. Classes of the columns say where each cell is. */
  readonly hasLinesOnPhones?: boolean
  readonly className?: string | undefined
}

/** A table that is read. `GridTable` is for lists whose rows are selected. */
export const Table = <Row,>(props: TableProps<Row>) => {
  const { rows = [], groups, rowKey, currentKey, rowClassName } = props
  const { isHeadHidden = false, isFlush, hasLinesOnPhones, className } = props
  const columns = props.columns.filter((column) => column !== false && column !== undefined)
  const wideColumns = columns.filter(({ onPhones }) => onPhones !== 'only').length
  const id = useId()
  const headIndex = Math.max(
    0,
    columns.findIndex(({ isRowHead = false }) => isRowHead),
  )
  const rowsOf = (shown: readonly Row[]) =>
    shown.map((row) => (
      <TableRow
        key={rowKey(row)}
        tableId={id}
        row={row}
        columns={columns}
        headIndex={headIndex}
        isCurrent={currentKey !== undefined && rowKey(row) === currentKey}
        className={rowClassName?.(row)}
      />
    ))
  return (
    <table className={classes(styles.table, isFlush && styles.flush, hasLinesOnPhones && styles.lines, className)}>
      <thead className={isHeadHidden ? 'visually-hidden' : undefined}>
        <tr>
          {columns.map((column, index) => {
            const className = classOf(column, column.headClassName)
            return column.kind === 'picture' ? (
              <td key={keyOf(column)} className={className}>
                {column.title}
              </td>
            ) : (
              <th key={keyOf(column)} id={headId(id, index)} className={className} scope="col" aria-sort={column.sort}>
                {column.title}
              </th>
            )
          })}
        </tr>
      </thead>
      {groups === undefined ? (
        <tbody>{rowsOf(rows)}</tbody>
      ) : (
        groups.map(({ key, head, rows: ofGroup, foot }) => (
          <tbody key={key} className={styles.group}>
            <tr className={styles.groupHead}>
              <th colSpan={wideColumns} scope="rowgroup">
                {head}
              </th>
            </tr>
            {rowsOf(ofGroup)}
            {foot === undefined ? undefined : (
              <tr className={styles.groupFoot}>
                <td colSpan={wideColumns}>{foot}</td>
              </tr>
            )}
          </tbody>
        ))
      )}
    </table>
  )
}

interface TableRowProps<Row> {
  readonly tableId: string
  readonly row: Row
  readonly columns: readonly TableColumn<Row>[]
  readonly headIndex: number
  readonly isCurrent: boolean
  readonly className: string | undefined
}

const TableRow = <Row,>({ tableId, row, columns, headIndex, isCurrent, className }: TableRowProps<Row>) => {
  const id = useId()
  const element = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: 'center' })
  }, [isCurrent])
  let covered = 0
  return (
    <tr ref={element} className={className} aria-current={isCurrent || undefined}>
      {columns.map((column, index) => {
        if (covered > 0) {
          covered -= 1
          return undefined
        }
        const span = column.span?.(row) ?? 1
        covered = span - 1
        const { cellClassName } = column
        const own = typeof cellClassName === 'function' ? cellClassName(row) : cellClassName
        const shared = { className: classOf(column, own), ...(span > 1 ? { colSpan: span } : {}) }
        return index === headIndex ? (
          <th key={keyOf(column)} id={id} scope="row" {...shared}>
            {column.cell(row)}
          </th>
        ) : (
          <td key={keyOf(column)} {...shared}>
            <NamedBy value={column.kind === 'picture' ? id : `${headId(tableId, index)} ${id}`}>
              {column.cell(row)}
            </NamedBy>
          </td>
        )
      })}
    </tr>
  )
}

const headId = (tableId: string, index: number): string => `${tableId}-${index}`

const keyOf = <Row,>({ key, title }: TableColumn<Row>): string => key ?? String(title)

const classOf = <Row,>(
  { kind, onPhones, className }: TableColumn<Row>,
  own: string | false | undefined,
): string | undefined =>
  classes(
    kind === 'figure' && styles.figure,
    onPhones && styles[onPhones],
    onPhones === 'only' && styles.line,
    className,
    own,
  ) || undefined
