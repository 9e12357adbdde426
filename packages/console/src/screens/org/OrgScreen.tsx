import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import buttonStyles from '../../components/Button.module.css'
import { HowCounted } from '../../components/HowCounted.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { questions } from '../../frame/screens.ts'
import { useAsOf } from '../../service/as-of.ts'
import { useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { PersonSearch } from './PersonSearch.tsx'
import type { OrgSearch } from './search.ts'
import { TreeView } from './TreeView.tsx'

const CompanyPicture = lazy(async () => ({ default: (await import('./CompanyPicture.tsx')).CompanyPicture }))

export const OrgScreen = () => {
  const { view } = useSearch({ from: '/org' })
  const asOf = useAsOf()
  const isPicture = view === 'picture'
  const query = isPicture ? { as_of: asOf, managers_only: true, depth: 32 } : { as_of: asOf, depth: 1 }
  const { data } = useReport('orgChart', query)
  return (
    <>
      <PageHead
        title="Org"
        question={questions['/org']}
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
        <nav className={buttonStyles.group} aria-label="View">
          <Link
            to="/org"
            search={({ root, ...old }: OrgSearch) => ({ ...old, view: undefined, person: root ?? old.person })}
            activeOptions={{ explicitUndefined: true }}
          >
            Tree
          </Link>
          <Link to="/org" search={(old: OrgSearch) => ({ ...old, view: 'picture' })}>
            Whole company
          </Link>
        </nav>
      </PageHead>
      {isPicture ? (
        <Suspense>
          <CompanyPicture />
        </Suspense>
      ) : (
        <TreeView />
      )}
    </>
  )
}
