import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { HowCounted } from '../../components/HowCounted.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import type { SearchOf } from '../../frame/screens.ts'
import { questionOf } from '../../frame/screens.ts'
import { LinkGroup } from '../../kit/ToggleGroup.tsx'
import { useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import { PastChartWithheld } from './ChartNotices.tsx'
import { PersonSearch } from './PersonSearch.tsx'
import { chartDay, isPastDay } from './parameters.ts'
import { TreeView } from './TreeView.tsx'

const CompanyPicture = lazy(async () => ({ default: (await import('./CompanyPicture.tsx')).CompanyPicture }))

export const OrgScreen = () => {
  const { view } = useSearch({ from: '/org' })
  const asOf = useAsOf()
  const isPicture = view === 'picture'
  const day = chartDay(asOf)
  const query = isPicture ? { as_of: day, managers_only: true, depth: 32 } : { as_of: day, depth: 1 }
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
        <LinkGroup label="View">
          <Link
            to="/org"
            search={({ root, ...old }: SearchOf<'/org'>) => ({ ...old, view: undefined, person: root ?? old.person })}
            activeOptions={{ explicitUndefined: true }}
          >
            Tree
          </Link>
          <Link to="/org" search={(old: SearchOf<'/org'>) => ({ ...old, view: 'picture' })}>
            Whole company
          </Link>
        </LinkGroup>
      </PageHead>
      {!isReadable ? (
        isWithheld === true && <PastChartWithheld asOf={asOf} />
      ) : isPicture ? (
        <Suspense>
          <CompanyPicture />
        </Suspense>
      ) : (
        <TreeView />
      )}
    </>
  )
}
