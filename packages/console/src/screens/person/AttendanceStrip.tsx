import { useRouter } from '@tanstack/react-router'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useMemo } from 'react'
import { dataLocation } from '../../components/data-links.ts'
import { Figure } from '../../components/Figure.tsx'
import { TimeStrip } from '../../components/TimeStrip.tsx'
import { formatDay, formatMonth, formatWeekday } from '../../format/dates.ts'
import { valueLabel } from '../../format/labels.ts'
import { ChartFigure } from '../../kit/ChartFigure.tsx'
import { Legend } from '../../kit/Legend.tsx'
import type { TableColumn } from '../../kit/Table.tsx'
import { Table } from '../../kit/Table.tsx'
import { useWidth } from '../../kit/use-width.ts'
import { listPath } from '../../service/requests.ts'
import { partWidths } from '../../styles/breakpoints.ts'
import styles from './AttendanceStrip.module.css'
import type { AttendanceGroup, LeaveRequest, Strip, StripDay } from './strip.ts'
import { buildStrip, monthTotals, nextMark, statusTotals } from './strip.ts'

/** Pixels from week to week. The strip fits into its column, except on phones, where it scrolls. */
const maxStep = 18
const minStep = 7.5
const phoneStep = 12.8
/** The space between two squares, the height of a square, and that of a row. */
const gap = 2.2
const cellHeight = 12.4
const rowHeight = 15
const left = 30
const top = 22
const right = 14
const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

interface AttendanceStripProps {
  readonly employeeId: number
  readonly asOf: string
  readonly groups: readonly AttendanceGroup[]
  readonly leave: readonly LeaveRequest[]
}

/** A square for each working day of twelve months, and for leave ahead. */
export const AttendanceStrip = ({ employeeId, asOf, groups, leave }: AttendanceStripProps) => {
  const router = useRouter()
  const strip = useMemo(() => buildStrip(asOf, groups, leave), [asOf, groups, leave])

  const period = { att_date_from: strip.from, att_date_to: asOf }
  const dayPath = ({ day, status, leave: request }: StripDay): string =>
    status === undefined && request !== undefined
      ? listPath('leave', { id: request.id })
      : listPath('attendance', { employee_id: employeeId, att_date_from: day, att_date_to: day })
  const marks = strip.days.filter(({ status, leave: request }) => status !== undefined || request !== undefined)
  const markDays = marks.map(({ day }) => day)
  const firstStop = markDays.findLast((day) => day <= asOf) ?? markDays.at(-1)
  const dayOf = (target: EventTarget): StripDay | undefined => {
    const day = (target as Element).closest('[data-mark]')?.getAttribute('data-mark')
    return marks.find((mark) => mark.day === day)
  }
  const move = (event: KeyboardEvent<SVGSVGElement>): void => {
    const current = dayOf(event.target)
    const next = current && nextMark(markDays, current.day, event.key)
    if (next === undefined) return
    event.preventDefault()
    for (const mark of event.currentTarget.querySelectorAll<SVGElement>('[data-mark]')) {
      const isNext = mark.dataset.mark === next
      mark.setAttribute('tabindex', isNext ? '0' : '-1')
      if (isNext) mark.focus()
    }
  }
  const open = (event: MouseEvent<SVGSVGElement>): void => {
    const day = dayOf(event.target)
    if (day === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    void router.navigate(dataLocation(dayPath(day)))
  }
  const hrefOf = (day: StripDay): string =>
    router.history.createHref(router.buildLocation(dataLocation(dayPath(day))).publicHref)

  const [frame, frameWidth] = useWidth<HTMLDivElement>()
  const step = Math.min(
    maxStep,
    Math.max(frameWidth < partWidths.attendanceStrip ? phoneStep : minStep, (frameWidth - left - right) / strip.weeks),
  )
  const cell = step - gap
  const months = fittingLabels(strip.months, step, strip.weeks * step + right)
  const height = top + strip.weekdays * rowHeight + 7
  const width = left + strip.weeks * step + right
  const todayX = left + ((strip.days.find(({ day }) => day === asOf)?.week ?? strip.weeks - 1) + 1) * step - 1

  return (
    <ChartFigure
      title="Attendance and leave"
      remark={`12 months to ${formatDay(asOf)}, and leave ahead`}
      table={<MonthTable employeeId={employeeId} groups={groups} from={strip.from} to={asOf} />}
    >
      {marks.length === 0 ? (
        <p className="note">Neither attendance nor leave is recorded in this time.</p>
      ) : (
        <TimeStrip length={strip.weeks} className="scroll-x">
          <div ref={frame} />
          {/* biome-ignore lint/a11y/useSemanticElements: an SVG cannot be a fieldset; its links are the controls */}
          <svg
            className={styles.strip}
            viewBox={`0 0 ${width} ${height}`}
            width={width}
            height={height}
            role="group"
            aria-label={`Attendance and leave by day, ${formatMonth(strip.from)} to ${formatMonth(strip.days.at(-1)?.day ?? asOf)}. The arrow keys move between days.`}
            onKeyDown={move}
            onClick={open}
          >
            {months.map(({ label, week }) => (
              <text key={`${label}${week}`} x={left + week * step} y={12}>
                {label}
              </text>
            ))}
            {weekdayNames.slice(0, strip.weekdays).map((name, index) => (
              <text key={name} x={0} y={top + index * rowHeight + 10}>
                {name}
              </text>
            ))}
            {strip.days.map((day) => {
              const x = left + day.week * step
              const y = top + day.weekday * rowHeight
              const kind = markKind(day)
              if (kind === undefined)
                return day.day > asOf ? undefined : (
                  <circle key={day.day} className={styles.none} cx={x + cell / 2} cy={y + cellHeight / 2} r={1} />
                )
              return (
                <a
                  key={day.day}
                  href={hrefOf(day)}
                  data-mark={day.day}
                  tabIndex={day.day === firstStop ? 0 : -1}
                  aria-label={`${formatWeekday(day.day)}: ${kindLabel(day)}`}
                >
                  <title>{`${formatWeekday(day.day)}: ${kindLabel(day)}`}</title>
                  <rect className={styles[kind]} x={x} y={y} width={cell} height={cellHeight} rx={2} />
                  {kind === 'half_day' ? (
                    <path className={styles.half} d={`M${x} ${y + cellHeight}h${cell}v${-cellHeight}z`} />
                  ) : undefined}
                </a>
              )
            })}
            <line className={styles.today} x1={todayX} x2={todayX} y1={16} y2={height - 3} />
          </svg>
        </TimeStrip>
      )}
      <svg className={styles.patterns} aria-hidden>
        <pattern id="waiting" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="5" height="5" fill="var(--paper)" />
          <rect width="1.75" height="5" fill="var(--cat-1)" />
        </pattern>
      </svg>
      <Legend className={styles.legend}>
        {[...statusTotals(groups)].map(([status, value]) => (
          <li key={status}>
            <Swatch kind={statusKind(status)} />
            {status === null ? 'No status' : valueLabel(status)}{' '}
            <Figure
              name={`person.attendance.${status}`}
              value={value}
              what={status === null ? 'No status' : valueLabel(status)}
              link={listPath('attendance', {
                employee_id: employeeId,
                ...(status === null ? { status_is_null: true } : { status }),
                ...period,
              })}
            />
          </li>
        ))}
        <LeaveLegend employeeId={employeeId} leave={leave} from={strip.from} asOf={asOf} />
      </Legend>
    </ChartFigure>
  )
}

/** The mean of letters and digits, in pixels, with a margin. */
const letterWidth = 6.2

/** The names of months that reach neither into the next one nor beyond the chart. */
const fittingLabels = (months: Strip['months'], step: number, end: number): Strip['months'] => {
  let free = 0
  return months.filter(({ label, week }) => {
    const labelEnd = week * step + label.length * letterWidth
    if (week * step < free || labelEnd > end) return false
    free = labelEnd
    return true
  })
}

type MarkKind = 'present' | 'work_from_home' | 'on_leave' | 'half_day' | 'absent' | 'other' | 'approved' | 'waiting'

const statusKind = (status: string | null): MarkKind =>
  status === 'present' ||
  status === 'work_from_home' ||
  status === 'on_leave' ||
  status === 'half_day' ||
  status === 'absent'
    ? status
    : 'other'

const markKind = ({ status, leave }: StripDay): MarkKind | undefined => {
  if (status !== undefined) return statusKind(status)
  return leave === undefined ? undefined : leave.isApproved ? 'approved' : 'waiting'
}

const kindLabel = ({ status, leave }: StripDay): string => {
  if (status !== undefined) return status === null ? 'no status' : valueLabel(status).toLowerCase()
  return leave?.isApproved ? 'approved leave' : 'leave waiting for approval'
}

const Swatch = ({ kind }: { readonly kind: MarkKind }) => (
  <svg className={styles.swatch} viewBox="0 0 12 12" aria-hidden>
    <rect className={styles[kind]} x={0.5} y={0.5} width={11} height={11} rx={2} />
    {kind === 'half_day' ? <path className={styles.half} d="M0.5 11.5h11v-11z" /> : undefined}
  </svg>
)

interface LeaveLegendProps {
  readonly employeeId: number
  readonly leave: readonly LeaveRequest[]
  readonly from: string
  readonly asOf: string
}

/** Requests, not days: a day of leave is no record. */
const LeaveLegend = ({ employeeId, leave, from, asOf }: LeaveLegendProps) => {
  const isStatus = (request: LeaveRequest, status: string) => request.status?.toLowerCase() === status
  const ahead = leave.filter((request) => isStatus(request, 'approved') && (request.from_date ?? '') > asOf)
  const waiting = leave.filter((request) => isStatus(request, 'pending'))
  return (
    <>
      <li>
        <Swatch kind="approved" />
        Approved leave ahead{' '}
        <Figure
          name="person.leave.ahead"
          value={ahead.length}
          what="requests approved ahead"
          link={listPath('leave', {
            employee_id: employeeId,
            status: 'approved',
            to_date_from: from,
            from_date_from: nextDay(asOf),
          })}
        />
      </li>
      <li>
        <Swatch kind="waiting" />
        Waiting for approval{' '}
        <Figure
          name="person.leave.waiting"
          value={waiting.length}
          what="requests waiting for approval"
          link={listPath('leave', { employee_id: employeeId, status: 'pending', to_date_from: from })}
        />
      </li>
    </>
  )
}

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

interface MonthTableProps {
  readonly employeeId: number
  readonly groups: readonly AttendanceGroup[]
  readonly from: string
  readonly to: string
}

const MonthTable = ({ employeeId, groups, from, to }: MonthTableProps) => {
  const statuses = [...statusTotals(groups).keys()]
  return (
    <Table
      rows={monthTotals(groups)}
      rowKey={({ month }) => month}
      columns={[
        { title: 'Month', cell: ({ month }) => formatMonth(`${month}-01`) },
        ...statuses.map(
          (status): TableColumn<ReturnType<typeof monthTotals>[number]> => ({
            title: status === null ? 'No status' : valueLabel(status),
            kind: 'figure',
            cell: ({ month, totals }) => (
              <Figure
                name={`person.attendance.${month}.${status}`}
                value={totals.get(status) ?? 0}
                link={listPath('attendance', {
                  employee_id: employeeId,
                  ...(status === null ? { status_is_null: true } : { status }),
                  att_date_from: from > `${month}-01` ? from : `${month}-01`,
                  att_date_to: to < `${month}-31` ? to : lastDayOf(month),
                })}
              />
            ),
          }),
        ),
      ]}
    />
  )
}

const lastDayOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
