import { useNavigate } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { Figure } from '../../components/Figure.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { Now, useIsAnotherDay } from '../../components/Now.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatLongMonth, formatShortDay, formatWeekday, today } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { personName } from '../../format/person-name.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { moveBetweenMarks } from '../../kit/marks.ts'
import { Select } from '../../kit/Select.tsx'
import { dayLoad, makeAgenda } from './calendar.ts'
import { DayLink } from './DayLink.tsx'
import styles from './LeaveAgenda.module.css'
import type { LeaveData, LeaveDays, LeaveGroup, LeaveRow } from './use-leave.ts'

/** On phones: one department, and for each day who begins a leave. */
export const LeaveAgenda = ({ leave }: { readonly leave: LeaveData }) => {
  const { open, requests, daysOf } = leave
  const report = open === undefined ? undefined : daysOf(open)
  return (
    <>
      <GroupSelect leave={leave} />
      {report === undefined ? undefined : <DayStrip leave={leave} report={report} />}
      {open === undefined ? undefined : (
        <Loadable result={requests} asked="the requests of the department">
          {({ data, meta }) => (
            <>
              <Days leave={leave} group={open} report={report} requests={data} total={meta.total} />
              <p className="note" role="status">
                <Figure
                  name="leave.requests"
                  value={meta.total}
                  link={leave.requestsPath}
                  what={plural(meta.total, 'request', 'requests')}
                />{' '}
                {plural(meta.total, 'request', 'requests')} in {formatLongMonth(leave.month)} <Now />
                {meta.total > data.length ? `, of which the first ${formatInteger(data.length)} are named` : undefined}
              </p>
            </>
          )}
        </Loadable>
      )}
    </>
  )
}

const groupName = ({ id, name, manager }: LeaveGroup): string =>
  name ?? (manager === undefined ? String(id) : (personName(manager) ?? `Employee ${id}`))

const GroupSelect = ({ leave: { groups = [], open, parameter } }: { readonly leave: LeaveData }) => {
  const navigate = useNavigate({ from: '/leave' })
  return (
    <Select
      kind="field"
      label={parameter === 'dept_id' ? 'Department' : 'Manager'}
      value={open === undefined ? '' : String(open.id)}
      text={
        open === undefined ? undefined : (
          <>
            <bdi>{groupName(open)}</bdi>{' '}
            <span className={styles.people}>
              {formatInteger(open.people)} {plural(open.people, 'person', 'people')} <Now />
            </span>
          </>
        )
      }
      options={groups.map((group) => ({ id: String(group.id), label: groupName(group) }))}
      onChange={(id) =>
        void navigate({
          search: (old: SearchOf<'/leave'>) => ({ ...old, [parameter]: id, offset: undefined }),
          replace: true,
        })
      }
    />
  )
}

/** The month as small bars, for an overview. */
const DayStrip = ({
  leave: { days, asOf, open, parameter },
  report,
}: {
  readonly leave: LeaveData
  readonly report: LeaveDays
}) => {
  const isAnotherDay = useIsAnotherDay()
  const most = Math.max(1, ...report.data.map(dayLoad))
  const share = (count: number) => `${(count / most) * 100}%`
  return (
    <figure
      className={styles.strip}
      style={{ gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))` }}
      aria-label={isAnotherDay ? 'Out per day, by the requests as they are now' : 'Out per day'}
      onKeyDown={moveBetweenMarks()}
    >
      {days.map((day, index) => {
        const row = report.data[index]
        const [out, pending] = [row?.out ?? 0, row?.pending ?? 0]
        return (
          <DayLink
            key={day.day}
            name={`leave.out.${parameter}.${open?.id}.${day.day}`}
            value={out}
            link={row?.links.out}
            label={`${formatWeekday(day.day)}: ${formatInteger(out)} out, ${formatInteger(pending)} waiting`}
            isStop={index === 0}
            className={[styles.day, day.isWeekend && styles.weekend, day.day === asOf && styles.today]
              .filter(Boolean)
              .join(' ')}
          >
            <i className="hatch" style={{ blockSize: share(pending) }} />
            <i className={styles.approved} style={{ blockSize: share(out) }} />
          </DayLink>
        )
      })}
      <div className={styles.ticks} aria-hidden>
        {days.map(({ day, date, weekday }) => (
          <span key={day}>{day === asOf || weekday === 'Mo' ? date : undefined}</span>
        ))}
      </div>
    </figure>
  )
}

/** The month and its year are above. */
const weekdayOf = (day: string): string => formatWeekday(day).replace(/ \d{4}$/, '')

interface DaysProps {
  readonly leave: LeaveData
  readonly group: LeaveGroup
  readonly report: LeaveDays | undefined
  readonly requests: readonly LeaveRow[]
  readonly total: number
}

const Days = ({ leave: { days, asOf, parameter }, group, report, requests, total }: DaysProps) => {
  const isThisMonth = days.some(({ day }) => day === asOf)
  const agenda = makeAgenda(requests, days, isThisMonth ? asOf : (days[0]?.day ?? ''))
  return (
    <ol>
      {agenda.map(({ day, requests: named }, index) => {
        const row = report?.data.find((candidate) => candidate.day === day)
        const out = row?.out ?? 0
        const beginning = named.filter(({ status }) => status?.toLowerCase() === 'approved').length
        const alreadyOut = out - beginning
        return (
          <li key={day} className={styles.agendaDay}>
            <h2 className={styles.dayHead}>
              <span>
                {day === today() ? 'Today, ' : undefined}
                {weekdayOf(day)}
              </span>
              {row === undefined ? undefined : (
                <span className={styles.count}>
                  <Figure
                    name={`leave.out.${parameter}.${group.id}.${day}`}
                    value={out}
                    link={row.links.out}
                    what={`out on ${weekdayOf(day)}`}
                  />{' '}
                  of{' '}
                  <Figure
                    name={`leave.people.${parameter}.${group.id}`}
                    value={group.people}
                    link={group.peopleLink}
                    what={plural(group.people, 'person', 'people')}
                  />{' '}
                  out <Now />
                </span>
              )}
            </h2>
            {named.length === 0 ? <p className="muted">No leave</p> : undefined}
            <ul>
              {named.map((request) => (
                <li key={request.id} className={styles.request}>
                  <PersonName
                    person={request.employee ?? { id: request.employee_id ?? 0, first_name: null, last_name: null }}
                  />
                  <span className={styles.until}>
                    {request.status?.toLowerCase() === 'pending' ? <Badge kind="outline">waiting</Badge> : undefined}
                    {valueLabel(request.leave_type ?? 'leave')} to {formatShortDay(request.to_date ?? '')}
                  </span>
                </li>
              ))}
            </ul>
            {index > 0 && alreadyOut > 0 && total <= requests.length ? (
              <p className={styles.already}>{formatInteger(alreadyOut)} already out</p>
            ) : undefined}
          </li>
        )
      })}
    </ol>
  )
}
