import { minRateSample } from '@muster/model'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { CopyLinkButton } from '../../components/CopyButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { Now } from '../../components/Now.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { plural } from '../../format/labels.ts'
import { formatMonths } from '../../format/periods.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { questionOf, titleOf } from '../../frame/screens.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Section } from '../../kit/Section.tsx'
import { useCounts, useReport } from '../../service/queries.ts'
import { reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { CohortFilters } from './CohortFilters.tsx'
import { CohortStats } from './CohortStats.tsx'
import type { Cohort } from './cohort.ts'
import { bySourceAndStatus, cohortFilters, outcomeOf, outcomesBySource, readCohort } from './cohort.ts'
import type { FunnelRow } from './FunnelTable.tsx'
import { FunnelLegend, FunnelTable } from './FunnelTable.tsx'
import { SourceTable } from './SourceTable.tsx'
import { StageTimes } from './StageTimes.tsx'

export const FunnelScreen = () => {
  const asOf = useAsOf()
  const search = useSearch({ from: '/hiring/funnel' })
  const navigate = useNavigate({ from: '/hiring/funnel' })
  const cohort = readCohort(search, asOf)
  const filters = cohortFilters(cohort)
  const { applied_on_from: applied_from, applied_on_to: applied_to, ...others } = filters
  const reportQuery = { as_of: asOf, applied_from, applied_to, ...others }
  const report = useReport('funnel', reportQuery)
  const counts = useCounts('applications', { by: bySourceAndStatus, ...filters })
  return (
    <>
      <PageHead
        title={titleOf('/hiring/funnel')}
        question={questionOf('/hiring/funnel')}
        how={
          <HowCounted
            title="Funnel"
            meta={report.data?.meta}
            excluded="applications without a day, which are in no period"
            path={reportPath('funnel', reportQuery)}
          />
        }
        tools={<CopyLinkButton />}
      >
        <CohortFilters
          asOf={asOf}
          cohort={cohort}
          hasAll
          hasPicture={report.data !== undefined}
          onChange={(change) => void navigate({ search: (old: SearchOf<'/hiring/funnel'>) => ({ ...old, ...change }) })}
        />
      </PageHead>
      <Loadable result={counts} asked="the applications by source and status">
        {({ data }) => <CohortStats name="funnel" outcome={outcomeOf(data)} filters={filters} />}
      </Loadable>
      <Section title="Reached each stage" remark={<Now />} aside={<FunnelLegend />}>
        <Loadable result={report} asked="the funnel">
          {({ data }) => <Funnel rows={data} cohort={cohort} />}
        </Loadable>
      </Section>
      <StageTimes cohort={cohort} asOf={asOf} />
      <Section title="By source" aside={<span className="note">the same applications</span>}>
        <Loadable result={counts} asked="the applications by source and status">
          {({ data }) =>
            data.length === 0 ? (
              <p className="note">No applications.</p>
            ) : (
              <SourceTable
                name="funnel.source"
                outcomes={outcomesBySource(data)}
                total={outcomeOf(data)}
                filters={filters}
              />
            )
          }
        </Loadable>
      </Section>
    </>
  )
}

const Funnel = ({ rows, cohort }: { readonly rows: readonly FunnelRow[]; readonly cohort: Cohort }) => {
  const sourced = rows.find(({ stage }) => stage === 'sourced')
  const stages = rows.filter((row) => row !== sourced)
  return stages.length === 0 && sourced === undefined ? (
    <EmptyState title="No application matches">
      <p>
        There are no applications with these filters in this period ({formatMonths(cohort.period)}).{' '}
        <Link className="link" to="/hiring/funnel" search={{}}>
          Remove the filters
        </Link>
      </p>
    </EmptyState>
  ) : (
    <>
      <FunnelTable rows={stages} />
      <p className="note below">
        Cohort: applications made in the period ({formatMonths(cohort.period)}), whatever happened later. Stages and
        statuses are as they are now. A later stage implies the earlier ones of its opening; not every opening has all
        stages. Pass rates count ended applications only. They are not shown for fewer than {minRateSample}.{' '}
        {sourced === undefined ? undefined : (
          <>
            <Figure
              name="funnel.sourced.reached"
              value={sourced.reached ?? 0}
              link={sourced.links.reached}
              what="applications in Sourced"
            />{' '}
            {plural(sourced.reached ?? 0, 'was', 'were')} in Sourced, through which nobody has to go.
          </>
        )}
      </p>
    </>
  )
}
