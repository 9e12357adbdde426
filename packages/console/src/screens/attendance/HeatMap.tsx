import { minRateSample } from '@muster/model'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import type { StepScale } from '../../components/step-colors.ts'
import { stepColors } from '../../components/step-colors.ts'
import { TimeStrip } from '../../components/TimeStrip.tsx'
import { isNarrow } from '../../components/use-is-narrow.ts'
import { formatShortDay, formatWeekday } from '../../format/dates.ts'
import { formatInteger, formatRate } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { moveBetweenMarks } from '../../kit/marks.ts'
import styles from './Attendance.module.css'
import type { DayCell } from './attendance.ts'
import { rateOf } from './attendance.ts'

interface HeatMapProps {
  readonly weeks: readonly (readonly DayCell[])[]
  readonly steps: StepScale
  readonly selected: string | undefined
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** In more columns than these, numbers do not fit. */
const mostWeeksWithNumbers = 18

/** The absence rate of each day: weeks side by side, on phones one below the other. */
export const HeatMap = ({ weeks, steps, selected }: HeatMapProps) => {
  const days = weeks[0]?.length ?? 5
  const isDense = weeks.length > mostWeeksWithNumbers
  const move = (event: KeyboardEvent) => (isNarrow() ? moveBetweenMarks(days)(event) : moveBetweenMarks(1, days)(event))
  const stop = selected ?? weeks.flat().find(({ isInPeriod }) => isInPeriod)?.day
  return (
    <TimeStrip className={styles.scroll} length={weeks.length}>
      {/* biome-ignore lint/a11y/useSemanticElements: there is no element for a group of links */}
      <div
        className={isDense ? `${styles.heat} ${styles.dense}` : styles.heat}
        style={{ '--weeks': weeks.length, '--days': days } as object}
        role="group"
        aria-label="Absent without leave per day"
        onKeyDown={move}
      >
        <span aria-hidden />
        {weekdays.slice(0, days).map((name) => (
          <span key={name} className={styles.weekday} aria-hidden>
            {name}
          </span>
        ))}
        {weeks.map((week, index) => (
          <Week
            key={week[0]?.day}
            week={week}
            steps={steps}
            selected={selected}
            stop={stop}
            hasLabel={!isDense || index % 4 === 0}
          />
        ))}
      </div>
    </TimeStrip>
  )
}

interface WeekProps {
  readonly week: readonly DayCell[]
  readonly steps: StepScale
  readonly selected: string | undefined
  /** The day that is the stop of the Tab key. */
  readonly stop: string | undefined
  readonly hasLabel: boolean
}

const Week = ({ week, steps, selected, stop, hasLabel }: WeekProps) => (
  <>
    <span className={hasLabel ? styles.week : `${styles.week} ${styles.unlabelled}`} aria-hidden>
      {formatShortDay(week[0]?.day ?? '')}
    </span>
    {week.map((cell) =>
      cell.isInPeriod ? (
        <Cell key={cell.day} cell={cell} steps={steps} isSelected={cell.day === selected} isStop={cell.day === stop} />
      ) : (
        <span key={cell.day} aria-hidden />
      ),
    )}
  </>
)

interface CellProps {
  readonly cell: DayCell
  readonly steps: StepScale
  readonly isSelected: boolean
  readonly isStop: boolean
}

const Cell = ({ cell: { day, row }, steps, isSelected, isStop }: CellProps) => {
  const rate = row === undefined ? undefined : rateOf(row)
  return (
    <Link
      to="/attendance"
      search={(old: SearchOf<'/attendance'>) => ({ ...old, day })}
      resetScroll={false}
      className={styles.cell}
      style={rate === undefined ? undefined : stepColors(steps(rate))}
      data-mark
      data-figure={rate === undefined ? undefined : `attendance.day.${day}`}
      data-day={day}
      data-rate={rate}
      tabIndex={isStop ? 0 : -1}
      aria-current={isSelected ? 'date' : undefined}
      aria-label={`${formatWeekday(day)}: ${cellText(row?.recorded ?? undefined, rate)}`}
      title={`${formatWeekday(day)}: ${cellText(row?.recorded ?? undefined, rate)}`}
    >
      <span className={styles.rate}>{rate === undefined ? undefined : (rate * 100).toFixed(2)}</span>
    </Link>
  )
}

const cellText = (recorded: number | undefined, rate: number | undefined): string => {
  if (recorded === undefined) return 'no records'
  return `${rate === undefined ? `fewer than ${minRateSample} expected` : formatRate(rate)}, ${formatInteger(recorded)} recorded`
}
