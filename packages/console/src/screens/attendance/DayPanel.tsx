import { minRateSample } from '@muster/model'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Bars } from '../../components/Bars.tsx'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { Now } from '../../components/Now.tsx'
import { formatWeekday } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { formatInteger, formatRate } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { IconLink } from '../../kit/IconButton.tsx'
import { Section } from '../../kit/Section.tsx'
import styles from './Attendance.module.css'
import type { AttendanceRow } from './attendance.ts'
import { rateOf, sicknessRateOf } from './attendance.ts'
import { SicknessRate } from './SicknessRate.tsx'

interface DayPanelProps {
  readonly day: string
  /** Undefined if there are no records of that day. */
  readonly row: AttendanceRow | undefined
  readonly isHighest: boolean
  /** Whether the day was chosen, and is not only the highest one. */
  readonly isChosen: boolean
}

const statuses = ['present', 'work_from_home', 'on_leave', 'half_day', 'absent', 'other'] as const

/** The figures of one day. */
export const DayPanel = ({ day, row, isHighest, isChosen }: DayPanelProps) => {
  const end = useRef<HTMLDivElement>(null)
  const firstDay = useRef(day)
  useEffect(() => {
    // On narrow screens the panel is below the heat map, where a click would seem to do nothing.
    if (day !== firstDay.current) end.current?.scrollIntoView({ block: 'nearest' })
    firstDay.current = day
  }, [day])
  return (
    <Section
      title={formatWeekday(day)}
      aside={
        isChosen ? (
          <IconLink
            icon={X}
            to="/attendance"
            search={(old: SearchOf<'/attendance'>) => ({ ...old, day: undefined })}
            resetScroll={false}
            label="Close this day"
          />
        ) : undefined
      }
    >
      <div aria-live="polite">
        {row === undefined ? (
          <p className="note">No attendance is recorded on this day.</p>
        ) : (
          <DayFigures day={day} row={row} isHighest={isHighest} />
        )}
      </div>
      <div ref={end} />
    </Section>
  )
}

interface DayFiguresProps {
  readonly day: string
  readonly row: AttendanceRow
  readonly isHighest: boolean
}

const DayFigures = ({ day, row, isHighest }: DayFiguresProps) => {
  const rate = rateOf(row)
  return (
    <>
      <p className={styles.dayRate}>
        {rate === undefined ? (
          <small>fewer than {minRateSample} expected</small>
        ) : (
          <Figure
            name={`attendance.${day}.absence_rate`}
            value={rate}
            link={row.links.absence_rate}
            what={`absent without leave on ${formatWeekday(day)}`}
          >
            {formatRate(rate)}
          </Figure>
        )}
      </p>
      <p className={styles.remark}>absent without leave{isHighest ? ', the highest of the period' : ''}</p>
      {sicknessRateOf(row) === undefined ? undefined : (
        <p className={styles.remark}>
          sickness rate <Now />{' '}
          <SicknessRate
            name={`attendance.${day}.sickness_rate`}
            of={row}
            link={row.links.sickness_rate}
            what={`sickness rate on ${formatWeekday(day)}`}
          />
        </p>
      )}
      <Bars
        of={`Attendance on ${formatWeekday(day)}`}
        name={`attendance.${day}`}
        bars={statuses
          .filter((status) => status !== 'other' || (row.other ?? 0) > 0)
          .map((status) => ({
            key: status,
            label: valueLabel(status),
            value: row[status] ?? 0,
            link: row.links[status],
          }))}
      />
      <p className={styles.open}>
        <ButtonLink {...dataLocation(row.links.recorded ?? '')}>
          <span>
            Open{' '}
            <span className="number" data-figure={`attendance.${day}.recorded`} data-value={row.recorded ?? 0}>
              {formatInteger(row.recorded ?? 0)}
            </span>{' '}
            records
          </span>
        </ButtonLink>
        <ButtonLink {...dataLocation(row.links.absent ?? '')}>Only absent</ButtonLink>
      </p>
    </>
  )
}
