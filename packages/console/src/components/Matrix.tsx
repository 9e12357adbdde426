import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import { useContext, useId } from 'react'
import { classes } from '../kit/classes.ts'
import { moveBetweenMarks } from '../kit/marks.ts'
import { NamedBy } from '../kit/named-by.ts'
import { dataLocation } from './data-links.ts'
import styles from './Matrix.module.css'
import { stepColors } from './step-colors.ts'

export interface MatrixLine {
  readonly key: string
  readonly head: ReactNode
}

interface MatrixProps<R extends MatrixLine, C extends MatrixLine> {
  /** What the rows, or rows and columns, are. */
  readonly corner: ReactNode
  readonly columns: readonly C[]
  readonly rows: readonly R[]
  /** Rows below a line: totals. */
  readonly foot?: readonly R[]
  /** Every cell is a `MatrixCell`, or the arrow keys would not move straight. */
  readonly cell: (row: R, column: C, isStop: boolean) => ReactNode
}

/** A table with cells in sequential colours. It is one stop of the Tab key; the arrow keys move between its cells. */
export const Matrix = <R extends MatrixLine, C extends MatrixLine>(props: MatrixProps<R, C>) => {
  const { corner, columns, rows, foot = [], cell } = props
  const id = useId()
  const columnId = (index: number) => `${id}-column-${index}`
  const lines = (group: readonly R[], part: 'body' | 'foot') =>
    group.map((row, rowIndex) => {
      const rowId = `${id}-${part}-${rowIndex}`
      return (
        <tr key={row.key}>
          <th id={rowId} scope="row">
            {row.head}
          </th>
          {columns.map((column, index) => (
            <td key={column.key}>
              <NamedBy value={`${rowId} ${columnId(index)}`}>
                {cell(row, column, part === 'body' && rowIndex === 0 && index === 0)}
              </NamedBy>
            </td>
          ))}
        </tr>
      )
    })
  return (
    <div className={styles.scroll}>
      <table
        className={styles.matrix}
        style={{ '--columns': columns.length } as CSSProperties}
        onKeyDown={moveBetweenMarks(columns.length)}
      >
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map(({ key, head }, index) => (
              <th key={key} id={columnId(index)} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{lines(rows, 'body')}</tbody>
        {foot.length === 0 ? undefined : <tfoot>{lines(foot, 'foot')}</tfoot>}
      </table>
    </div>
  )
}

interface MatrixCellProps {
  /** Name and value of the figure, as in `Figure`. Without them, the cell has no figure. */
  readonly figure?: { readonly name: string; readonly value: number }
  readonly link?: string | undefined
  /** The sequential colour. Without it, the cell is plain. */
  readonly step?: number | undefined
  readonly kind?: 'plain' | 'total' | 'muted' | 'blocked'
  readonly title?: string
  /** Whether the cell is the stop of the Tab key. */
  readonly isStop: boolean
  readonly children: ReactNode
}

export const MatrixCell = ({ figure, link, step, kind = 'plain', title, isStop, children }: MatrixCellProps) => {
  const id = useId()
  const namedBy = useContext(NamedBy)
  const marks = {
    className: classes(styles.cell, styles[kind]),
    style: step === undefined ? undefined : stepColors(step),
    'data-mark': true,
    'data-figure': figure?.name,
    'data-value': figure?.value,
    tabIndex: isStop ? 0 : -1,
    title,
  }
  return link === undefined ? (
    <span {...marks}>{children}</span>
  ) : (
    <Link {...marks} id={id} aria-labelledby={`${id} ${namedBy}`} {...dataLocation(link)}>
      {children}
    </Link>
  )
}
