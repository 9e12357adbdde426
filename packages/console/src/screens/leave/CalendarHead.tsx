import { Now, useIsAnotherDay } from '../../components/Now.tsx'
import { formatWeekday } from '../../format/dates.ts'
import { formatInteger } from '../../format/numbers.ts'
import { moveBetweenMarks } from '../../kit/marks.ts'
import type { MonthDay } from './calendar.ts'
import { dayLoad, fullestDays } from './calendar.ts'
import { DayLink } from './DayLink.tsx'
import { dayAttributes } from './day-attributes.ts'
import styles from './LeaveCalendar.module.css'
import type { LeaveDays } from './use-leave.ts'

interface CalendarHeadProps {
  readonly days: readonly MonthDay[]
  readonly asOf: string
  readonly company: LeaveDays
  /** What the rows below are: `departments` or `teams`. */
  readonly rows: string
}

/** Height of the tallest bar in rem. */
const barHeight = 4

/** The days of the month, with the leave of the whole company on each. */
export const CalendarHead = ({ days, asOf, company, rows }: CalendarHeadProps) => {
  const isAnotherDay = useIsAnotherDay()
  const fullest = fullestDays(company.data, 3)
  const most = Math.max(1, ...company.data.map(dayLoad))
  const height = (count: number) => `${(count / most) * barHeight}rem`
  return (
    <thead>
      <tr className={styles.chart} onKeyDown={moveBetweenMarks()}>
        <th scope="row">
          Out per day, whole company <Now />
        </th>
        {days.map((day, index) => {
          const row = company.data[index]
          const [out, pending] = [row?.out ?? 0, row?.pending ?? 0]
          const isFullest = fullest.has(day.day)
          return (
            <td key={day.day} {...dayAttributes(day, asOf)} data-fullest={isFullest || undefined}>
              <DayLink
                name={`leave.out.${day.day}`}
                value={out}
                link={row?.links.out}
                label={`${formatWeekday(day.day)}: ${formatInteger(out)} out${isFullest ? ', one of the days with the most approved leave' : ''}`}
                isStop={index === 0}
                className={styles.dayBar}
              >
                <span>{formatInteger(out)}</span>
                <i className="hatch" style={{ blockSize: height(pending) }} />
                <i className={styles.approved} style={{ blockSize: height(out) }} />
              </DayLink>
            </td>
          )
        })}
        <td />
      </tr>
      <tr className={styles.pendingRow} onKeyDown={moveBetweenMarks()}>
        <th scope="row">Waiting for approval now</th>
        {days.map((day, index) => {
          const row = company.data[index]
          const pending = row?.pending ?? 0
          return (
            <td key={day.day} {...dayAttributes(day, asOf)}>
              <DayLink
                name={`leave.pending.${day.day}`}
                value={pending}
                link={row?.links.pending}
                label={`${formatWeekday(day.day)}: ${formatInteger(pending)} waiting`}
                isStop={index === 0}
              />
            </td>
          )
        })}
        <td />
      </tr>
      <tr className={styles.days}>
        <td>{isAnotherDay ? `${rows} as they are now` : undefined}</td>
        {days.map((day) => (
          <th key={day.day} scope="col" {...dayAttributes(day, asOf)}>
            {day.weekday}
            <b>{day.date}</b>
          </th>
        ))}
        <td />
      </tr>
    </thead>
  )
}
