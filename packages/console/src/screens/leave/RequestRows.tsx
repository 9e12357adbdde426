import { Link } from '@tanstack/react-router'
import { dataLocation } from '../../components/data-links.ts'
import { ErrorState } from '../../components/ErrorState.tsx'
import { Figure } from '../../components/Figure.tsx'
import { Now } from '../../components/Now.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatLongMonth, formatPeriod, formatShortDay } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { moveBetweenMarks } from '../../kit/marks.ts'
import { listPath } from '../../service/requests.ts'
import type { MonthDay } from './calendar.ts'
import { barPosition, groupByEmployee } from './calendar.ts'
import styles from './LeaveCalendar.module.css'
import type { LeaveData, LeaveRow } from './use-leave.ts'
import { pageSize } from './use-leave.ts'

/** One row for each person of the open group with leave in the month. */
export const RequestRows = ({ leave }: { readonly leave: LeaveData }) => {
  const { requests, days, month } = leave
  const columns = days.length + 2
  if (requests.error !== null)
    return (
      <tr>
        <td colSpan={columns}>
          <ErrorState error={requests.error} asked="the requests of the group" retry={() => void requests.refetch()} />
        </td>
      </tr>
    )
  if (requests.data === undefined || requests.isPlaceholderData)
    return (
      <tr className={styles.message}>
        <td colSpan={columns}>
          <span className={styles.loading}>Loading …</span>
        </td>
      </tr>
    )
  const { data, meta } = requests.data
  const people = groupByEmployee(data)
  return (
    <>
      {people.map(([id, own]) => (
        <tr key={id} className={styles.person} onKeyDown={moveBetweenMarks()}>
          <th scope="row">
            <PersonName person={own[0]?.employee ?? { id, first_name: null, last_name: null }} />
          </th>
          <td colSpan={days.length} className={styles.track}>
            <div className={styles.bars} style={{ gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))` }}>
              {own.map((request, position) => (
                <RequestBar
                  key={request.id}
                  request={request}
                  days={days}
                  isStop={position === 0}
                  isAlone={own.length === 1}
                />
              ))}
            </div>
          </td>
          <td className={styles.dayTotal}>
            {own.map(({ days: count }) => (count === null ? 'null' : formatDecimal(count))).join(' + ')}
          </td>
        </tr>
      ))}
      <tr className={styles.message}>
        <td colSpan={columns}>
          {meta.total === 0 ? (
            <span>
              No leave in {formatLongMonth(month)} <Now />
            </span>
          ) : (
            <Pager leave={leave} total={meta.total} />
          )}
        </td>
      </tr>
    </>
  )
}

interface RequestBarProps {
  readonly request: LeaveRow
  readonly days: readonly MonthDay[]
  readonly isStop: boolean
  /** Whether the row has no other bar, so that there is room for text beside this one. */
  readonly isAlone: boolean
}

const RequestBar = ({ request, days, isStop, isAlone }: RequestBarProps) => {
  const position = barPosition(request, days)
  if (position === undefined) return
  const { from, to, isFromBefore, goesOn } = position
  const isPending = request.status?.toLowerCase() === 'pending'
  const type = valueLabel(request.leave_type ?? 'Leave')
  const hasRoom = to - from >= 2
  const text =
    goesOn && to - from >= 5 && request.to_date !== null ? `${type} to ${formatShortDay(request.to_date)}` : type
  // The name begins with the visible text, which speech input uses.
  const label = `${text}, ${requestPeriod(request)}, ${isPending ? 'waiting for approval' : 'approved'}`
  return (
    <>
      <Link
        {...dataLocation(listPath('leave', { id: request.id }))}
        className={styles.bar}
        style={{ gridColumn: `${from} / ${to + 1}` }}
        data-pending={isPending || undefined}
        data-from-before={isFromBefore || undefined}
        data-goes-on={goesOn || undefined}
        data-mark
        tabIndex={isStop ? 0 : -1}
        title={label}
        aria-label={label}
      >
        <span>{hasRoom ? text : undefined}</span>
      </Link>
      {isAlone && !hasRoom && to + 4 <= days.length ? (
        <span className={styles.beside} style={{ gridColumn: `${to + 1} / span 4` }} aria-hidden>
          {type}
        </span>
      ) : undefined}
    </>
  )
}

const requestPeriod = ({ from_date, to_date }: LeaveRow): string =>
  from_date === null || to_date === null ? 'without dates' : formatPeriod(from_date, to_date)

const Pager = ({ leave: { offset, requestsPath }, total }: { readonly leave: LeaveData; readonly total: number }) => {
  const last = Math.min(total, offset + pageSize)
  return (
    <span className={styles.pager}>
      <span role="status">
        {total > pageSize ? `${formatInteger(Math.min(offset + 1, total))} to ${formatInteger(last)} of ` : undefined}
        <Figure name="leave.requests" value={total} link={requestsPath} what={plural(total, 'request', 'requests')} />{' '}
        {plural(total, 'request', 'requests')} by first day <Now />
      </span>
      {offset > 0 ? <PageLink label="Earlier" offset={Math.max(0, offset - pageSize)} /> : undefined}
      {last < total ? <PageLink label={`${formatInteger(total - last)} more`} offset={last} /> : undefined}
    </span>
  )
}

const PageLink = ({ label, offset }: { readonly label: string; readonly offset: number }) => (
  <ButtonLink
    kind="bare"
    to="/leave"
    search={(old: SearchOf<'/leave'>) => ({ ...old, offset: offset === 0 ? undefined : String(offset) })}
    resetScroll={false}
  >
    {label}
  </ButtonLink>
)
