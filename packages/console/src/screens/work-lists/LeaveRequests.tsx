import type { Client, Employee, LeaveFilters, LeaveRequest } from '@muster/client'
import { daysBetween } from '@muster/model'
import type { ReactNode } from 'react'
import { Figure } from '../../components/Figure.tsx'
import { combineResults } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { Withheld } from '../../components/Withheld.tsx'
import { formatDayNear, formatPeriodNear } from '../../format/dates.ts'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatDecimal, formatInteger } from '../../format/numbers.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { parseId } from '../../search-parameters.ts'
import { useCounts, useList, useRequest } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import { useAsOf } from '../../service/use-as-of.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import { outUntilByPerson } from '../person/person-state.ts'
import styles from './LeaveRequests.module.css'
import type { LeaveGroup } from './leave-requests.ts'
import { daysTaken } from './leave-requests.ts'
import { countedPick } from './picks.ts'
import { maxIds, nameOf, usePeopleNames } from './use-people-names.ts'
import type { ListGroup } from './WorkListPage.tsx'
import { pageOffset, rowsPerGroup, rowsPerPage, SortedHead, WorkListPage } from './WorkListPage.tsx'

const fields = ['id', 'employee_id', 'leave_type', 'from_date', 'to_date', 'days', 'applied_on'] as const
type Row = Pick<LeaveRequest, (typeof fields)[number]> & { readonly employee: Employee | null }

/** The longest wait first. */
const readRows = (client: Client, filters: LeaveFilters, limit: number, offset: number, signal: AbortSignal) =>
  client.leave.list({ ...filters, fields, expand: ['employee'], sort: ['applied_on'], limit, offset }, { signal })

interface LeaveRequestsProps {
  readonly path: '/today/approvals' | '/today/leave-soon'
  /** Prefix of the names of the figures. */
  readonly name: string
  readonly search: SearchOf<'/today/approvals'>
  /** The filters of the whole list. */
  readonly filters: LeaveFilters
  readonly groups: readonly LeaveGroup[]
  readonly definition: ReactNode
  /** The sentence of Today, with the number of requests that wait. */
  readonly lede: (total: ReactNode, count: number) => ReactNode
  readonly good: ReactNode
}

/** Leave requests that wait for a decision, with those who decide. */
export const LeaveRequests = ({ path, name, search, filters, groups, definition, lede, good }: LeaveRequestsProps) => {
  const asOf = useAsOf()
  const chosen = {
    'employee.dept_id': parseId(search['employee.dept_id']),
    'employee.manager_id': parseId(search['employee.manager_id']),
  }
  const departments = useCounts('leave', {
    ...filters,
    ...chosen,
    'employee.dept_id': undefined,
    by: 'employee.dept_id',
  })
  const approvers = useCounts('leave', {
    ...filters,
    ...chosen,
    'employee.manager_id': undefined,
    by: 'employee.manager_id',
  })
  const picks =
    departments.data === undefined || approvers.data === undefined
      ? undefined
      : [
          countedPick('employee.dept_id', 'Department', search, departments.data),
          countedPick('employee.manager_id', 'Approver', search, approvers.data),
        ]
  const rows = useGroupRows(path, groups, chosen, search, picks !== undefined)
  const shownRows = rows.data?.flatMap((group) => group.rows) ?? []

  const approverIds = picks?.[1]?.values.map(({ value }) => Number(value)) ?? []
  const rowApprovers = shownRows.flatMap(({ employee }) => employee?.manager_id ?? [])
  const areKnown = rows.data !== undefined && picks !== undefined
  const ids = areKnown ? [...rowApprovers, ...approverIds] : []
  const people = usePeopleNames(ids)
  const away = useAway(ids, asOf)
  const departmentNames = useDepartmentNames(areKnown)
  const departmentName = (id: number | null | undefined): string | undefined =>
    id == null ? undefined : (departmentNames?.get(String(id)) ?? '')
  const approverOf = ({ employee }: Row, isLink = true): ReactNode => {
    const id = employee?.manager_id
    if (id == null) return <span className="muted">no manager</span>
    if (people === undefined) return undefined
    const person = people.get(id) ?? { id, first_name: null, last_name: null }
    const until = away.get(id)
    return (
      <>
        <PersonName person={person} isPlain isLink={isLink} />
        {until === undefined ? undefined : (
          <span className={styles.aside}> out until {formatDayNear(until, asOf)}</span>
        )}
      </>
    )
  }
  const total = picks?.[0]?.total ?? 0
  const listed = listPath('leave', { ...filters, ...chosen, sort: 'applied_on' })
  const hasBegun = path === '/today/approvals'
  const kindOf = ({ leave_type: type }: Row): ReactNode => (type === null ? <Withheld /> : valueLabel(type))
  const daysText = (row: Row): string =>
    hasBegun
      ? `${formatDecimal(daysTaken(row, asOf))} of ${row.days === null ? 'an unknown number' : formatDecimal(row.days)}`
      : row.days === null
        ? 'unknown'
        : formatDecimal(row.days)

  return (
    <WorkListPage<Row>
      path={path}
      name={name}
      what={['leave request', 'leave requests']}
      search={search}
      definition={definition}
      listed={listed}
      fields="id,employee_id,leave_type,from_date,to_date,days,applied_on"
      lede={
        <>
          {lede(
            <Figure name={`${name}.lede`} value={total} link={listPath('leave', filters)} what="leave requests" />,
            total,
          )}{' '}
          {picks === undefined || chosen['employee.manager_id'] !== undefined ? undefined : (
            <Approvers
              name={name}
              count={approverIds.length}
              awayIds={approverIds.length > maxIds ? undefined : approverIds.filter((id) => away.has(id))}
            />
          )}
        </>
      }
      picks={combineResults(picks, [departments, approvers])}
      labelOf={(parameter, value) => {
        if (parameter === 'employee.dept_id') return departmentName(Number(value)) ?? ''
        return nameOf(people, Number(value))
      }}
      groups={rows}
      order="by urgency and then by the longest wait"
      good={good}
      note={`The approver is the manager recorded today.${hasBegun ? ' Days are working days from Monday to Friday, up to and including today.' : ''} The list is read-only: decide the request in your leave system.`}
      tableClassName={styles.requests}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'Person',
          className: styles.person,
          cell: ({ employee, employee_id: id }) =>
            employee === null ? (
              <span className="muted">Employee {id ?? 'not recorded'}</span>
            ) : (
              <PersonName person={employee} />
            ),
        },
        {
          title: 'Department',
          className: styles.department,
          onPhones: 'hidden',
          cell: ({ employee }) => <bdi>{departmentName(employee?.dept_id) ?? <span className="muted">none</span>}</bdi>,
        },
        { title: 'Approver', className: styles.approver, onPhones: 'hidden', cell: (row) => approverOf(row) },
        { title: 'Kind', className: styles.kind, onPhones: 'hidden', cell: kindOf },
        {
          title: 'Period',
          className: styles.period,
          onPhones: 'hidden',
          cellClassName: 'number',
          cell: (row) => periodText(row, asOf),
        },
        { title: hasBegun ? 'Days taken' : 'Days', kind: 'figure', onPhones: 'hidden', cell: daysText },
        {
          key: 'wait',
          title: <SortedHead title="Waiting since" isDescending={false} />,
          kind: 'figure',
          sort: 'ascending',
          className: styles.wait,
          cell: ({ id, applied_on: since }) =>
            since === null ? (
              <span className="muted">not recorded</span>
            ) : (
              <>
                <span className="only-wide muted">{formatDayNear(since, asOf)}</span>{' '}
                <b className={styles.days}>
                  <Figure name={`${name}.${id}.wait_days`} value={daysBetween(since, asOf)} /> d
                </b>
              </>
            ),
        },
        {
          key: 'summary',
          kind: 'picture',
          onPhones: 'only',
          cell: (row) => (
            <>
              {kindOf(row)} · {periodText(row, asOf)} · {daysText(row)} {hasBegun ? 'days taken' : 'days'}
              <br />
              waits for {approverOf(row, false)}
            </>
          ),
        },
      ]}
    />
  )
}

const periodText = ({ from_date: from, to_date: to }: Row, asOf: string): string =>
  from === null ? 'not recorded' : to === null ? `from ${formatDayNear(from, asOf)}` : formatPeriodNear(from, to, asOf)

/** The first rows of each group, or a page of the open one. */
const useGroupRows = (
  path: string,
  groups: readonly LeaveGroup[],
  chosen: LeaveFilters,
  search: SearchOf<'/today/approvals'>,
  enabled: boolean,
) => {
  const { client } = useSession()
  const open = groups.filter(({ key }) => key === search.group)
  const shown = open.length === 0 ? groups : open
  const [limit, offset] = open.length === 0 ? [rowsPerGroup, 0] : [rowsPerPage, pageOffset(search)]
  const filters = shown.map((group) => ({ ...group.filters, ...chosen }))
  const request = {
    queryKey: [path, filters, limit, offset],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<ListGroup<Row>[]> => {
      const pages = await Promise.all(filters.map((each) => readRows(client, each, limit, offset, signal)))
      return shown.map(({ key, title, mark, remark }, index) => {
        const total = pages[index]?.meta.total ?? 0
        const link = listPath('leave', filters[index])
        return { key, title, mark, total, link, remark: remark(total), rows: pages[index]?.data ?? [] }
      })
    },
  }
  return useRequest(request, { enabled })
}

/** The last day of the present leave of those who are away. */
const useAway = (ids: readonly number[], asOf: string): ReadonlyMap<number, string> => {
  const known = [...new Set(ids)].slice(0, maxIds).toSorted((a, b) => a - b)
  const { data } = useList(
    'leave',
    { employee_id: known, status: 'approved', from_date_to: asOf, to_date_from: asOf, limit: maxIds },
    { enabled: known.length > 0 },
  )
  return outUntilByPerson(data?.data ?? [])
}

interface ApproversProps {
  readonly name: string
  readonly count: number
  /** Undefined if there are too many approvers to ask for. */
  readonly awayIds: readonly number[] | undefined
}

const Approvers = ({ name, count, awayIds }: ApproversProps) => (
  <>
    {count === 1 ? 'They wait for one approver' : `They wait for ${formatInteger(count)} approvers`}
    {awayIds === undefined || awayIds.length === 0 ? undefined : (
      <>
        , of whom{' '}
        <Figure
          name={`${name}.approvers_away`}
          value={awayIds.length}
          link={listPath('employees', { id: awayIds })}
          what={plural(awayIds.length, 'approver who is away', 'approvers who are away')}
        />{' '}
        {awayIds.length === 1 ? 'is' : 'are'} away
      </>
    )}
    .
  </>
)
