import { Link } from '@tanstack/react-router'
import { scaleBand, scaleLinear } from '@visx/scale'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { formatMonth } from '../../format/dates.ts'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import { moveBetweenMarks } from '../../kit/marks.ts'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import { useCounts } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import type { Cohort } from './cohort.ts'
import { cohortFilters, isFilterable, sourceLabel } from './cohort.ts'
import styles from './Sources.module.css'
import type { SourceMonths } from './sources.ts'
import { monthFilter, monthsBySource, monthsWithApplications } from './sources.ts'

interface SourceMonthsSectionProps {
  readonly cohort: Cohort
  readonly sources: readonly (string | null)[]
}

/** More sources than these are not drawn. */
const mostSources = 12

/** The applications of each month, one small chart for each source, all on the same scale. */
export const SourceMonthsSection = ({ cohort, sources }: SourceMonthsSectionProps) => {
  const filters = cohortFilters(cohort)
  const counts = useCounts('applications', { by: ['candidate.source', 'month(applied_on)'], ...filters })
  return (
    <div className="apart">
      <Loadable result={counts} asked="the applications by source and month">
        {({ data }) => {
          const months = monthsWithApplications(data)
          const bySource = monthsBySource(data, months, sources.slice(0, mostSources))
          const link = (source: string | null, month: string) =>
            isFilterable(source)
              ? listPath('applications', {
                  ...filters,
                  ...monthFilter(month, cohort.period),
                  'candidate.source': source,
                })
              : undefined
          const largest = Math.max(1, ...bySource.flatMap((each) => each.counts))
          return (
            <ChartFigure
              title="Applications per month, by source"
              remark={`all on one scale, up to ${formatInteger(largest)}`}
              table={<MonthsTable bySource={bySource} months={months} link={link} />}
            >
              <div className={styles.multiples}>
                {bySource.map((each) => (
                  <SourceChart key={each.source} {...each} months={months} largest={largest} link={link} />
                ))}
              </div>
            </ChartFigure>
          )
        }}
      </Loadable>
    </div>
  )
}

interface SourceChartProps extends SourceMonths {
  readonly months: readonly string[]
  readonly largest: number
  readonly link: (source: string | null, month: string) => string | undefined
}

const [width, height] = [240, 64]

const SourceChart = ({ source, counts, months, largest, link }: SourceChartProps) => {
  const x = scaleBand({ domain: [...months], range: [0, width], padding: 0.15 })
  const y = scaleLinear({ domain: [0, largest], range: [0, height - 2] })
  const last = months.at(-1) ?? ''
  return (
    <figure className={styles.multiple}>
      <figcaption className={styles.caption}>
        <span className={styles.sourceName}>{sourceLabel(source)}</span>
        <span className={styles.newest}>
          <span className="visually-hidden">{formatMonth(last)}</span>{' '}
          <Figure
            name={`sources.${source}.newest`}
            value={counts.at(-1) ?? 0}
            link={link(source, last)}
            what={`applications in ${formatMonth(last)}`}
          />
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a picture has no element for a group of links */}
      <svg
        className={styles.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="group"
        aria-label={`${sourceLabel(source)}: applications per month`}
        onKeyDown={moveBetweenMarks()}
      >
        <line className={styles.axis} x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {months.map((month, index) => {
          const count = counts[index] ?? 0
          const label = `${formatMonth(month)}: ${formatInteger(count)} ${plural(count, 'application', 'applications')}`
          const bar = (
            <>
              <rect className={styles.hit} x={x(month) ?? 0} y={0} width={x.bandwidth()} height={height} />
              <rect
                className={styles.column}
                x={x(month) ?? 0}
                y={height - 1 - y(count)}
                width={x.bandwidth()}
                height={y(count)}
              />
              <title>{label}</title>
            </>
          )
          const path = link(source, month)
          return path === undefined ? (
            <g key={month}>{bar}</g>
          ) : (
            <Link
              key={month}
              className={styles.mark}
              data-mark
              tabIndex={index === 0 ? 0 : -1}
              data-figure={`sources.${source}.month.${month}`}
              data-value={count}
              aria-label={label}
              {...dataLocation(path)}
            >
              {bar}
            </Link>
          )
        })}
      </svg>
      <span className={styles.ends} aria-hidden>
        <span>{formatMonth(months[0] ?? '')}</span>
        <span>{formatMonth(last)}</span>
      </span>
    </figure>
  )
}

interface MonthsTableProps {
  readonly bySource: readonly SourceMonths[]
  readonly months: readonly string[]
  readonly link: (source: string | null, month: string) => string | undefined
}

const MonthsTable = ({ bySource, months, link }: MonthsTableProps) => (
  <Table
    rows={months.map((month, index) => ({ month, index }))}
    rowKey={({ month }) => month}
    columns={[
      { title: 'Month', cell: ({ month }) => formatMonth(month) },
      ...bySource.map(
        ({ source, counts }): TableColumn<{ readonly month: string; readonly index: number }> => ({
          key: String(source),
          title: sourceLabel(source),
          kind: 'figure',
          cell: ({ month, index }) => (
            <Figure name={`sources.${source}.month.${month}`} value={counts[index] ?? 0} link={link(source, month)} />
          ),
        }),
      ),
    ]}
  />
)
