import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { ExportButton } from '../../components/ExportButton.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { useIsNarrow } from '../../components/use-is-narrow.ts'
import { formatLongMonth } from '../../format/dates.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { questionOf } from '../../frame/screens.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { LinkGroup } from '../../kit/ToggleGroup.tsx'
import { reportPath } from '../../service/requests.ts'
import { addMonths, minPeopleForShare } from './calendar.ts'
import { LeaveAgenda } from './LeaveAgenda.tsx'
import { LeaveCalendar } from './LeaveCalendar.tsx'
import styles from './LeaveScreen.module.css'
import { TeamSearch } from './TeamSearch.tsx'
import { useLeave } from './use-leave.ts'

export const LeaveScreen = () => {
  const isNarrow = useIsNarrow()
  const leave = useLeave(isNarrow)
  const { month, asOf, days, company, groupsResult, groups, parameter, requestsPath, requestsTotal } = leave
  const isByManager = parameter === 'manager_id'
  const query = { as_of: asOf, from: days[0]?.day, to: days.at(-1)?.day }
  return (
    <>
      <PageHead
        title="Leave"
        question={questionOf('/leave')}
        how={<HowCounted title="Leave by day" meta={company.data?.meta} path={reportPath('leave-days', query)} />}
        tools={
          requestsTotal === undefined ? undefined : (
            <ExportButton path={requestsPath} rows={requestsTotal} fileName={`leave-${month}`} />
          )
        }
      >
        <LinkGroup className={styles.months} label="Month">
          <Link
            to="/leave"
            search={(old: SearchOf<'/leave'>) => ({ ...old, month: addMonths(month, -1), offset: undefined })}
            aria-label={`Previous month: ${formatLongMonth(addMonths(month, -1))}`}
          >
            <Icon of={ChevronLeft} />
          </Link>
          <span className={styles.month} role="status">
            {formatLongMonth(month)}
          </span>
          <Link
            to="/leave"
            search={(old: SearchOf<'/leave'>) => ({ ...old, month: addMonths(month, 1), offset: undefined })}
            aria-label={`Next month: ${formatLongMonth(addMonths(month, 1))}`}
          >
            <Icon of={ChevronRight} />
          </Link>
        </LinkGroup>
        <LinkGroup label="Rows">
          <Link
            to="/leave"
            search={(old: SearchOf<'/leave'>) => ({
              ...old,
              by: undefined,
              manager_id: undefined,
              offset: undefined,
              all: undefined,
            })}
            activeOptions={{ explicitUndefined: true }}
          >
            Departments
          </Link>
          <Link
            to="/leave"
            search={(old: SearchOf<'/leave'>) => ({
              ...old,
              by: 'manager',
              dept_id: undefined,
              offset: undefined,
              all: undefined,
            })}
            activeOptions={{ explicitUndefined: true }}
          >
            Managers
          </Link>
        </LinkGroup>
        {isByManager ? <TeamSearch /> : undefined}
      </PageHead>
      <Loadable result={company} asked="leave by day">
        {(report) => (
          <Loadable result={groupsResult} asked={isByManager ? 'the managers' : 'the departments'}>
            {() =>
              groups === undefined ? undefined : groups.length === 0 ? (
                <EmptyState title={isByManager ? 'No managers with direct reports' : 'No departments with people'}>
                  <p>The calendar shows one row for each {isByManager ? 'manager' : 'department'}.</p>
                </EmptyState>
              ) : (
                <>
                  {isNarrow ? <LeaveAgenda leave={leave} /> : <LeaveCalendar leave={leave} company={report} />}
                  <p className="note">
                    {isByManager ? 'Teams' : 'Departments'}, their people and the status of requests are as they are
                    now.
                    {isNarrow
                      ? undefined
                      : ` In those of fewer than ${minPeopleForShare} people, days on which nobody is out are empty.`}
                  </p>
                </>
              )
            }
          </Loadable>
        )}
      </Loadable>
    </>
  )
}
