import { useSearch } from '@tanstack/react-router'
import { soonDays, soonFilters } from '../../components/work-lists.ts'
import { plural } from '../../format/labels.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { LeaveRequests } from './LeaveRequests.tsx'
import { soonGroups } from './leave-requests.ts'

export const LeaveSoonScreen = () => {
  const asOf = useAsOf()
  return (
    <LeaveRequests
      path="/today/leave-soon"
      name="leave_soon"
      search={useSearch({ from: '/today/leave-soon' })}
      filters={soonFilters(asOf)}
      groups={soonGroups(asOf)}
      definition={`Leave requests with the status pending whose first day is one of the next ${soonDays} days. A request waits since the day on which it was made.`}
      lede={(total, count) => (
        <>
          {total} leave {plural(count, 'request begins', 'requests begin')} within {soonDays} days and{' '}
          {plural(count, 'is', 'are')} not decided.
        </>
      )}
      good={`No leave begins within ${soonDays} days without a decision.`}
    />
  )
}
