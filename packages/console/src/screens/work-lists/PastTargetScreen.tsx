import type { Client, Department, Employee, JobOpening } from '@muster/client'
import { daysBetween } from '@muster/model'
import { Link, useSearch } from '@tanstack/react-router'
import { Figure } from '../../components/Figure.tsx'
import { combineResults } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { pastTargetFilters } from '../../components/work-lists.ts'
import { formatDayNear } from '../../format/dates.ts'
import { placeLabel, plural, valueLabel } from '../../format/labels.ts'
import { parseId } from '../../search-parameters.ts'
import { useCounts, useReport, useRequest } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import { useAsOf } from '../../service/use-as-of.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import styles from './PastTarget.module.css'
import { countedPick } from './picks.ts'
import { nameOf, usePeopleNames } from './use-people-names.ts'
import { pageOffset, rowsPerPage, SortedHead, WorkListPage } from './WorkListPage.tsx'

const fields = [
  'id',
  'code',
  'title',
  'dept_id',
  'hiring_manager_id',
  'headcount',
  'filled',
  'location',
  'target_date',
] as const
type Row = Pick<JobOpening, (typeof fields)[number]> & {
  readonly department: Department | null
  readonly hiring_manager: Employee | null
}

export const PastTargetScreen = () => {
  const asOf = useAsOf()
  const { client } = useSession()
  const search = useSearch({ from: '/today/past-target' })
  const filters = pastTargetFilters(asOf)
  const chosen = {
    dept_id: parseId(search.dept_id),
    hiring_manager_id: parseId(search.hiring_manager_id),
    location: search.location,
  }
  const departments = useCounts('jobs', { ...filters, ...chosen, dept_id: undefined, by: 'dept_id' })
  const managers = useCounts('jobs', { ...filters, ...chosen, hiring_manager_id: undefined, by: 'hiring_manager_id' })
  const locations = useCounts('jobs', { ...filters, ...chosen, location: undefined, by: 'location' })
  const page = { limit: rowsPerPage, offset: pageOffset(search) }
  const rows = useRequest({
    queryKey: ['past target', filters, chosen, page],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      readRows(client, { ...filters, ...chosen }, page, signal),
  })
  const waits = useReport('openings', { by: 'id', as_of: asOf })
  const ids = rows.data?.data.map(({ id }) => id) ?? []
  const active = useCounts('applications', { by: 'job_id', job_id: ids, status: 'active' }, { enabled: ids.length > 0 })
  const activeOf = new Map(active.data?.data.map(({ job_id, count }) => [Number(job_id), count]))
  const waitOf = new Map(waits.data?.data.map((row) => [Number(row.group), row]))
  const picks =
    departments.data === undefined || managers.data === undefined || locations.data === undefined
      ? undefined
      : [
          countedPick('dept_id', 'Department', search, departments.data),
          countedPick('hiring_manager_id', 'Hiring manager', search, managers.data),
          countedPick('location', 'Location', search, locations.data),
        ]
  const total = picks?.[0]?.total ?? 0
  const people = usePeopleNames(picks?.[1]?.values.map(({ value }) => Number(value)) ?? [])
  const departmentNames = useDepartmentNames(picks !== undefined)
  const listed = listPath('jobs', { ...filters, ...chosen, sort: 'target_date' })

  return (
    <WorkListPage<Row>
      path="/today/past-target"
      name="past_target"
      what={['opening', 'openings']}
      search={search}
      definition="Openings with the status open, whose target date is before today and of whose positions fewer are filled than planned. The longest wait is that of the active application that has been in its present stage for most days."
      listed={listed}
      fields={fields.join(',')}
      lede={
        <>
          <Figure
            name="past_target.lede"
            value={total}
            link={listPath('jobs', filters)}
            what={plural(total, 'opening past its target date', 'openings past their target date')}
          />{' '}
          open {plural(total, 'opening is past its', 'openings are past their')} target date, with places to fill.
        </>
      }
      picks={combineResults(picks, [departments, managers, locations])}
      labelOf={(parameter, value) => {
        if (parameter === 'dept_id') return departmentNames?.get(value) ?? '…'
        return parameter === 'location' ? placeLabel(value) : nameOf(people, Number(value))
      }}
      groups={combineResults(
        rows.data && [
          {
            key: 'all',
            title: 'Past their target date',
            mark: 'warning' as const,
            total: rows.data.meta.total,
            link: listed,
            remark: plural(rows.data.meta.total, 'opening', 'openings'),
            rows: rows.data.data,
          },
        ],
        [rows],
      )}
      hasOneGroup
      order="by days past the target date"
      good="No opening is past its target date."
      tableClassName={styles.openings}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'Opening',
          className: styles.opening,
          cell: ({ id, title, code }) => (
            <>
              <Link to="/hiring/openings/$id" params={{ id: String(id) }}>
                <bdi>{title}</bdi>
              </Link>{' '}
              <span className={styles.code}>{code}</span>
            </>
          ),
        },
        {
          title: 'Department',
          className: styles.department,
          onPhones: 'hidden',
          cell: ({ department }) => <bdi>{department?.name ?? 'none'}</bdi>,
        },
        {
          title: 'Location',
          className: styles.location,
          onPhones: 'hidden',
          cell: ({ location }) => <bdi>{location}</bdi>,
        },
        {
          title: 'Hiring manager',
          className: styles.manager,
          onPhones: 'hidden',
          cell: ({ hiring_manager: manager }) => <Manager manager={manager} isLink />,
        },
        {
          title: 'To fill',
          kind: 'figure',
          onPhones: 'hidden',
          cell: ({ id, headcount, filled }) => <Figure name={`past_target.${id}.places`} value={headcount - filled} />,
        },
        {
          title: 'Active',
          kind: 'figure',
          onPhones: 'hidden',
          cell: ({ id }) => <ActiveApplications id={id} count={active.data && (activeOf.get(id) ?? 0)} />,
        },
        {
          title: 'Longest wait',
          kind: 'figure',
          onPhones: 'hidden',
          className: styles.longest,
          cell: ({ id }) => {
            const { longest_wait_days: days = null, longest_stage: stage = null } = waitOf.get(id) ?? {}
            return days === null || stage === null ? (
              <span className="muted">{waits.data && 'none'}</span>
            ) : (
              <>
                <span className="muted">{valueLabel(stage)}</span>{' '}
                <Figure name={`past_target.${id}.wait_days`} value={days} /> d
              </>
            )
          },
        },
        {
          key: 'past',
          title: <SortedHead title="Past target" isDescending />,
          kind: 'figure',
          sort: 'descending',
          className: styles.past,
          cell: ({ id, target_date: target }) =>
            target === null ? undefined : (
              <>
                <span className="only-wide muted">{formatDayNear(target, asOf)}</span>{' '}
                <b className={styles.days}>
                  <Figure name={`past_target.${id}.days_past`} value={daysBetween(target, asOf)} /> d
                </b>
              </>
            ),
        },
        {
          key: 'summary',
          kind: 'picture',
          onPhones: 'only',
          cell: ({ id, department, location, headcount, filled, hiring_manager: manager }) => (
            <>
              <bdi>{department?.name ?? 'No department'}</bdi>
              {location === null ? undefined : (
                <>
                  {' · '}
                  <bdi>{location}</bdi>
                </>
              )}
              {' · '}
              {headcount - filled} to fill, {activeOf.get(id) ?? 0} active
              <br />
              for <Manager manager={manager} isLink={false} />
            </>
          ),
        },
      ]}
    />
  )
}

const Manager = ({ manager, isLink }: { readonly manager: Employee | null; readonly isLink: boolean }) =>
  manager === null ? <span className="muted">none</span> : <PersonName person={manager} isPlain isLink={isLink} />

const ActiveApplications = ({ id, count }: { readonly id: number; readonly count: number | undefined }) =>
  count === undefined ? undefined : (
    <Figure
      name={`past_target.${id}.active`}
      value={count}
      link={listPath('applications', { job_id: id, status: 'active' })}
    />
  )

const readRows = (
  client: Client,
  filters: Parameters<Client['jobs']['list']>[0],
  page: { readonly limit: number; readonly offset: number },
  signal: AbortSignal,
) =>
  client.jobs.list(
    { ...filters, fields, expand: ['department', 'hiring_manager'], sort: ['target_date'], ...page },
    { signal },
  )
