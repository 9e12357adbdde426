import { waitingDays } from '@muster/model'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ExportButton } from '../../components/ExportButton.tsx'
import { Figure } from '../../components/Figure.tsx'
import { FilterSelect } from '../../components/FilterSelect.tsx'
import { HowCounted } from '../../components/HowCounted.tsx'
import { Loadable } from '../../components/Loadable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Stat, StatList } from '../../components/StatList.tsx'
import { pastTargetFilters, waitingFilters } from '../../components/work-lists.ts'
import { placeLabel, plural } from '../../format/labels.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { questionOf, titleOf } from '../../frame/screens.ts'
import { ButtonLink } from '../../kit/Button.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { Pager } from '../../kit/Pager.tsx'
import { parseId, parseOffset } from '../../search-parameters.ts'
import { useCounts, useReport } from '../../service/queries.ts'
import { listPath, reportPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import styles from './Openings.module.css'
import { OpeningsTable } from './OpeningsTable.tsx'
import { stagesByJob } from './openings.ts'
import { StageLegend } from './StageBar.tsx'
import { compareStages } from './stages.ts'
import type { OpeningsPage, OpeningsQuery } from './use-openings.ts'
import { openingsFilters, openingsPerPage, openingsSort, useOpenings } from './use-openings.ts'

export const OpeningsScreen = () => {
  const asOf = useAsOf()
  const search = useSearch({ from: '/hiring' })
  const navigate = useNavigate({ from: '/hiring' })
  const deptId = parseId(search.dept_id)
  const query: OpeningsQuery = {
    asOf,
    deptId,
    location: search.location,
    isPastTarget: search.past_target !== undefined,
    sort: openingsSort(search.sort),
    offset: parseOffset(search.offset),
  }
  const { meta, page } = useOpenings(query)
  const hasPicture = page.data !== undefined
  const departments = useDepartmentNames(hasPicture)
  const locations = useCounts('jobs', { by: 'location', status: 'open' }, { enabled: hasPicture })
  const filter = (change: Partial<typeof search>) =>
    void navigate({ search: (old: SearchOf<'/hiring'>) => ({ ...old, ...change, offset: undefined }) })
  const listed = listPath('jobs', openingsFilters(query))

  return (
    <>
      <PageHead
        title={titleOf('/hiring')}
        question={questionOf('/hiring')}
        how={
          <HowCounted
            title="Openings"
            meta={meta}
            path={reportPath('openings', { by: 'id', as_of: asOf })}
            definition={
              <>
                Openings are job openings with the status <code>open</code>. The longest wait of an opening is that of
                the application that has been in its present stage for most days; hired, rejected and withdrawn
                applications do not count. An opening is past its target if the day is over and fewer places are filled
                than planned. Active applications have the status <code>active</code>; some are of openings that are not
                open.
              </>
            }
          />
        }
        tools={
          page.data === undefined ? undefined : (
            <ExportButton path={listed} rows={page.data.total} fileName="openings" />
          )
        }
      >
        <FilterSelect
          label="Department"
          all="All departments"
          value={deptId?.toString()}
          options={departments === undefined ? undefined : [...departments].map(([id, label]) => ({ id, label }))}
          onChange={(value) => filter({ dept_id: value })}
        />
        <FilterSelect
          label="Location"
          all="All locations"
          value={search.location}
          options={locations.data?.data.flatMap(({ location }) =>
            location === null ? [] : [{ id: String(location), label: placeLabel(String(location)) }],
          )}
          onChange={(value) => filter({ location: value })}
        />
      </PageHead>
      <OpeningStats asOf={asOf} deptId={deptId} hasPicture={hasPicture} />
      <Loadable result={page} asked="the openings">
        {(shown) => <OpeningsList page={shown} query={query} listed={listed} />}
      </Loadable>
    </>
  )
}

interface OpeningStatsProps {
  readonly asOf: string
  readonly deptId: number | undefined
  readonly hasPicture: boolean
}

/** Figures of all open openings, or of those of a department. */
const OpeningStats = ({ asOf, deptId, hasPicture }: OpeningStatsProps) => {
  const report = useReport('openings', { as_of: asOf, by: deptId === undefined ? undefined : 'dept_id' })
  const active = { status: 'active', 'job.dept_id': deptId }
  const ofOpen = { ...active, 'job.status': 'open' }
  const waiting = { ...ofOpen, ...waitingFilters(asOf) }
  const activeCounts = useCounts('applications', { by: 'job.status', limit: 1_000, ...active })
  const waitingCounts = useCounts('applications', { by: 'job.status', ...waiting }, { enabled: hasPicture })
  return (
    <Loadable result={report} asked="the figures of the openings">
      {({ data }) => {
        const row = deptId === undefined ? data[0] : data.find(({ group }) => group === String(deptId))
        const openings = row?.links.openings ?? listPath('jobs', { status: 'open', dept_id: deptId })
        const pastTarget = row?.links.past_target ?? listPath('jobs', { ...pastTargetFilters(asOf), dept_id: deptId })
        return (
          <StatList>
            <Stat label="Open openings">
              <Figure name="hiring.openings" value={row?.openings ?? 0} link={openings} />
            </Stat>
            <Stat
              label="Places filled"
              remark={
                <>
                  of <Figure name="hiring.places" value={row?.places ?? 0} link={openings} what="places" />
                </>
              }
            >
              <Figure name="hiring.filled" value={row?.filled ?? 0} link={openings} />
            </Stat>
            <Stat label="Past target date">
              <Figure name="hiring.past_target" value={row?.past_target ?? 0} link={pastTarget} />
            </Stat>
            {activeCounts.data === undefined ? undefined : (
              <Stat
                label="Active applications of open openings"
                remark={
                  <>
                    of{' '}
                    <Figure
                      name="hiring.active_in_all"
                      value={activeCounts.data.meta.total}
                      link={listPath('applications', active)}
                      what="active applications"
                    />
                  </>
                }
              >
                <Figure
                  name="hiring.active"
                  value={activeCounts.data.data.find((group) => group['job.status'] === 'open')?.count ?? 0}
                  link={listPath('applications', ofOpen)}
                />
              </Stat>
            )}
            {waitingCounts.data === undefined ? undefined : (
              <Stat label={`Of these over ${waitingDays} days in their stage`}>
                <Figure
                  name="hiring.waiting"
                  value={waitingCounts.data.meta.total}
                  link={listPath('applications', waiting)}
                />
              </Stat>
            )}
          </StatList>
        )
      }}
    </Loadable>
  )
}

interface OpeningsListProps {
  readonly page: OpeningsPage
  readonly query: OpeningsQuery
  /** Path of the list of all openings that match the filters. */
  readonly listed: string
}

const OpeningsList = ({ page, query, listed }: OpeningsListProps) => {
  const ids = page.openings.map(({ job }) => job.id)
  const counts = useCounts(
    'applications',
    { by: ['job_id', 'stage'], job_id: ids, status: 'active' },
    { enabled: ids.length > 0 },
  )
  const stages = counts.data === undefined ? undefined : stagesByJob(counts.data.data)
  const shownStages = [...new Set(counts.data?.data.map(({ stage }) => String(stage)))].toSorted(compareStages)
  const isFiltered = query.deptId !== undefined || query.location !== undefined || query.isPastTarget
  return (
    <>
      <div className={styles.toolbar}>
        <p role="status" className={styles.total}>
          <Figure
            name="hiring.listed"
            value={page.total}
            link={listed}
            what={plural(page.total, 'opening', 'openings')}
          />{' '}
          {plural(page.total, 'opening', 'openings')}
          {query.isPastTarget ? ' past the target date' : ''}
        </p>
        <ButtonLink
          to="/hiring"
          search={(old: SearchOf<'/hiring'>) => ({
            ...old,
            past_target: query.isPastTarget ? undefined : 'true',
            offset: undefined,
          })}
        >
          {query.isPastTarget ? 'Show all' : 'Only past target'}
        </ButtonLink>
        <StageLegend stages={shownStages} />
      </div>
      {page.openings.length === 0 ? (
        <EmptyState title={isFiltered ? 'No opening matches' : 'There are no open openings'}>
          {isFiltered ? (
            <p>
              No open opening has this department, location and target date.{' '}
              <Link className="link" to="/hiring" search={{}}>
                Remove the filters
              </Link>
            </p>
          ) : (
            <p>Job openings with the status open are listed here.</p>
          )}
        </EmptyState>
      ) : (
        <OpeningsTable page={page} asOf={query.asOf} sort={query.sort} stages={stages} />
      )}
      <Pager total={page.total} offset={query.offset} shown={page.openings.length} size={openingsPerPage} />
    </>
  )
}
