import type { ReportRows } from '@muster/client'
import { Link } from '@tanstack/react-router'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { Stat, StatList } from '../../components/StatList.tsx'
import { formatDay, formatWeekday } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { formatRate } from '../../format/numbers.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import { Section } from '../../kit/Section.tsx'
import { useReport } from '../../service/queries.ts'
import { AbsenceChart, AbsenceTable } from './AbsenceChart.tsx'
import { firstChartDay } from './absence-days.ts'
import styles from './TodayScreen.module.css'

interface AttendanceProps {
  readonly asOf: string
  /** The last recorded day: undefined until it is known, null if there is none. */
  readonly lastDay: string | null | undefined
}

/** The absence rate of 13 weeks, and the last recorded day in figures. */
export const Attendance = ({ asOf, lastDay }: AttendanceProps) => {
  // The period ends with the day of the screen, so that both requests start at once. Only if there are no records in it,
  // the period of the last recorded day is asked for.
  const to = lastDay != null && lastDay < firstChartDay(asOf) ? lastDay : asOf
  const from = firstChartDay(to)
  const report = useReport('attendance', { as_of: asOf, from, to, by: 'day' })
  if (lastDay === null)
    return (
      <Section title="Absent without leave per day" className="apart">
        <p className="note">No attendance is recorded up to {formatDay(asOf)}.</p>
      </Section>
    )
  return (
    <div className="apart">
      <Loadable result={report} asked="the attendance of 13 weeks">
        {({ data }) => {
          const last = data.at(-1)
          if (last === undefined) return undefined
          const day = String(last.group)
          return (
            <>
              <ChartFigure
                title="Absent without leave per day"
                remark={`13 weeks to the last recorded day, ${formatWeekday(day)}`}
                aside={
                  <Link className="link" to="/attendance">
                    Attendance
                  </Link>
                }
                table={<AbsenceTable rows={data} />}
              >
                <AbsenceChart rows={data} from={from} to={to} />
              </ChartFigure>
              <section className={styles.stats} aria-label={`Attendance on ${formatWeekday(day)}`}>
                <DayStats row={last} />
              </section>
            </>
          )
        }}
      </Loadable>
    </div>
  )
}

const columns = ['present', 'work_from_home', 'on_leave', 'half_day', 'absent', 'other', 'recorded'] as const

const DayStats = ({ row }: { readonly row: ReportRows['attendance'] }) => (
  <StatList>
    {row.absence_rate === null ? undefined : (
      <Stat label="Absent without leave">
        <Figure name="today.absence_rate" value={row.absence_rate} link={row.links.absence_rate}>
          {formatRate(row.absence_rate)}
        </Figure>
      </Stat>
    )}
    {row.sickness_rate === null ? undefined : (
      <Stat label="Sickness rate">
        <Figure name="today.sickness_rate" value={row.sickness_rate} link={row.links.sickness_rate}>
          {formatRate(row.sickness_rate)}
        </Figure>
      </Stat>
    )}
    {columns
      // Records with another status are rare.
      .filter((column) => column !== 'other' || (row.other ?? 0) > 0)
      .map((column) => (
        <Stat key={column} label={valueLabel(column)}>
          <Figure name={`today.attendance.${column}`} value={row[column] ?? 0} link={row.links[column]} />
        </Stat>
      ))}
  </StatList>
)
