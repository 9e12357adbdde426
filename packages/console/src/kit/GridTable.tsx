import { ArrowDown, ArrowUp } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components'
import { classes } from './classes.ts'
import styles from './GridTable.module.css'
import { Icon } from './Icon.tsx'

export interface SortOrder {
  readonly field: string
  readonly isDescending: boolean
}

export interface GridColumn<Item> {
  readonly id: string
  readonly title: ReactNode
  /** A longer explanation, shown while the pointer rests on the title. */
  readonly about?: string
  readonly isFigure?: boolean
  readonly isRowHead?: boolean
  readonly isSortable?: boolean
  /** A part of the width of the table, such as `20%`. */
  readonly width?: string | undefined
  readonly cell: (item: Item) => ReactNode
}

interface GridTableProps<Item> {
  readonly label: string
  readonly columns: readonly GridColumn<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string | number
  readonly textOf?: (item: Item) => string
  readonly selected: string | number | undefined
  /** With `follow`, the arrow keys select; otherwise they only move the focus. */
  readonly selection: 'follow' | 'toggle'
  readonly onSelect: (key: string | number | undefined) => void
  /** Enter, or a second press on the selected row. */
  readonly onAction?: (key: string | number) => void
  readonly sort: SortOrder
  readonly onSort: (sort: SortOrder) => void
  /**
   * If only a part of the rows is in the document: the number of all rows, and where a row is among them. The rows are
   * then laid out by the variable `--columns`, so that a part can be shown anywhere in a scrolling element.
   */
  readonly window?: { readonly total: number; readonly indexOf: (item: Item) => number }
  /** What the cells depend on besides their item. */
  readonly dependencies: readonly unknown[]
}

/** A list as a table: rows are selected and opened, and heads sort. */
export const GridTable = <Item extends object>(props: GridTableProps<Item>) => {
  const { label, columns, items, keyOf, textOf, selected, selection, onSelect, onAction, sort, onSort, window } = props
  const dependencies = [columns, ...props.dependencies]
  return (
    <Table
      className={classes(styles.table, window === undefined ? styles.page : styles.window)}
      aria-label={label}
      ref={(table) => {
        if (window !== undefined) table?.setAttribute('aria-rowcount', String(window.total + 1))
      }}
      selectionMode="single"
      selectionBehavior={selection === 'follow' ? 'replace' : 'toggle'}
      selectedKeys={selected === undefined ? [] : [selected]}
      onSelectionChange={(keys) => onSelect(keys === 'all' ? undefined : [...keys][0])}
      {...(onAction === undefined ? {} : { onRowAction: onAction })}
      sortDescriptor={{ column: sort.field, direction: sort.isDescending ? 'descending' : 'ascending' }}
      onSortChange={({ column, direction }) =>
        onSort({ field: String(column), isDescending: direction === 'descending' })
      }
    >
      <TableHeader className={styles.head} columns={columns} dependencies={[sort.field, sort.isDescending, columns]}>
        {({ id, title, about, isFigure, isRowHead = false, isSortable = false, width }) => (
          <Column
            id={id}
            className={isFigure ? styles.figure : undefined}
            {...(width === undefined ? {} : { style: { inlineSize: width } satisfies CSSProperties })}
            isRowHeader={isRowHead}
            allowsSorting={isSortable}
          >
            <span className={styles.columnHead}>
              <span className={styles.columnName} title={about}>
                {title}
              </span>
              {sort.field === id ? <Icon of={sort.isDescending ? ArrowDown : ArrowUp} size={13} /> : undefined}
            </span>
          </Column>
        )}
      </TableHeader>
      <TableBody items={items} dependencies={dependencies}>
        {(item) => (
          <Row
            id={keyOf(item)}
            columns={columns}
            className={styles.row}
            ref={(row) => {
              if (window !== undefined) row?.setAttribute('aria-rowindex', String(window.indexOf(item) + 2))
            }}
            dependencies={dependencies}
            {...(textOf === undefined ? {} : { textValue: textOf(item) })}
          >
            {({ isFigure, cell }) => <Cell className={isFigure ? styles.figure : styles.cut}>{cell(item)}</Cell>}
          </Row>
        )}
      </TableBody>
    </Table>
  )
}
