import { minRateSample } from '@muster/model'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { formatMonths } from '../../format/periods.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { questionOf, titleOf } from '../../frame/screens.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Section } from '../../kit/Section.tsx'
import { useCounts, useReport } from '../../service/queries.ts'
import { countPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { CohortFilters } from './CohortFilters.tsx'
import { CohortStats } from './CohortStats.tsx'
import { bySourceAndStatus, cohortFilters, outcomeOf, outcomesBySource, readCohort } from './cohort.ts'
import { SourceMonthsSection } from './SourceMonths.tsx'
import { SourceTable } from './SourceTable.tsx'

export const SourcesScreen = () => {
  const asOf = useAsOf()
  const search = useSearch({ from: '/hiring/sources' })
  const navigate = useNavigate({ from: '/hiring/sources' })
  const cohort = readCohort(search, asOf)
  const { period, deptId } = cohort
  const filters = cohortFilters(cohort)
  const counts = useCounts('applications', { by: bySourceAndStatus, ...filters })
  const interviewed = useCounts('applications', { by: 'candidate.source', reached: 'interview', ...filters })
  // The report has no filter by department.
  const times = useReport(
    'timeToHire',
    { as_of: asOf, hired_from: period.from, hired_to: period.to, by: 'candidate.source' },
    { enabled: deptId === undefined },
  )
  return (
    <>
      <PageHead
        title={titleOf('/hiring/sources')}
        question={questionOf('/hiring/sources')}
        how={
          <HowCounted
            title="Sources"
            path={countPath('applications', { by: ['candidate.source', 'status'], ...filters })}
            definition={
              <>
                Applications made in the period, whatever happened later, by the <code>source</code> of the candidate.
                “Hired” have the status <code>hired</code>; “ended” are hired, rejected or withdrawn. Rates are not
                shown for fewer than {minRateSample} ended applications. An application reached the interview if it is
                in that stage or a later one of its opening.
              </>
            }
          />
        }
        tools={<CopyLinkButton />}
      >
        <CohortFilters
          asOf={asOf}
          cohort={cohort}
          hasAll={false}
          hasPicture={counts.data !== undefined}
          onChange={(change) =>
            void navigate({ search: (old: SearchOf<'/hiring/sources'>) => ({ ...old, ...change }) })
          }
        />
      </PageHead>
      <Loadable result={counts} asked="the applications by source and status">
        {({ data }) => {
          const outcomes = outcomesBySource(data)
          return outcomes.length === 0 ? (
            <EmptyState title="No applications">
              <p>
                There are no applications in this period ({formatMonths(period)}). Choose another period or department.
              </p>
            </EmptyState>
          ) : (
            <>
              <CohortStats name="sources" outcome={outcomeOf(data)} filters={filters} />
              <Section title="Applications, interviews and hires by source">
                <SourceTable
                  name="sources"
                  outcomes={outcomes}
                  total={outcomeOf(data)}
                  filters={filters}
                  interviewed={interviewed.data?.data}
                  times={deptId === undefined ? times.data?.data : undefined}
                />
                <p className="note below">
                  Cohort: applications made in the period ({formatMonths(period)}). Stages and statuses are as they are
                  now.{' '}
                  {deptId === undefined
                    ? 'Days to hire: the median of the hires made in the same period, with their number.'
                    : 'Days to hire are known for all departments together only.'}
                </p>
              </Section>
              <SourceMonthsSection cohort={cohort} sources={outcomes.map(({ source }) => source)} />
            </>
          )
        }}
      </Loadable>
    </>
  )
}
