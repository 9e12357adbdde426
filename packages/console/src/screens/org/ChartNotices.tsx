/** What the chart cannot show as it is: managers in a circle, and people who are not in it. */

import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { Figure } from '../../components/Figure.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatDay, today } from '../../format/dates.ts'
import { employeeStatusLabel, plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { Button, ButtonRow } from '../../kit/Button.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { useRecord } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useAsOf, useSetAsOf } from '../../service/use-as-of.ts'
import { findCycles } from './members.ts'
import { isPastDay } from './parameters.ts'
import styles from './TreeView.module.css'
import { useCycleMembers } from './use-cycle-members.ts'

const maxCycles = 3
const maxNames = 6

/** Names the cycles that the report has cut. */
export const CycleNotice = ({ cycles }: { readonly cycles: number }) => {
  // The rule of Health is about the present managers.
  const isPast = isPastDay(useAsOf())
  const members = useCycleMembers(!isPast)
  const found = findCycles(members.data?.data ?? [])
  return (
    <div className={styles.notice}>
      <p>
        <b>{cycles === 1 ? 'Managers form a cycle.' : `Managers form ${formatInteger(cycles)} cycles.`}</b> The chart
        shows the person with the smallest id of {plural(cycles, 'it', 'each')} at the top.{' '}
        {members.data === undefined ? undefined : (
          <>
            <Figure
              name="org.in_cycles"
              value={members.data.meta.total}
              link={listPath('employees', { health: 'manager_cycle' })}
              what="people in a cycle"
            />{' '}
            {plural(members.data.meta.total, 'person is', 'people are')} in {plural(cycles, 'the cycle', 'a cycle')}:{' '}
          </>
        )}
        {isPast ? undefined : (
          <Link className="link" to="/health" search={{ rule: 'manager_cycle' }}>
            rule in Health
          </Link>
        )}
      </p>
      {found.slice(0, maxCycles).map((cycle) => (
        <p key={cycle[0].id}>
          {cycle.length === 1 ? (
            <>
              <PersonName person={cycle[0]} /> is recorded as their own manager.
            </>
          ) : (
            <>
              {cycle.slice(0, maxNames).map((person) => (
                <Fragment key={person.id}>
                  <PersonName person={person} /> reports to{' '}
                </Fragment>
              ))}
              {cycle.length > maxNames ? `${formatInteger(cycle.length - maxNames)} more, who report to ` : undefined}
              <PersonName person={cycle[0]} />
            </>
          )}
        </p>
      ))}
    </div>
  )
}

/** For somebody who was asked for and is not in the chart: because they left, have not joined, or do not exist. */
export const MissingPerson = ({ id }: { readonly id: number }) => {
  const asOf = useAsOf()
  const record = useRecord('employees', id, {
    fields: ['id', 'first_name', 'last_name', 'status', 'termination_date', 'manager_id'],
    expand: ['manager'],
  })
  if (record.error !== null) return <EmptyState title={`There is no employee ${id}`}>{showTop}</EmptyState>
  if (record.data === undefined) return
  if (isPastDay(asOf))
    return (
      <EmptyState title="This person is not in the chart of that day">
        <p>
          <PersonName person={record.data} /> was not employed on {formatDay(asOf)}.
        </p>
        {showTop}
      </EmptyState>
    )
  const { status, termination_date: leftOn, manager } = record.data
  return (
    <EmptyState title="This person is not in the chart">
      <p>
        <PersonName person={record.data} /> has the status{' '}
        {status === null ? 'null' : employeeStatusLabel(status).toLowerCase()}
        {leftOn === null ? undefined : `, last day ${formatDay(leftOn)}`}. The chart has people who are active, on leave
        or suspended.
      </p>
      {manager === null ? undefined : (
        <p>
          The record names a manager: <PersonName person={manager} />.{' '}
          <Link
            className="link"
            to="/org"
            search={(old: SearchOf<'/org'>) => ({ ...old, person: String(manager.id), open: undefined })}
          >
            Show the manager
          </Link>
        </p>
      )}
      {showTop}
    </EmptyState>
  )
}

/** The chart of a past day has the people who were employed then, which termination dates say. */
export const PastChartWithheld = ({ asOf }: { readonly asOf: string }) => {
  const setAsOf = useSetAsOf()
  return (
    <EmptyState title={<>The chart of {formatDay(asOf)} is withheld</>}>
      <p>
        Who was employed on an earlier day is known from termination dates, which are personal. To see the chart of that
        day, enter a token with the lock in the top bar.
      </p>
      <ButtonRow>
        <Button onPress={() => setAsOf(today())}>Show the chart of today</Button>
      </ButtonRow>
    </EmptyState>
  )
}

const showTop = (
  <p>
    <Link
      className="link"
      to="/org"
      search={(old: SearchOf<'/org'>) => ({ ...old, person: undefined, open: undefined })}
    >
      Show the top of the company
    </Link>
  </p>
)
