import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import type { CSSProperties } from 'react'
import { useEffect, useRef } from 'react'
import { Figure } from '../../components/Figure.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatWeekday } from '../../format/dates.ts'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { Icon } from '../../kit/Icon.tsx'
import { moveBetweenMarks } from '../../kit/marks.ts'
import { CalendarHead } from './CalendarHead.tsx'
import type { MonthDay } from './calendar.ts'
import { minPeopleForShare, shareStep } from './calendar.ts'
import { DayLink } from './DayLink.tsx'
import { dayAttributes } from './day-attributes.ts'
import styles from './LeaveCalendar.module.css'
import { RequestRows } from './RequestRows.tsx'
import type { LeaveData, LeaveDays, LeaveGroup } from './use-leave.ts'

interface LeaveCalendarProps {
  readonly leave: LeaveData
  readonly company: LeaveDays
}

export const LeaveCalendar = ({ leave, company }: LeaveCalendarProps) => {
  const { days, asOf, groups = [], shownGroups, open, parameter, daysOf } = leave
  const words = parameter === 'dept_id' ? ['department', 'departments'] : ['team', 'teams']
  const others = groups.length - shownGroups.length
  const scroller = useRef<HTMLDivElement>(null)
  // In a narrow window the calendar scrolls sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another month has another width
  useEffect(() => {
    const today = scroller.current?.querySelector('thead [data-today]')
    if (scroller.current !== null && today instanceof HTMLElement)
      scroller.current.scrollLeft = today.offsetLeft - scroller.current.clientWidth * 0.6
  }, [leave.month])
  return (
    <>
      <Legend what={words[0] as string} />
      <div className="scroll-x" ref={scroller}>
        <table className={styles.calendar} style={{ '--weekends': dayBackground(days, asOf) } as CSSProperties}>
          <CalendarHead days={days} asOf={asOf} company={company} rows={words[1] as string} />
          {shownGroups.map((group) => {
            const isOpen = group.id === open?.id
            return (
              <tbody key={group.id} data-open={isOpen || undefined}>
                <GroupRow group={group} isOpen={isOpen} leave={leave} report={daysOf(group)} />
                {isOpen ? <RequestRows leave={leave} /> : undefined}
              </tbody>
            )
          })}
        </table>
      </div>
      <p className={styles.foot}>
        <span>
          {others === 0
            ? `${formatInteger(groups.length)} ${plural(groups.length, words[0] as string, words[1] as string)}, largest first`
            : `${formatInteger(shownGroups.length)} of ${formatInteger(groups.length)} ${words[1]}, largest first`}
          {parameter === 'dept_id' && leave.hasPeopleOutside
            ? '. Leave of people without a department is only in the upper row.'
            : undefined}
        </span>
        {others === 0 ? undefined : (
          <Link
            className="link"
            to="/leave"
            search={(old: SearchOf<'/leave'>) => ({ ...old, all: '1' })}
            resetScroll={false}
          >
            Show all
          </Link>
        )}
      </p>
    </>
  )
}

const Legend = ({ what }: { readonly what: string }) => (
  <div className={styles.legend}>
    <span>
      <i className={styles.approvedKey} />
      approved
    </span>
    <span>
      <i className={`${styles.pendingKey} hatch`} />
      waiting for approval
    </span>
    <p>
      <b>bold</b> with a dot: most approved
    </p>
    <span className={styles.scale}>
      part of the {what} out, for {minPeopleForShare} people or more: under 2.5 %
      <i data-step="0" />
      <i data-step="1" />
      <i data-step="2" />
      <i data-step="3" />
      <i data-step="4" />9 % or more
    </span>
  </div>
)

interface GroupRowProps {
  readonly group: LeaveGroup
  readonly isOpen: boolean
  readonly leave: LeaveData
  readonly report: LeaveDays | undefined
}

/** A department or team with the number of people out on each day. */
const GroupRow = ({ group, isOpen, leave: { days, asOf, parameter }, report }: GroupRowProps) => {
  // In a small group somebody is out on few days, so the others are empty instead of a row of zeros.
  const hasZeros = group.people >= minPeopleForShare
  const isShown = (index: number) => hasZeros || (report?.data[index]?.out ?? 0) > 0
  const firstShown = days.findIndex((_, index) => isShown(index))
  return (
    <tr className={styles.group} onKeyDown={moveBetweenMarks()}>
      <th scope="row">
        <Link
          className={styles.toggle}
          to="/leave"
          search={(old: SearchOf<'/leave'>) => ({
            ...old,
            [parameter]: isOpen ? 'none' : String(group.id),
            offset: undefined,
          })}
          resetScroll={false}
          aria-expanded={isOpen}
        >
          <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
          <span className={styles.groupName}>
            {group.manager === undefined ? (
              <bdi>{group.name}</bdi>
            ) : (
              <PersonName person={group.manager} isLink={false} />
            )}
          </span>
        </Link>
        <Figure
          name={`leave.people.${parameter}.${group.id}`}
          value={group.people}
          link={group.peopleLink}
          what={plural(group.people, 'person', 'people')}
        />
      </th>
      {days.map((day, index) => {
        const row = report?.data[index]
        const out = row?.out ?? 0
        return (
          <td
            key={day.day}
            {...dayAttributes(day, asOf)}
            data-step={row === undefined || day.isWeekend ? undefined : shareStep(out, group.people)}
            data-zero={out === 0 || undefined}
          >
            {row === undefined || !isShown(index) ? undefined : (
              <DayLink
                name={`leave.out.${parameter}.${group.id}.${day.day}`}
                value={out}
                link={row.links.out}
                label={`${formatWeekday(day.day)}: ${formatInteger(out)} of ${formatInteger(group.people)} out`}
                isStop={index === firstShown}
              />
            )}
          </td>
        )
      })}
      <td className={styles.dayTotal}>{isOpen ? 'days' : undefined}</td>
    </tr>
  )
}

/** The ground of a row of bars: weekends grey, a line at both ends of the day. One gradient instead of thirty cells. */
const dayBackground = (days: readonly MonthDay[], asOf: string): string => {
  const at = (index: number) => `${((index / days.length) * 100).toFixed(3)}%`
  const weekends = days.flatMap(({ isWeekend }, index) =>
    isWeekend
      ? [`transparent ${at(index)}`, `var(--paper-2) ${at(index)} ${at(index + 1)}`, `transparent ${at(index + 1)}`]
      : [],
  )
  const today = days.findIndex(({ day }) => day === asOf)
  const line = (index: number) =>
    `transparent ${at(index)}, var(--accent) ${at(index)} calc(${at(index)} + 1px), transparent calc(${at(index)} + 1px)`
  return [
    ...(today === -1 ? [] : [`linear-gradient(90deg, transparent 0, ${line(today)}, ${line(today + 1)})`]),
    `linear-gradient(90deg, transparent 0, ${weekends.join(', ')})`,
  ].join(', ')
}
