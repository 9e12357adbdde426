import { daysBetween, waitingDays } from '@muster/model'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { Figure } from '../../components/Figure.tsx'
import type { Status } from '../../components/StatusMark.tsx'
import { StatusMark } from '../../components/StatusMark.tsx'
import {
  overdueFilters,
  pastTargetFilters,
  soonDays,
  soonFilters,
  waitingFilters,
} from '../../components/work-lists.ts'
import { formatDay, formatDayNear } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import type { Result } from '../../service/queries.ts'
import { useList, useReport } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import styles from './Attention.module.css'
import { missingAttendanceDays } from './attention-dates.ts'
import type { SingleFigure, TodayFigures } from './today-figures.ts'

interface AttentionProps {
  readonly figures: TodayFigures
  readonly asOf: string
  /** Requests for leave that begin soon. Only their number matters. */
  readonly soon: Result<{ readonly meta: { readonly total: number } }>
}

/** The checks of the day: those that find something first. */
export const Attention = ({ figures, asOf, soon }: AttentionProps) => {
  const { leaveOverdue, leavePending, applicationsWaiting, applicationsTotal, openingsPastTarget, openings } = figures
  const id = useId()
  const attendanceDays = missingAttendanceDays(figures.attendance.day, asOf)
  const soonTotal = soon.data?.meta.total
  const isCalm = ![leaveOverdue, applicationsWaiting, openingsPastTarget].some(isFound) && soonTotal === 0
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className="visually-hidden">
        Needs attention
      </h2>
      <ul className={styles.list}>
        {isCalm && attendanceDays === undefined ? (
          <li className={styles.item}>
            <span className={styles.mark}>
              <StatusMark status="good" />
            </span>
            <span className={styles.calm}>Nothing needs attention</span>
          </li>
        ) : undefined}
        <Check
          name="leave_overdue"
          severity="error"
          value={leaveOverdue.value ?? undefined}
          link={leaveOverdue.link}
          text={(one) => `leave ${one('request waits', 'requests wait')} for approval although the leave has begun`}
          more={isFound(leaveOverdue) ? <FirstOverdue asOf={asOf} /> : undefined}
        />
        <Check
          name="leave_soon"
          severity="warning"
          value={soonTotal}
          isFailed={soon.error !== null}
          link={listPath('leave', soonFilters(asOf))}
          text={(one) =>
            `leave ${one('request begins', 'requests begin')} within ${soonDays} days and ${one('is', 'are')} not decided`
          }
          more={<OutOf name="leave_pending" of={leavePending} what="requests waiting for approval" suffix=" waiting" />}
        />
        <Check
          name="applications_waiting"
          severity="warning"
          value={applicationsWaiting.value ?? undefined}
          link={applicationsWaiting.link}
          text={(one) =>
            `active ${one('application has', 'applications have')} been in ${one('its', 'their')} stage for more than ${waitingDays} days`
          }
          more={
            <>
              <OutOf name="applications_total" of={applicationsTotal} what="active applications" />
              {isFound(applicationsWaiting) ? <LongestWait asOf={asOf} /> : undefined}
            </>
          }
        />
        <Check
          name="openings_past_target"
          severity="warning"
          value={openingsPastTarget.value ?? undefined}
          link={openingsPastTarget.link}
          text={(one) =>
            `open ${one('opening is', 'openings are')} past ${one('its', 'their')} target date, with places to fill`
          }
          more={
            <>
              <OutOf name="openings_open" of={openings} what="open openings" />
              {isFound(openingsPastTarget) ? <OldestTarget asOf={asOf} /> : undefined}
            </>
          }
        />
        {attendanceDays === undefined || figures.attendance.day === null ? undefined : (
          <li className={styles.item} data-status="warning">
            <span className={styles.mark}>
              <StatusMark status="warning" />
            </span>
            <span className={styles.value}>{formatInteger(attendanceDays)}</span>
            <span className={styles.text}>days have passed since attendance was last recorded</span>
            <span className={styles.more}>
              <Figure
                name="today.attendance_last_day"
                value={figures.attendance.value ?? 0}
                link={figures.attendance.link}
                what={`records on ${formatDay(figures.attendance.day)}`}
              />{' '}
              records on {formatDay(figures.attendance.day)}
            </span>
          </li>
        )}
      </ul>
      <p className={styles.health}>
        Records that contradict each other are found by the rules of{' '}
        <Link className="link" to="/health">
          Health
        </Link>
        .
      </p>
    </section>
  )
}

const isFound = ({ value }: SingleFigure): boolean => value !== null && value > 0

interface CheckProps {
  readonly name: string
  /** The mark, if the check finds records. */
  readonly severity: Exclude<Status, 'good'>
  /** Undefined until the number is known. */
  readonly value: number | undefined
  readonly isFailed?: boolean
  readonly link: string | undefined
  /** The text after the number. `one` chooses between singular and plural. */
  readonly text: (one: (singular: string, plural: string) => string) => string
  readonly more: ReactNode
}

const Check = ({ name, severity, value, isFailed = false, link, text, more }: CheckProps) => {
  const status: Status = value === 0 ? 'good' : severity
  const whatIsFound = text((singular, many) => plural(value ?? 0, singular, many))
  return (
    <li className={styles.item} data-status={value === undefined ? 'good' : status}>
      <span className={styles.mark}>{value === undefined ? undefined : <StatusMark status={status} />}</span>
      <span className={styles.value}>
        {value === undefined ? '…' : <Figure name={`today.${name}`} value={value} link={link} what={whatIsFound} />}
      </span>
      <span className={styles.text}>{whatIsFound}</span>
      <span className={styles.more}>{isFailed ? 'could not be counted' : more}</span>
    </li>
  )
}

interface OutOfProps {
  readonly name: string
  readonly of: SingleFigure
  readonly what: string
  readonly suffix?: string
}

const OutOf = ({ name, of, what, suffix = '' }: OutOfProps) =>
  of.value === null ? undefined : (
    <>
      of <Figure name={`today.${name}`} value={of.value} link={of.link} what={what} />
      {suffix}
    </>
  )

/** These details are asked for after the first picture, and only if a check finds something. */
const FirstOverdue = ({ asOf }: { readonly asOf: string }) => {
  const { data } = useList('leave', { ...overdueFilters(asOf), sort: 'from_date', limit: 1 })
  const first = data?.data[0]?.from_date
  return first == null ? undefined : `first began ${formatDayNear(first, asOf)}`
}

const LongestWait = ({ asOf }: { readonly asOf: string }) => {
  const { data } = useList('applications', { ...waitingFilters(asOf), sort: 'stage_entered_on', limit: 1 })
  const longest = data?.data[0]
  const stage = longest?.stage ?? undefined
  const times = useReport('timeInStage', { as_of: asOf }, { enabled: stage !== undefined })
  const usual = times.data?.data.find((row) => row.stage === stage?.toLowerCase())
  if (longest?.stage_entered_on == null) return undefined
  const days = daysBetween(longest.stage_entered_on, asOf)
  return (
    <>
      {' · '}longest {formatInteger(days)} days{stage === undefined ? '' : `, in ${valueLabel(stage)}`}
      {usual === undefined || usual.median_days === null ? undefined : (
        <>
          {' '}
          (median{' '}
          <Figure
            name="today.stage_median"
            value={usual.median_days}
            link={usual.links.median_days}
            what={`median days in ${valueLabel(usual.stage ?? '')}`}
          >
            {formatDecimal(usual.median_days)}
          </Figure>
          )
        </>
      )}
    </>
  )
}

const OldestTarget = ({ asOf }: { readonly asOf: string }) => {
  const { data } = useList('jobs', { ...pastTargetFilters(asOf), sort: 'target_date', limit: 1 })
  const oldest = data?.data[0]?.target_date
  return oldest == null ? undefined : ` · oldest target ${formatDayNear(oldest, asOf)}`
}
