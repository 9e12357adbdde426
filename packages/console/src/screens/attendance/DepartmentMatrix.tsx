import { minRateSample } from '@muster/model'
import { Matrix, MatrixCell } from '../../components/Matrix.tsx'
import type { StepScale } from '../../components/step-colors.ts'
import { formatMonth } from '../../format/dates.ts'
import { formatInteger, formatRate } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import styles from './Attendance.module.css'
import type { AttendanceRow } from './attendance.ts'
import { expected, isPartMonth, rateOf } from './attendance.ts'
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
      <Matrix
        corner={<span className="visually-hidden">Department</span>}
        columns={columns.map((column, index) => ({
          ...column,
          key: column.month,
          head: (
            <>
              {monthHead(column.month, index)}
              {isPartMonth(column) ? <small className={styles.partMonth}>{partText(column)}</small> : undefined}
            </>
          ),
        }))}
        rows={shown.map((id) => ({
          id,
          key: String(id),
          head: <bdi>{id === null ? 'No department' : (names?.get(id) ?? `Department ${id}`)}</bdi>,
        }))}
        cell={({ id }, { month, rows }, isStop) => (
          <RateCell row={rows.get(id)} month={month} steps={steps} isStop={isStop} />
        )}
      />
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

interface RateCellProps {
  readonly row: AttendanceRow | undefined
  readonly month: string
  readonly steps: StepScale
  readonly isStop: boolean
}

const RateCell = ({ row, month, steps, isStop }: RateCellProps) => {
  const rate = row === undefined ? undefined : rateOf(row)
  if (row === undefined || rate === undefined)
    return (
      <MatrixCell kind="muted" isStop={isStop}>
        {row === undefined ? undefined : `under ${minRateSample}`}
      </MatrixCell>
    )
  return (
    <MatrixCell
      figure={{ name: `attendance.department.${row.group}.${month}`, value: rate }}
      link={row.links.absence_rate}
      step={steps(rate)}
      title={`${formatRate(rate)} of ${formatInteger(expected(row))}`}
      isStop={isStop}
    >
      {(rate * 100).toFixed(2)}
    </MatrixCell>
  )
}
