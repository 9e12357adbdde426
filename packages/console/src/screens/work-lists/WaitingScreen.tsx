import type { Application, ApplicationFilters, Candidate, Client, JobOpening } from '@muster/client'
import { daysBetween, waitingDays } from '@muster/model'
import { Link, useSearch } from '@tanstack/react-router'
import { Bullet } from '../../components/Bullet.tsx'
import { Figure } from '../../components/Figure.tsx'
import { combineResults } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { waitingFilters } from '../../components/work-lists.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { parseId } from '../../search-parameters.ts'
import { useCounts, useReport, useRequest } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import { useAsOf } from '../../service/use-as-of.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import { dayWindow, readAll } from './day-window.ts'
import { countedPick } from './picks.ts'
import { nameOf, usePeopleNames } from './use-people-names.ts'
import styles from './Waiting.module.css'
import type { ListGroup } from './WorkListPage.tsx'
import { pageOffset, rowsPerGroup, rowsPerPage, SortedHead, WorkListPage } from './WorkListPage.tsx'
import type { StageDay } from './waiting-groups.ts'
import { daysOfGroup, waitingGroupOf, waitingGroups } from './waiting-groups.ts'

const fields = ['id', 'candidate_id', 'job_id', 'stage', 'stage_entered_on'] as const
type Row = Pick<Application, (typeof fields)[number]> & { readonly candidate: Candidate; readonly job: JobOpening }

export const WaitingScreen = () => {
  const asOf = useAsOf()
  const search = useSearch({ from: '/today/waiting' })
  const filters = waitingFilters(asOf)
  const chosen = {
    stage: search.stage,
    'job.dept_id': parseId(search['job.dept_id']),
    'job.hiring_manager_id': parseId(search['job.hiring_manager_id']),
    'job.status': search['job.status'],
  }
  const all = { ...filters, ...chosen }
  const stages = useCounts('applications', { ...all, stage: undefined, by: 'stage' })
  const managers = useCounts('applications', {
    ...all,
    'job.hiring_manager_id': undefined,
    by: 'job.hiring_manager_id',
  })
  const departments = useCounts('applications', { ...all, 'job.dept_id': undefined, by: 'job.dept_id' })
  const statuses = useCounts('applications', { ...all, 'job.status': undefined, by: 'job.status' })
  const times = useReport('timeInStage', { as_of: asOf })
  const picks =
    stages.data === undefined ||
    managers.data === undefined ||
    departments.data === undefined ||
    statuses.data === undefined
      ? undefined
      : [
          countedPick('stage', 'Stage', search, stages.data),
          countedPick('job.hiring_manager_id', 'Hiring manager', search, managers.data),
          countedPick('job.dept_id', 'Department', search, departments.data),
          countedPick('job.status', 'Opening', search, statuses.data),
        ]
  const cells = useStageDays(all, picks !== undefined)
  const medians =
    times.data &&
    new Map(
      times.data.data.flatMap(({ stage, median_days: days }) =>
        stage === null || days === null ? [] : [[stage, days]],
      ),
    )
  const rows = useWaitingRows(search, all, cells.data, medians, asOf)
  const active = useCounts('applications', { status: 'active', by: 'status' }, { enabled: rows.data !== undefined })

  const shownRows = rows.data?.flatMap((group) => group.rows) ?? []
  const people = usePeopleNames(
    picks === undefined || rows.data === undefined
      ? []
      : [
          ...shownRows.flatMap(({ job }) => job.hiring_manager_id ?? []),
          ...(picks[1]?.values.map(({ value }) => Number(value)) ?? []),
        ],
  )
  const departmentNames = useDepartmentNames(rows.data !== undefined)
  const departmentOf = ({ job }: Row): string =>
    job.dept_id === null ? 'No department' : (departmentNames?.get(String(job.dept_id)) ?? '')
  const longest = Math.max(1, ...shownRows.map((row) => waitedDays(row, asOf)))
  const listed = listPath('applications', { ...all, sort: 'stage_entered_on' })
  const managerOf = ({ job: { hiring_manager_id: id } }: Row, isLink = true) =>
    id === null ? (
      <span className="muted">nobody</span>
    ) : people === undefined ? undefined : (
      <PersonName person={people.get(id) ?? { id, first_name: null, last_name: null }} isPlain isLink={isLink} />
    )
  const total = stages.data?.meta.total ?? 0
  const isWhole = Object.values(chosen).every((value) => value === undefined)
  const [mostUrgent] = rows.data ?? []

  return (
    <WorkListPage<Row>
      path="/today/waiting"
      name="waiting"
      what={['application', 'applications']}
      search={search}
      definition={`Applications with the status active that have been in their present stage for more than ${waitingDays} days. They are compared with the median of the report time-in-stage for that stage: the days of all stays that have ended.`}
      listed={listed}
      fields="id,candidate_id,job_id,stage,status,applied_on,stage_entered_on"
      lede={
        isWhole && active.data !== undefined && mostUrgent !== undefined && search.group === undefined ? (
          <>
            <Figure
              name="waiting.lede"
              value={total}
              link={listPath('applications', filters)}
              what="applications that wait"
            />{' '}
            of{' '}
            <Figure
              name="waiting.active"
              value={active.data.meta.total}
              link={listPath('applications', { status: 'active' })}
              what="active applications"
            />{' '}
            active applications {plural(total, 'has', 'have')} been in their stage for more than {waitingDays} days.{' '}
            {mostUrgent.total === 0
              ? undefined
              : `${formatInteger(mostUrgent.total)} of them ${plural(mostUrgent.total, 'has', 'have')} waited at least three times as long as is usual in that stage.`}
          </>
        ) : undefined
      }
      picks={combineResults(picks, [stages, managers, departments, statuses])}
      labelOf={(parameter, value) => {
        if (parameter === 'job.dept_id') return departmentNames?.get(value) ?? '…'
        return parameter === 'job.hiring_manager_id' ? nameOf(people, Number(value)) : valueLabel(value)
      }}
      groups={combineResults(rows.data, [cells, times, rows])}
      order="by multiples of the median and then by the longest wait"
      good={`No active application has been in its stage for more than ${waitingDays} days.`}
      note={
        <>
          The tick is the median of the stage, the bar the days of the application. A stage that no application has left
          yet has no median.
        </>
      }
      tableClassName={styles.applications}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'Candidate',
          className: styles.candidate,
          cell: ({ candidate }) => (
            <Link className={styles.target} to="/hiring/candidates/$id" params={{ id: String(candidate.id) }}>
              <PersonName person={candidate} kind="Candidate" isLink={false} />
            </Link>
          ),
        },
        {
          title: 'Opening',
          className: styles.opening,
          onPhones: 'hidden',
          cell: ({ job }) => (
            <>
              <Link to="/hiring/openings/$id" params={{ id: String(job.id) }}>
                <bdi>{job.title}</bdi>
              </Link>{' '}
              <span className={styles.code}>{job.code}</span>
            </>
          ),
        },
        {
          title: 'Department',
          className: styles.department,
          onPhones: 'hidden',
          cell: (row) => <bdi>{departmentOf(row)}</bdi>,
        },
        { title: 'Stage', className: styles.stage, onPhones: 'hidden', cell: ({ stage }) => valueLabel(stage) },
        {
          key: 'days',
          title: <SortedHead title="In stage" isDescending />,
          kind: 'figure',
          sort: 'descending',
          className: styles.days,
          cell: (row) => (
            <b>
              <Figure name={`waiting.${row.id}.wait_days`} value={waitedDays(row, asOf)} /> d
            </b>
          ),
        },
        {
          key: 'bar',
          kind: 'picture',
          onPhones: 'line',
          className: styles.bar,
          cell: (row) => (
            <Bullet value={waitedDays(row, asOf)} usual={medians?.get(row.stage.toLowerCase())} end={longest} />
          ),
        },
        {
          title: 'Median',
          kind: 'figure',
          onPhones: 'hidden',
          className: styles.median,
          cell: ({ stage }) => <span className="muted">{medianText(medians, stage)}</span>,
        },
        {
          title: 'Hiring manager',
          className: styles.manager,
          onPhones: 'hidden',
          cell: (row) => managerOf(row),
        },
        {
          title: 'Source',
          className: styles.source,
          onPhones: 'hidden',
          cell: ({ candidate: { source } }) =>
            source === null ? <span className="muted">none</span> : valueLabel(source),
        },
        {
          key: 'summary',
          kind: 'picture',
          onPhones: 'only',
          cell: (row) => (
            <>
              <Link className={styles.target} to="/hiring/openings/$id" params={{ id: String(row.job.id) }}>
                <bdi>{row.job.title}</bdi>
              </Link>{' '}
              · {valueLabel(row.stage)}
              <br />
              median {medianText(medians, row.stage)} · for {managerOf(row, false)} ·{' '}
              {row.candidate.source === null ? 'no source' : valueLabel(row.candidate.source)}
            </>
          ),
        },
      ]}
    />
  )
}

const waitedDays = ({ stage_entered_on: since }: Row, asOf: string): number =>
  since === null ? 0 : daysBetween(since, asOf)

const medianText = (medians: ReadonlyMap<string, number> | undefined, stage: string): string => {
  const median = medians?.get(stage.toLowerCase())
  return median === undefined ? 'none' : `${formatDecimal(median)} d`
}

const groupsPerPage = 1_000

/** How many applications wait since which day, by stage: one request for each 1,000 groups, of which there are few. */
const useStageDays = (filters: ApplicationFilters, enabled: boolean) => {
  const { client } = useSession()
  const request = {
    queryKey: ['waiting', 'days', filters],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<StageDay[]> => {
      const cells: StageDay[] = []
      for (;;) {
        const { data, meta } = await client.applications.count(
          { ...filters, by: ['stage', 'day(stage_entered_on)'], limit: groupsPerPage, offset: cells.length },
          { signal },
        )
        cells.push(
          ...data.map(({ stage, 'day(stage_entered_on)': since, count }) => ({
            stage,
            since: String(since),
            count,
          })),
        )
        if (data.length === 0 || cells.length >= meta.groups) return cells
      }
    },
  }
  return useRequest(request, { enabled })
}

const useWaitingRows = (
  search: SearchOf<'/today/waiting'>,
  filters: ApplicationFilters,
  cells: readonly StageDay[] | undefined,
  medians: ReadonlyMap<string, number> | undefined,
  asOf: string,
) => {
  const { client } = useSession()
  const open = waitingGroups.filter(({ key }) => key === search.group)
  const shown = open.length === 0 ? waitingGroups : open
  const [size, offset] = open.length === 0 ? [rowsPerGroup, 0] : [rowsPerPage, pageOffset(search)]
  return useRequest(
    {
      queryKey: ['waiting', 'rows', filters, open.map(({ key }) => key), offset, cells],
      queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<ListGroup<Row>[]> =>
        Promise.all(
          shown.map(async ({ key, title, mark, times }) => {
            const { counts, stages } = daysOfGroup(cells ?? [], key, medians ?? new Map(), asOf)
            const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
            const window = dayWindow(counts, offset, size)
            const read =
              window === undefined
                ? []
                : await readAll((page) => readRows(client, { ...filters, stage: stages }, window, page, signal))
            const rows = read
              .filter(
                (row) =>
                  waitingGroupOf(
                    { stage: row.stage, since: String(row.stage_entered_on) },
                    medians ?? new Map(),
                    asOf,
                  ) === key,
              )
              .slice(window?.skip, (window?.skip ?? 0) + size)
            const remark = `${plural(total, 'application', 'applications')}${times === 0 ? `, but more than ${waitingDays} days` : ''}`
            return { key, title, mark, total, remark, rows }
          }),
        ),
    },
    { enabled: cells !== undefined && medians !== undefined },
  )
}

const readRows = (
  client: Client,
  filters: ApplicationFilters,
  { from, to }: { readonly from: string; readonly to: string },
  page: { readonly limit: number; readonly offset: number },
  signal: AbortSignal,
) =>
  client.applications.list(
    {
      ...filters,
      stage_entered_on_from: from,
      stage_entered_on_to: to,
      fields,
      expand: ['candidate', 'job'],
      sort: ['stage_entered_on'],
      ...page,
    },
    { signal },
  )
