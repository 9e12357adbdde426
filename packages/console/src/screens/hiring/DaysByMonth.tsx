import { lastDay, monthOf } from '@muster/model'
import { Link } from '@tanstack/react-router'
import { scaleLinear } from '@visx/scale'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { TimeStrip } from '../../components/TimeStrip.tsx'
import { formatLongMonth, formatMonth } from '../../format/dates.ts'
import { plural } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import { Legend } from '../../kit/Legend.tsx'
import { moveBetweenMarks } from '../../kit/marks.ts'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import styles from './Days.module.css'
import type { Measure, Spread, TimeRow } from './days.ts'
import { scaleEnd, spreadOf } from './days.ts'

interface DaysByMonthProps {
  readonly title: string
  readonly measure: Measure
  readonly months: readonly string[]
  readonly rows: readonly TimeRow[]
  readonly asOf: string
}

interface Month {
  readonly month: string
  readonly spread: Spread | undefined
}

/** A month that is not over on `asOf`. */
const isPart = (month: string, asOf: string): boolean => month === monthOf(asOf) && asOf !== lastDay(month)

export const DaysByMonth = ({ title, measure, months, rows, asOf }: DaysByMonthProps) => {
  const byMonth = new Map(rows.map((row) => [row.group, spreadOf(row, measure)]))
  const data = months.map((month) => ({ month, spread: byMonth.get(month) }))
  const last = months.at(-1)
  return (
    <ChartFigure title={title} table={<MonthTable measure={measure} data={data} />}>
      <TimeStrip className={styles.scroll} length={months.length}>
        <MonthChart title={title} measure={measure} data={data} asOf={asOf} />
      </TimeStrip>
      <Legend className={styles.legend} label="Marks of the chart">
        <li>
          <span className={styles.dot} aria-hidden /> median
        </li>
        <li>
          <span className={styles.range} aria-hidden /> up to the 90th percentile
        </li>
        <li>
          <span className={styles.line} aria-hidden /> shortest to longest
        </li>
        {last !== undefined && isPart(last, asOf) ? (
          <li className="muted">
            <span className={styles.open} aria-hidden /> {formatLongMonth(last)}: {Number(asOf.slice(8))} days so far
          </li>
        ) : undefined}
      </Legend>
    </ChartFigure>
  )
}

const [height, top, bottom, left, right] = [228, 12, 196, 28, 14]
/** Thirteen months at this width fit into a window of 1,280 pixels without scrolling. */
const fullWidth = 600
/** The smallest size of that width. */
const fullWidthRem = 34
/** The smallest width of a month in which its label and its value fit. */
const monthWidth = 43

interface MonthChartProps {
  readonly title: string
  readonly measure: Measure
  readonly data: readonly Month[]
  readonly asOf: string
}

const MonthChart = ({ title, measure, data, asOf }: MonthChartProps) => {
  const width = Math.max(fullWidth, left + data.length * monthWidth + right)
  const step = (width - left - right) / Math.max(1, data.length)
  const y = scaleLinear({ domain: [0, scaleEnd(data.map(({ spread }) => spread))], range: [bottom, top] })
  const firstMark = data.find(({ spread }) => spread !== undefined)
  const ticks = y.ticks(4)
  // Both SVG elements grow in proportion, so a unit has the same size in both.
  const flex = (units: number) => ({ flex: `${units} 0 ${(units / fullWidth) * fullWidthRem}rem` })
  return (
    <>
      <svg
        className={`${styles.chart} ${styles.axisLabels}`}
        style={flex(left)}
        viewBox={`0 0 ${left} ${height}`}
        aria-hidden
      >
        {ticks.map((tick) => (
          <text key={tick} x={left - 6} y={y(tick) + 4} textAnchor="end">
            {tick}
          </text>
        ))}
      </svg>
      {/* biome-ignore lint/a11y/useSemanticElements: a picture has no element for a group of links */}
      <svg
        className={styles.chart}
        style={flex(width - left)}
        viewBox={`${left} 0 ${width - left} ${height}`}
        role="group"
        aria-label={`${title}: median, 90th percentile and range`}
        onKeyDown={moveBetweenMarks()}
      >
        {ticks.map((tick) => (
          <line
            key={tick}
            className={tick === 0 ? styles.axis : styles.gridLine}
            x1={left}
            x2={width}
            y1={y(tick)}
            y2={y(tick)}
          />
        ))}
        {data.map(({ month, spread }, index) => {
          const x = left + (index + 0.5) * step
          return (
            <g key={month}>
              {spread === undefined ? undefined : (
                <Link
                  className={styles.mark}
                  data-mark
                  tabIndex={month === firstMark?.month ? 0 : -1}
                  data-figure={`time.${measure}.month.${month}.median`}
                  data-value={spread.median}
                  aria-label={monthText(month, spread)}
                  {...dataLocation(spread.link ?? '')}
                >
                  <rect className={styles.hit} x={x - step / 2} y={0} width={step} height={height} />
                  <line className={styles.whole} x1={x} x2={x} y1={y(spread.min)} y2={y(spread.max)} />
                  <line className={styles.upper} x1={x} x2={x} y1={y(spread.median)} y2={y(spread.p90)} />
                  <circle
                    className={isPart(month, asOf) ? styles.part : styles.median}
                    cx={x}
                    cy={y(spread.median)}
                    r={4}
                  />
                </Link>
              )}
              <g className={styles.texts} aria-hidden={spread !== undefined}>
                {spread === undefined ? undefined : (
                  <text className={styles.value} x={x + 9} y={y(spread.median) + 4}>
                    {formatDecimal(spread.median)}
                  </text>
                )}
                <text x={x} y={bottom + 16} textAnchor="middle">
                  {monthLabel(month, index)}
                </text>
                <text x={x} y={bottom + 30} textAnchor="middle">
                  n {formatInteger(spread?.n ?? 0)}
                </text>
              </g>
            </g>
          )
        })}
      </svg>
    </>
  )
}

/** The first month and each January have the year. */
const monthLabel = (month: string, index: number): string => {
  const [name, year] = formatMonth(month).split(' ')
  return index === 0 || month.endsWith('-01') ? `${name} ${year?.slice(2)}` : (name ?? month)
}

const monthText = (month: string, { n, median, p90, min, max }: Spread): string =>
  `${formatLongMonth(month)}: median ${formatDecimal(median)} days, 90 % within ${formatDecimal(p90)}, ${min} to ${max}, ${formatInteger(n)} ${plural(n, 'hire', 'hires')}`

const spreadTitles = { median: 'Median', p90: '90 % within', min: 'Shortest', max: 'Longest' } as const

const MonthTable = ({ measure, data }: { readonly measure: Measure; readonly data: readonly Month[] }) => (
  <Table
    rows={data}
    rowKey={({ month }) => month}
    columns={[
      { title: 'Month', cell: ({ month }) => formatMonth(month) },
      {
        title: 'Hires',
        kind: 'figure',
        cell: ({ month, spread }) => (
          <Figure name={`time.${measure}.month.${month}.n`} value={spread?.n ?? 0} link={spread?.link} />
        ),
      },
      ...Object.entries(spreadTitles).map(
        ([column, title]): TableColumn<Month> => ({
          title,
          kind: 'figure',
          cell: ({ month, spread }) => {
            const days = spread?.[column as keyof typeof spreadTitles]
            return days === undefined ? undefined : (
              <Figure name={`time.${measure}.month.${month}.days_${column}`} value={days} link={spread?.link}>
                {formatDecimal(days)}
              </Figure>
            )
          },
        }),
      ),
    ]}
  />
)
