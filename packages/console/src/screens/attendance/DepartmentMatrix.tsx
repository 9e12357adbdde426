import { minRateSample } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { dataLocation } from '../../components/data-links.ts'
import { formatMonth } from '../../format/dates.ts'
import { formatInteger, formatRate } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { moveBetweenMarks } from '../../kit/marks.ts'
import styles from './Attendance.module.css'
import type { AttendanceRow } from './attendance.ts'
import { expected, isPartMonth, rateOf } from './attendance.ts'
import type { StepScale } from './colors.ts'
import { stepColors } from './colors.ts'
import type { MonthColumn } from './use-month-reports.ts'

interface DepartmentMatrixProps {
  readonly columns: readonly MonthColumn[]
  /** Undefined until they are loaded. */
  readonly names: ReadonlyMap<string, string> | undefined
  readonly steps: StepScale
  readonly isWhole: boolean
}

const shortList = 14

/** The absence rate of each department in each month. */
export const DepartmentMatrix = ({ columns, names, steps, isWhole }: DepartmentMatrixProps) => {
  const departments = largestFirst(columns)
  const shown = isWhole ? departments : departments.slice(0, shortList)
  return (
    <>
      <div className={styles.scroll}>
        <table
          className={styles.matrix}
          style={{ '--months': columns.length } as object}
          onKeyDown={moveBetweenMarks(columns.length)}
        >
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Department</span>
              </th>
              {columns.map((column, index) => (
                <th key={column.month} scope="col">
                  {monthHead(column.month, index)}
                  {isPartMonth(column) ? <small className={styles.partMonth}>{partText(column)}</small> : undefined}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((id, rowIndex) => (
              <tr key={id}>
                <th scope="row">
                  <bdi>{id === null ? 'No department' : (names?.get(id) ?? `Department ${id}`)}</bdi>
                </th>
                {columns.map((column, index) => (
                  <td key={column.month}>
                    <MatrixCell
                      row={column.rows.get(id)}
                      month={column.month}
                      steps={steps}
                      isStop={rowIndex === 0 && index === 0}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {departments.length <= shortList ? undefined : (
        <div className={styles.more}>
          <span>
            {shown.length} of {departments.length} departments, largest first
          </span>
          <ButtonLink
            kind="bare"
            to="/attendance"
            search={(old: SearchOf<'/attendance'>) => ({ ...old, departments: isWhole ? undefined : 'all' })}
            resetScroll={false}
          >
            {isWhole ? 'Show fewer' : 'Show all'}
          </ButtonLink>
        </div>
      )}
    </>
  )
}

/** The first month and each January have the year. */
const monthHead = (month: string, index: number): string =>
  index === 0 || month.endsWith('-01') ? formatMonth(month) : (formatMonth(month).split(' ')[0] ?? month)

/** The first and the last day of a month that is not complete. */
const partText = ({ from, to }: MonthColumn): string => `${Number(from.slice(8))} – ${Number(to.slice(8))}`

const largestFirst = (columns: readonly MonthColumn[]): (string | null)[] => {
  const sizes = new Map<string | null, number>()
  for (const { rows } of columns)
    for (const [id, row] of rows) sizes.set(id, (sizes.get(id) ?? 0) + (row.recorded ?? 0))
  return [...sizes].toSorted(([, a], [, b]) => b - a).map(([id]) => id)
}

interface MatrixCellProps {
  readonly row: AttendanceRow | undefined
  readonly month: string
  readonly steps: StepScale
  /** Whether the cell is the stop of the Tab key. */
  readonly isStop: boolean
}

const MatrixCell = ({ row, month, steps, isStop }: MatrixCellProps) => {
  const rate = row === undefined ? undefined : rateOf(row)
  if (row === undefined) return undefined
  if (rate === undefined) return <span className={styles.few}>under {minRateSample}</span>
  const text = `${formatRate(rate)} of ${formatInteger(expected(row))}`
  const marks = {
    className: styles.matrixCell,
    style: stepColors(steps(rate)),
    'data-figure': `attendance.department.${row.group}.${month}`,
    'data-value': rate,
    title: text,
  }
  return row.links.absence_rate === undefined ? (
    <span {...marks}>{(rate * 100).toFixed(2)}</span>
  ) : (
    <Link {...marks} data-mark tabIndex={isStop ? 0 : -1} {...dataLocation(row.links.absence_rate)}>
      {(rate * 100).toFixed(2)}
    </Link>
  )
}
