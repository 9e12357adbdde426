import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { ErrorState } from '../../components/ErrorState.tsx'
import { Figure } from '../../components/Figure.tsx'
import { KnownSince } from '../../components/KnownSince.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { formatDay } from '../../format/dates.ts'
import { plural } from '../../format/labels.ts'
import { personName } from '../../format/person-name.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { CycleNotice, MissingPerson } from './ChartNotices.tsx'
import type { Member } from './members.ts'
import { reportsText } from './members.ts'
import { OrgTree } from './OrgTree.tsx'
import { chartMembers, isPastDay } from './parameters.ts'
import styles from './TreeView.module.css'
import { useOrgChart } from './use-org-chart.ts'

export const TreeView = () => {
  const asOf = useAsOf()
  const chart = useOrgChart()
  const { top, chain, failed, columns, above, missingId, target, isComplete } = chart
  const result = chain.isFetching || chain.error !== null ? chain : top
  return (
    <>
      {above.length > 1 ? <Chain members={above} /> : undefined}
      <PeopleNote asOf={asOf} historyFrom={top.data?.meta.history_from} isReady={isComplete} />
      {top.data !== undefined && top.data.meta.excluded > 0 ? (
        <CycleNotice cycles={top.data.meta.excluded} />
      ) : undefined}
      {missingId === undefined ? (
        <Loadable result={result} asked="the org chart">
          {() =>
            top.data === undefined ? undefined : columns[0]?.shown.length === 0 ? (
              <EmptyState title="No people in the chart">
                <p>
                  {isPastDay(asOf)
                    ? `Nobody was employed on ${formatDay(asOf)}.`
                    : 'No employee is active, on leave or suspended.'}
                </p>
              </EmptyState>
            ) : (
              <OrgTree chart={chart} />
            )
          }
        </Loadable>
      ) : (
        <MissingPerson id={missingId} />
      )}
      {failed === undefined || failed.error === null ? undefined : (
        <ErrorState error={failed.error} asked="the people below" retry={() => void failed.refetch()} />
      )}
      <p className="visually-hidden" role="status">
        {target === undefined
          ? undefined
          : `${personName(target) ?? `Employee ${target.id}`}: ${reportsText(target) ?? 'no reports'}`}
      </p>
    </>
  )
}

/** Everybody from the top to the person. */
const Chain = ({ members }: { readonly members: readonly Member[] }) => (
  <nav className="only-wide" aria-label="From the top to this person">
    <ol className={styles.chain}>
      {members.map((member, index) => {
        const isLast = index === members.length - 1
        return (
          <li key={member.id}>
            <Link
              to="/org"
              search={(old: SearchOf<'/org'>) => ({ ...old, person: String(member.id), open: undefined })}
              aria-current={isLast ? 'true' : undefined}
            >
              <PersonName person={member} isLink={false} />
            </Link>
            {isLast ? undefined : <Icon of={ChevronRight} size={14} />}
          </li>
        )
      })}
    </ol>
  </nav>
)

interface PeopleNoteProps {
  readonly asOf: string
  readonly historyFrom: string | undefined
  readonly isReady: boolean
}

/** How many people the chart has, and what to know about them. */
const PeopleNote = ({ asOf, historyFrom, isReady }: PeopleNoteProps) => {
  const isPast = isPastDay(asOf)
  const members = chartMembers(asOf)
  const people = useList('employees', { ...members, limit: 1, fields: ['id'] }, { enabled: isReady })
  const total = people.data?.meta.total
  if (total === undefined)
    return (
      <p className={`note ${styles.note}`} role="status">
        {'\u00a0'}
      </p>
    )
  const who = isPast
    ? `${plural(total, 'person was', 'people were')} employed on ${formatDay(asOf)}`
    : plural(total, 'person', 'people')
  return (
    <p className={`note ${styles.note}`} role="status">
      <Figure name="org.people" value={total} link={listPath('employees', members)} what={who} /> {who}
      {isPast ? (
        <>
          , with the managers, titles and departments of that day. <KnownSince day={historyFrom} /> Before, they are the
          oldest known ones.
        </>
      ) : (
        <>
          , without those who left or have not joined yet.{' '}
          <span className="only-wide">
            The bar under a name compares its number of people with the largest in the column.{' '}
          </span>
          <WithoutManager />
        </>
      )}
    </p>
  )
}

/** Who is at the top for a reason that should be looked at. */
const WithoutManager = () => {
  const { data } = useList('employees', { health: 'manager_left', limit: 1, fields: ['id'] })
  const total = data?.meta.total ?? 0
  return total === 0 ? undefined : (
    <>
      <Figure
        name="org.manager_left"
        value={total}
        link={listPath('employees', { health: 'manager_left' })}
        what="people whose manager left"
      />{' '}
      {plural(total, 'person reports', 'people report')} to somebody who left and {plural(total, 'stands', 'stand')} at
      the top of the chart:{' '}
      <Link className="link" to="/health" search={{ rule: 'manager_left' }}>
        rule in Health
      </Link>
      .
    </>
  )
}
