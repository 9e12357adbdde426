import { Figure } from '../../components/Figure.tsx'
import { formatDecimal } from '../../format/numbers.ts'
import { Table } from '../../kit/Table.tsx'
import styles from './Days.module.css'
import type { Spread } from './days.ts'

export interface DaysRow {
  readonly key: string
  readonly label: string
  readonly spread: Spread
}

interface DaysTableProps {
  /** What a row is: `Source`. */
  readonly head: string
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly rows: readonly DaysRow[]
  /** The end of the scale, in days. */
  readonly end: number
}

/** Days to hire by group: the median, the range up to the 90th percentile, and the shortest to the longest. */
export const DaysTable = ({ head, name, rows, end }: DaysTableProps) => (
  <Table
    className={styles.table}
    isFlush
    rows={rows}
    rowKey={({ key }) => key}
    columns={[
      { title: head, cellClassName: styles.group, cell: ({ label }) => <bdi>{label}</bdi> },
      {
        title: 'n',
        kind: 'figure',
        cell: ({ key, spread }) => <Figure name={`${name}.${key}.n`} value={spread.n} link={spread.link} />,
      },
      {
        key: 'spread',
        kind: 'picture',
        className: styles.scale,
        title: (
          <span className={styles.ends} aria-hidden>
            <span>0</span>
            <span>days</span>
            <span>{end}</span>
          </span>
        ),
        cell: ({ spread }) => <SpreadBar spread={spread} end={end} />,
      },
      { title: 'Median', kind: 'figure', cell: (row) => <Days row={row} name={name} of="median" /> },
      {
        key: 'p90',
        title: <abbr title="90th percentile: 90 % of the hires took at most this many days">p90</abbr>,
        kind: 'figure',
        cell: (row) => <Days row={row} name={name} of="p90" />,
      },
    ]}
  />
)

interface DaysProps extends Pick<DaysTableProps, 'name'> {
  readonly row: DaysRow
  readonly of: 'median' | 'p90'
}

const Days = ({ row: { key, spread }, name, of: column }: DaysProps) => (
  <Figure name={`${name}.${key}.${column}`} value={spread[column]} link={spread.link}>
    {formatDecimal(spread[column])}
  </Figure>
)

const SpreadBar = ({ spread: { min, median, p90, max }, end }: { readonly spread: Spread; readonly end: number }) => {
  const at = (days: number) => `${(days / end) * 100}%`
  return (
    <span className={styles.bar} aria-hidden>
      <span className={styles.barWhole} style={{ insetInlineStart: at(min), inlineSize: at(max - min) }} />
      <span className={styles.barUpper} style={{ insetInlineStart: at(median), inlineSize: at(p90 - median) }} />
      <span className={styles.barMedian} style={{ insetInlineStart: at(median) }} />
    </span>
  )
}
