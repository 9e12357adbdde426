import { HowCounted } from '../../components/HowCounted.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { questionOf } from '../../frame/screens.ts'
import { useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import { PastChartWithheld } from './ChartNotices.tsx'
import { OrgViews } from './OrgViews.tsx'
import { PersonSearch } from './PersonSearch.tsx'
import { chartDay, isPastDay } from './parameters.ts'
import { TreeView } from './TreeView.tsx'

export const OrgScreen = () => {
  const asOf = useAsOf()
  const day = chartDay(asOf)
  const query = { as_of: day, depth: 1 }
  const isPast = isPastDay(asOf)
  const isWithheld = useIsWithheld()
  const isReadable = !isPast || isWithheld === false
  const { data } = useReport('orgChart', query, { enabled: isReadable })
  return (
    <>
      <PageHead
        title="Org"
        question={questionOf('/org')}
        how={
          <HowCounted
            title="Org chart"
            meta={data?.meta}
            excluded="cycles of managers; the person with the smallest id of each is shown at the top"
            path={reportPath('org-chart', query)}
          />
        }
      >
        <PersonSearch />
        <OrgViews />
      </PageHead>
      {isReadable ? <TreeView /> : isWithheld === true && <PastChartWithheld asOf={asOf} />}
    </>
  )
}
