import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ColorKey } from '../../components/ColorKey.tsx'
import { ExportButton } from '../../components/ExportButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { Now } from '../../components/Now.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { PeriodMenu } from '../../components/PeriodMenu.tsx'
import { stepScale } from '../../components/step-colors.ts'
import { formatDay, formatPeriod, formatWeekday, isDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatRate } from '../../format/numbers.ts'
import { monthChoices, weeksUntil, writePeriod } from '../../format/periods.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { questionOf } from '../../frame/screens.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Section } from '../../kit/Section.tsx'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import { useReport } from '../../service/queries.ts'
import { listPath, reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import styles from './Attendance.module.css'
import type { AttendanceRow, Days } from './attendance.ts'
import {
  colorSteps,
  highestDay,
  rateOf,
  readDays,
  sicknessRateOf,
  standardWeeks,
  totalsOf,
  weeksOf,
} from './attendance.ts'
import { DayPanel } from './DayPanel.tsx'
import { DepartmentMatrix } from './DepartmentMatrix.tsx'
import { HeatMap } from './HeatMap.tsx'
import { SicknessRate } from './SicknessRate.tsx'
import { useMonthReports } from './use-month-reports.ts'

export const AttendanceScreen = () => {
  const asOf = useAsOf()
  const search = useSearch({ from: '/attendance' })
  const navigate = useNavigate({ from: '/attendance' })
  const { isCut, ...days } = readDays(search.from, search.to, asOf)
  const query = { as_of: asOf, from: days.from, to: days.to, by: 'day' } as const
  const report = useReport('attendance', query)
  const hasPicture = report.data !== undefined && !report.isPlaceholderData
  const recorded = report.data === undefined ? 0 : totalsOf(report.data.data).recorded
  const weeks = (count: number) => ({ label: `${count} weeks`, ...weeksUntil(asOf, count) })
  const standard = weeksUntil(asOf, standardWeeks)
  const isStandard = days.from === standard.from && days.to === standard.to
  return (
    <>
      <PageHead
        title="Attendance"
        question={questionOf('/attendance')}
        how={
          <HowCounted
            title="Absent without leave, and sickness rate"
            meta={report.data?.meta}
            path={reportPath('attendance', query)}
          />
        }
        tools={
          recorded === 0 ? undefined : (
            <ExportButton
              path={listPath('attendance', { att_date_from: days.from, att_date_to: days.to })}
              rows={recorded}
              fileName={`attendance-${days.from}-${days.to}`}
            />
          )
        }
      >
        <PeriodMenu
          label="Days"
          period={days}
          text={isStandard ? `${standardWeeks} weeks to ${formatDay(asOf)}` : formatPeriod(days.from, days.to)}
          choices={[weeks(standardWeeks), weeks(26), weeks(52), ...monthChoices(asOf).slice(1, 5)]}
          onChange={(next) => {
            const { from, to } = writePeriod(next, standard)
            void navigate({ search: (old: SearchOf<'/attendance'>) => ({ ...old, from, to, day: undefined }) })
          }}
        />
      </PageHead>
      <Loadable result={report} asked="the attendance per day">
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No attendance is recorded in this period">
              <p>
                From {formatDay(days.from)} to {formatDay(days.to)} there are no records.{' '}
                {isStandard ? undefined : (
                  <Link className="link" to="/attendance" search={{}}>
                    Show the last {standardWeeks} weeks
                  </Link>
                )}
              </p>
            </EmptyState>
          ) : (
            <Content
              days={days}
              isCut={isCut}
              rows={data}
              asOf={asOf}
              chosen={search.day !== undefined && isDay(search.day) ? search.day : undefined}
              hasPicture={hasPicture}
              hasAllDepartments={search.departments === 'all'}
            />
          )
        }
      </Loadable>
    </>
  )
}

interface ContentProps {
  readonly days: Days
  readonly isCut: boolean
  readonly rows: readonly AttendanceRow[]
  readonly asOf: string
  readonly chosen: string | undefined
  readonly hasPicture: boolean
  readonly hasAllDepartments: boolean
}

const Content = ({ days, isCut, rows, asOf, chosen, hasPicture, hasAllDepartments }: ContentProps) => {
  const months = useMonthReports(days, asOf, hasPicture)
  const names = useDepartmentNames(hasPicture)
  const bounds = colorSteps(rows.flatMap((row) => rateOf(row) ?? []))
  const steps = stepScale(bounds)
  const weeks = weeksOf(days, rows)
  const highest = highestDay(rows)
  const day = chosen ?? highest?.group ?? undefined
  return (
    <>
      <div className={styles.columns}>
        <ChartFigure
          title="Absent without leave per day, %"
          remark={<PeriodRate rows={rows} days={days} weeks={weeks.length} />}
          table={<DaysTable rows={rows} />}
        >
          <ColorKey from={`under ${formatRate(bounds[0] ?? 0)}`} to={`${formatRate(bounds.at(-1) ?? 0)} and over`} />
          <HeatMap weeks={weeks} steps={steps} selected={day} />
          <p className="note below">
            Absent ÷ all records except those on leave. Leave of every kind, also sick leave, does not count. Half days
            count as present. {weeks[0]?.length === 5 ? 'No attendance is recorded at weekends. ' : ''}
            {isCut ? 'The period is limited to its last 53 weeks.' : ''}
          </p>
          <PeriodSickness rows={rows} days={days} />
        </ChartFigure>
        <div>
          {day === undefined ? undefined : (
            <DayPanel
              day={day}
              row={rows.find(({ group }) => group === day)}
              isHighest={day === highest?.group}
              isChosen={chosen !== undefined}
            />
          )}
        </div>
      </div>
      <Section
        title="Absent without leave by department and month, %"
        className="apart"
        aside={<span className="note">each person’s department now</span>}
      >
        <Loadable result={months} asked="the attendance by department">
          {(columns) => (
            <DepartmentMatrix
              columns={columns.filter(({ rows: ofMonth }) => ofMonth.size > 0)}
              names={names}
              steps={steps}
              isWhole={hasAllDepartments}
            />
          )}
        </Loadable>
      </Section>
    </>
  )
}

interface PeriodRateProps {
  readonly rows: readonly AttendanceRow[]
  readonly days: Days
  readonly weeks: number
}

const PeriodRate = ({ rows, days, weeks }: PeriodRateProps) => {
  const totals = totalsOf(rows)
  const weeksText = `${weeks} ${plural(weeks, 'week', 'weeks')}`
  return totals.rate === undefined ? undefined : (
    <>
      <Figure
        name="attendance.absence_rate"
        value={totals.rate}
        link={listPath('attendance', { att_date_from: days.from, att_date_to: days.to, status_not: 'on_leave' })}
        what={`absent without leave over ${weeksText}`}
      >
        {formatRate(totals.rate)}
      </Figure>{' '}
      over {weeksText}
    </>
  )
}

const PeriodSickness = ({ rows, days }: Omit<PeriodRateProps, 'weeks'>) => {
  const totals = totalsOf(rows)
  const sickLeave = { status: 'approved', leave_type: 'sick', from_date_to: days.to, to_date_from: days.from }
  return sicknessRateOf(totals) === undefined ? undefined : (
    <p className="note">
      Sickness rate <Now />:{' '}
      <SicknessRate
        name="attendance.sickness_rate"
        of={totals}
        link={listPath('leave', sickLeave)}
        what={`sickness rate, ${formatPeriod(days.from, days.to)}`}
      />
      , records on approved sick leave ÷ all records.
    </p>
  )
}

const DaysTable = ({ rows }: { readonly rows: readonly AttendanceRow[] }) => (
  <Table
    rows={rows}
    rowKey={({ group }) => String(group)}
    columns={[
      { title: 'Day', cell: ({ group }) => formatWeekday(group ?? '') },
      ...(['recorded', 'on_leave', 'absent'] as const).map(
        (column): TableColumn<AttendanceRow> => ({
          title: valueLabel(column),
          kind: 'figure',
          cell: ({ group, links, [column]: value }) => (
            <Figure name={`attendance.table.${group}.${column}`} value={value ?? 0} link={links[column]} />
          ),
        }),
      ),
      {
        title: 'Absent without leave',
        kind: 'figure',
        cell: (row) => {
          const rate = rateOf(row)
          return rate === undefined ? undefined : (
            <Figure name={`attendance.table.${row.group}.rate`} value={rate} link={row.links.absence_rate}>
              {formatRate(rate)}
            </Figure>
          )
        },
      },
      rows.some(({ sick }) => sick !== null) && {
        key: 'sickness rate',
        title: (
          <>
            Sickness rate <Now />
          </>
        ),
        kind: 'figure',
        cell: (row) => (
          <SicknessRate name={`attendance.table.${row.group}.sickness_rate`} of={row} link={row.links.sickness_rate} />
        ),
      },
    ]}
  />
)
