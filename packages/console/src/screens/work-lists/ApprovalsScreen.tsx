import { useSearch } from '@tanstack/react-router'
import { Figure } from '../../components/Figure.tsx'
import { overdueFilters, soonDays, soonFilters } from '../../components/work-lists.ts'
import { plural } from '../../format/labels.ts'
import { useList } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { LeaveRequests } from './LeaveRequests.tsx'
import { overdueGroups } from './leave-requests.ts'

export const ApprovalsScreen = () => {
  const asOf = useAsOf()
  return (
    <LeaveRequests
      path="/today/approvals"
      name="approvals"
      search={useSearch({ from: '/today/approvals' })}
      filters={overdueFilters(asOf)}
      groups={overdueGroups(asOf)}
      definition="Leave requests with the status pending whose first day is today or before. The leave is over if its last day is before today. A request waits since the day on which it was made. Days taken are the working days of the leave up to and including today."
      lede={(total, count) => (
        <>
          {total} leave {plural(count, 'request waits', 'requests wait')} for approval although the leave has begun.
        </>
      )}
      good={<NothingOverdue asOf={asOf} />}
    />
  )
}

const NothingOverdue = ({ asOf }: { readonly asOf: string }) => {
  const soon = useList('leave', { ...soonFilters(asOf), limit: 1 }).data?.meta.total
  return (
    <>
      No leave has begun without a decision.{' '}
      {soon === undefined ? undefined : (
        <>
          <Figure
            name="approvals.soon"
            value={soon}
            link={listPath('leave', soonFilters(asOf))}
            what="leave requests that begin soon"
          />{' '}
          {plural(soon, 'request begins', 'requests begin')} within {soonDays} days and {plural(soon, 'is', 'are')} not
          decided yet.
        </>
      )}
    </>
  )
}
