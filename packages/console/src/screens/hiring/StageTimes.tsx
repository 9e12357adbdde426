import type { ReportRows } from '@muster/client'
import { waitingDays } from '@muster/model'
import { scaleLinear } from '@visx/scale'
import type { CSSProperties } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { KnownSince } from '../../components/KnownSince.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { valueLabel } from '../../format/labels.ts'
import { formatDecimal } from '../../format/numbers.ts'
import { formatMonths } from '../../format/periods.ts'
import { Legend, Swatch } from '../../kit/Legend.tsx'
import { Section } from '../../kit/Section.tsx'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import { useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import type { Cohort } from './cohort.ts'
import table from './StageTable.module.css'
import styles from './StageTimes.module.css'

export type StageTimesRow = ReportRows['timeInStage']

interface StageTimesProps {
  readonly cohort: Cohort
  readonly asOf: string
}

/** How long applications stayed in each stage, and where they went from there. All of it is of the day of the screen. */
export const StageTimes = ({ cohort: { period, deptId, source, location }, asOf }: StageTimesProps) => {
  const query = {
    as_of: asOf,
    entered_from: period.from,
    entered_to: period.to,
    'job.dept_id': deptId,
    'candidate.source': source,
  }
  const report = useReport('timeInStage', query, { enabled: location === undefined })
  return (
    <Section
      title="Days in each stage"
      remark={`stays that began ${formatMonths(period)}`}
      aside={
        <HowCounted
          title="Days in each stage"
          meta={report.data?.meta}
          excluded="applications with a stay whose days are not known"
          path={reportPath('time-in-stage', query)}
        />
      }
    >
      {location === undefined ? (
        <Loadable result={report} asked="the days in each stage">
          {({ data, meta }) => <StageTimesTable rows={data.filter(isWaitedIn)} historyFrom={meta.history_from} />}
        </Loadable>
      ) : (
        <p className="note">The days in each stage are not counted by location. Remove that filter to see them.</p>
      )}
    </Section>
  )
}

/** Nobody waits in the last stage. */
const isWaitedIn = ({ stage }: StageTimesRow): boolean => stage !== 'hired'

interface StageTimesTableProps {
  readonly rows: readonly StageTimesRow[]
  readonly historyFrom: string | undefined
}

const StageTimesTable = ({ rows, historyFrom }: StageTimesTableProps) => {
  if (rows.length === 0)
    return (
      <p className="note">
        No application entered a stage in this period. <KnownSince day={historyFrom} />
      </p>
    )
  const longest = Math.max(
    waitingDays,
    ...rows.flatMap(({ median_days: median, p90_days: p90 }) => [median ?? 0, p90 ?? 0]),
  )
  const x = scaleLinear({ domain: [0, longest], range: [0, 100] })
  return (
    <>
      <StageTimesLegend />
      <Table
        className={`${table.stages} ${styles.times}`}
        isFlush
        hasLinesOnPhones
        rows={rows}
        rowKey={({ stage }) => String(stage)}
        columns={[
          { title: 'Stage', cell: ({ stage }) => valueLabel(stage ?? 'null') },
          countColumn('entered', 'Entered'),
          {
            title: 'Median',
            kind: 'figure',
            cellClassName: styles.median,
            cell: ({ stage, median_days: days, links }) => (
              <>
                <span className="only-phone">median </span>
                <Days name={`funnel.time.${stage}.median`} days={days} link={links.median_days} />
              </>
            ),
          },
          {
            key: 'range',
            kind: 'picture',
            className: `${table.picture} ${styles.range}`,
            onPhones: 'line',
            title: (
              <span className={styles.axis}>
                <span>0</span>
                <span>{formatDecimal(longest)} d</span>
              </span>
            ),
            cell: (row) => <Range row={row} x={x} />,
          },
          {
            title: '90th percentile',
            kind: 'figure',
            cellClassName: styles.p90,
            cell: ({ stage, p90_days: days, links }) => {
              const figure = <Days name={`funnel.time.${stage}.p90`} days={days} link={links.p90_days} />
              return (
                <>
                  <span className="only-phone">90th percentile </span>
                  {days !== null && days > waitingDays ? <Badge kind="warning">{figure}</Badge> : figure}
                </>
              )
            },
          },
          countColumn('next', 'Went on', 'hidden'),
          countColumn('rejected', 'Rejected', 'hidden'),
          countColumn('withdrawn', 'Withdrawn', 'hidden'),
          countColumn('still_there', 'Still there', 'hidden'),
          {
            title: 'Longest of them',
            kind: 'figure',
            onPhones: 'hidden',
            cell: ({ stage, longest_days: days, links }) => (
              <Days name={`funnel.time.${stage}.wait_days`} days={days} link={links.longest_days} />
            ),
          },
        ]}
      />
      <p className="note below">
        Days of the stays that ended: with another stage, a rejection or a withdrawal. Marked: more than one in ten took
        longer than {waitingDays} days. <KnownSince day={historyFrom} />
      </p>
    </>
  )
}

type CountedColumn = 'entered' | 'next' | 'rejected' | 'withdrawn' | 'still_there'

const countColumn = (column: CountedColumn, title: string, onPhones?: 'hidden'): TableColumn<StageTimesRow> => ({
  title,
  kind: 'figure',
  ...(onPhones && { onPhones }),
  cell: ({ stage, links, [column]: value }) => (
    <Figure name={`funnel.time.${stage}.${column}`} value={value ?? 0} link={links[column]} />
  ),
})

interface DaysProps {
  readonly name: string
  readonly days: number | null
  readonly link: string | undefined
}

const Days = ({ name, days, link }: DaysProps) =>
  days === null ? (
    <span className="muted">none</span>
  ) : (
    <Figure name={name} value={days} link={link}>
      {formatDecimal(days)} d
    </Figure>
  )

interface RangeProps {
  readonly row: StageTimesRow
  readonly x: (days: number) => number
}

const Range = ({ row: { median_days: median, p90_days: p90 }, x }: RangeProps) => (
  <span className={styles.line} style={{ '--limit': `${x(waitingDays)}%` } as CSSProperties} aria-hidden>
    {p90 === null ? undefined : <i style={{ inlineSize: `${x(p90)}%` }} />}
    {median === null ? undefined : <b style={{ insetInlineStart: `${x(median)}%` }} />}
  </span>
)

const StageTimesLegend = () => (
  <Legend label="Marks of the ranges" className={styles.legend}>
    <li>
      <Swatch className={styles.dot} />
      median
    </li>
    <li>
      <Swatch className={styles.bar} />
      to the 90th percentile
    </li>
    <li>
      <Swatch className={styles.dashes} />
      {waitingDays} days
    </li>
  </Legend>
)
