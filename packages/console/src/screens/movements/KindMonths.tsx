import { changeTitle } from '../../components/employee-changes.ts'
import { Figure } from '../../components/Figure.tsx'
import { formatLongMonth, formatMonth } from '../../format/dates.ts'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import { monthsOf } from '../headcount/month-axis.ts'
import type { Period } from '../headcount/period.ts'
import type { MonthColumn } from './MonthColumns.tsx'
import { MonthColumns } from './MonthColumns.tsx'
import styles from './Movements.module.css'
import type { Kind, MovementRow } from './movements.ts'
import { changesPath, daysOf, isBeforeHistory, kinds, sumChanges } from './movements.ts'

interface KindMonthsProps {
  readonly rows: readonly MovementRow[]
  readonly period: Period
  readonly asOf: string
  readonly historyFrom: string | undefined
}

/** These have columns of their own; the others are rare. */
const drawnKinds = kinds.slice(0, 3)
const otherKinds = [
  { ...kinds[3], one: 'new office', many: 'new offices' },
  { ...kinds[4], one: 'new contract', many: 'new contracts' },
]

export const KindMonths = ({ rows, period, asOf, historyFrom }: KindMonthsProps) => {
  const months = monthsOf(period.from, period.to)
  const days = daysOf(period.from, period.to, asOf)
  const rowsOf = ({ kind }: Kind) => rows.filter((row) => row.kind === kind)
  const columnsOf = (kind: Kind): MonthColumn[] =>
    months.flatMap((month) => {
      const value = sumChanges(rowsOf(kind).filter((row) => row.month === month))
      const isPart = month > period.lastWholeMonth
      // Before the first day of the history, no change is not a figure.
      return value === 0 && isBeforeHistory(month, historyFrom)
        ? []
        : [
            {
              month,
              value,
              link: changesPath(kind.field, daysOf(month, month, asOf)),
              label: `${formatLongMonth(month)}: ${formatInteger(value)}${isPart ? ' so far' : ''}`,
              isPart,
            },
          ]
    })
  const drawn = drawnKinds.map((kind) => ({ ...kind, columns: columnsOf(kind) }))
  const highest = Math.max(1, ...drawn.flatMap(({ columns }) => columns.map(({ value }) => value)))
  const unknown = months.filter((month) => isBeforeHistory(month, historyFrom)).length
  const total = (kind: Kind) => (
    <Figure
      name={`movements.${kind.kind}`}
      value={sumChanges(rowsOf(kind))}
      link={changesPath(kind.field, days)}
      what={changeTitle([kind])}
    />
  )
  return (
    <ChartFigure
      title="By month"
      remark={
        <>
          same scale{months.at(-1) === period.lastWholeMonth ? '' : `; outlined: ${formatLongMonth(period.to)} so far`}
          {unknown === 0 ? '' : '; hatched: not recorded, or only in part'}
        </>
      }
      table={<KindTable months={months} columnsOf={columnsOf} />}
    >
      {drawn.map((kind, index) => (
        <div key={kind.kind} className={styles.kind}>
          <p className={styles.kindName}>
            {changeTitle([kind])} <b>{total(kind)}</b>
          </p>
          <MonthColumns
            name={`movements.${kind.kind}`}
            label={`${changeTitle([kind])}, changes per month`}
            months={months}
            columns={kind.columns}
            unknownMonths={unknown}
            highest={highest}
            hasAxis={index === drawn.length - 1}
          />
        </div>
      ))}
      <p className="note below">
        Also{' '}
        {otherKinds.map((kind, index) => (
          <span key={kind.kind}>
            {index === 0 ? '' : ' and '}
            {total(kind)} {plural(sumChanges(rowsOf(kind)), kind.one, kind.many)}
          </span>
        ))}
        . A promotion is not recorded as such: it shows as a new title.
      </p>
    </ChartFigure>
  )
}

interface KindTableProps {
  readonly months: readonly string[]
  readonly columnsOf: (kind: Kind) => readonly MonthColumn[]
}

/** The newest month is on top. */
const KindTable = ({ months, columnsOf }: KindTableProps) => (
  <Table
    rows={months.toReversed()}
    rowKey={(month) => month}
    columns={[
      { title: 'Month', cell: (month) => formatMonth(month) },
      ...kinds.map((kind): TableColumn<string> => {
        const columns = columnsOf(kind)
        return {
          title: changeTitle([kind]),
          kind: 'figure',
          cell: (month) => {
            const column = columns.find((candidate) => candidate.month === month)
            return column === undefined ? (
              <span className="muted">not recorded</span>
            ) : (
              <Figure name={`movements.${kind.kind}.${month}`} value={column.value} link={column.link} />
            )
          },
        }
      }),
    ]}
  />
)
