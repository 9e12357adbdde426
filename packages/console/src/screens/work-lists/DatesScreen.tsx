import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { ExportButton } from '../../components/ExportButton.tsx'
import { combineResults, Loadable } from '../../components/Loadable.tsx'
import { PersonName } from '../../components/PersonName.tsx'
import { dateFields } from '../../components/work-lists.ts'
import { formatPeriodNear, formatShortWeekday } from '../../format/dates.ts'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { mondayOf } from '../../format/periods.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { Button } from '../../kit/Button.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Popover, PopoverPart } from '../../kit/Popover.tsx'
import { ToggleGroup } from '../../kit/ToggleGroup.tsx'
import { parseId } from '../../search-parameters.ts'
import { useRequest } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useSession } from '../../service/session.tsx'
import { useAsOf } from '../../service/use-as-of.ts'
import { useDepartmentNames } from '../../service/use-department-names.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import { DateStrip, KindMark } from './DateStrip.tsx'
import styles from './Dates.module.css'
import type { CountedKind, DatePeriod, PersonDate } from './dates.ts'
import {
  dateDetail,
  datePeriods,
  kindsOfDates,
  readCounts,
  readDatePeriod,
  readDates,
  sumOf,
  sumOfDays,
  weeksOf,
} from './dates.ts'
import type { CountedPick, CountedValue } from './picks.ts'
import type { ListGroup } from './WorkListPage.tsx'
import { DataLink, pageOffset, rowsPerGroup, rowsPerPage, SortedHead, WorkListPage } from './WorkListPage.tsx'

/** Rows of further weeks are read when the reader opens them. */
const maxFirstRows = 200

export const DatesScreen = () => {
  const asOf = useAsOf()
  const search = useSearch({ from: '/today/dates' })
  const isWithheld = useIsWithheld()
  const period = readDatePeriod(search.from, search.to, asOf)
  const deptId = parseId(search.dept_id)
  const chosen = readableKinds(isWithheld).find(({ kind }) => kind === search.kind)
  const counts = useKindCounts(period, deptId, isWithheld)
  const departments = useDepartmentCounts(period, chosen?.kind, isWithheld, counts.data !== undefined)
  const kinds = counts.data?.filter(({ kind }) => chosen === undefined || kind === chosen.kind)
  const rows = useDateRows(search, period, kinds, deptId, asOf)
  const departmentNames = useDepartmentNames(counts.data !== undefined)
  const picks = counts.data && datePicks(counts.data, departments.data, chosen?.kind, search)
  const shownKind = chosen ?? kindsOfDates[0]
  const pathOf = (kind: (typeof kindsOfDates)[number]): string =>
    listPath('employees', { ...kind.filters(period), dept_id: deptId, sort: kind.sort })

  return (
    <WorkListPage<PersonDate>
      path="/today/dates"
      name="dates"
      what={['date', 'dates']}
      search={search}
      definition="First days, last days, ends of probation and anniversaries in the period, each with the person as of today. An anniversary is a whole number of years after the day of joining; people who left have none. Somebody with two dates is listed twice. Each kind of date is a list of its own; the request is that of the first kind, or of the chosen one."
      listed={shownKind === undefined ? '' : pathOf(shownKind)}
      fields={exportFields(chosen?.kind)}
      tools={
        chosen === undefined ? (
          <Popover
            title="Export"
            placement="bottom end"
            trigger={
              <Button>
                <Icon of={Download} />
                <span>Export</span>
              </Button>
            }
          >
            {counts.data
              ?.filter(({ total }) => total > 0)
              .map((kind) => (
                <PopoverPart key={kind.kind}>
                  <div className={styles.export}>
                    <span>{kind.label}</span>
                    <DataLink path={pathOf(kind)} />
                    <ExportButton
                      path={pathOf(kind)}
                      fields={exportFields(kind.kind)}
                      rows={kind.total}
                      fileName={kind.kind}
                    />
                  </div>
                </PopoverPart>
              ))}
          </Popover>
        ) : undefined
      }
      picture={
        <Loadable result={counts} asked="the dates of each day">
          {(counted) => (
            <>
              <div className={styles.head}>
                <h2 className={styles.title}>
                  {formatPeriodNear(period.from, period.to, asOf)} <span className="muted">people by day</span>
                </h2>
                <PeriodChoice period={period} asOf={asOf} />
              </div>
              <DateStrip
                kinds={counted.filter(({ kind }) => chosen === undefined || kind === chosen.kind)}
                period={period}
                asOf={asOf}
              />
            </>
          )}
        </Loadable>
      }
      picks={combineResults(picks, [counts, departments])}
      labelOf={(parameter, value) =>
        parameter === 'dept_id'
          ? (departmentNames?.get(value) ?? '…')
          : (kindsOfDates.find(({ kind }) => kind === value)?.label ?? value)
      }
      markOf={(parameter, value) => (parameter === 'kind' ? <KindMark kind={value} /> : undefined)}
      groups={combineResults(rows.data, [rows])}
      order="by week"
      good="Nobody joins, leaves or has a date in this period."
      note={
        <>
          Anniversaries are whole years after the day of joining. Ends of probation and of employment are personal
          {isWithheld ? (
            <>
              : <b>without the right to read them, this list has joining and anniversaries only.</b>
            </>
          ) : (
            ': without the right to read them, this list would have joining and anniversaries only.'
          )}
        </>
      }
      tableClassName={styles.dates}
      rowKey={({ kind, person }) => `${kind.kind} ${person.id}`}
      columns={[
        {
          key: 'day',
          title: <SortedHead title="Day" isDescending={false} />,
          sort: 'ascending',
          className: styles.day,
          cellClassName: 'number',
          cell: ({ day }) => formatShortWeekday(day),
        },
        {
          title: 'Person',
          isRowHead: true,
          className: styles.person,
          cell: ({ person }) => <PersonName person={person} />,
        },
        {
          title: 'What',
          className: styles.what,
          cell: ({ kind }) => (
            <span className={styles.kind}>
              <KindMark kind={kind.kind} />
              {kind.event}
            </span>
          ),
        },
        { title: 'Detail', className: styles.detail, cell: (row) => dateDetail(row) },
        {
          title: 'Title',
          className: styles.cut,
          onPhones: 'hidden',
          cell: ({ person: { designation } }) => <bdi>{designation}</bdi>,
        },
        {
          title: 'Department',
          className: styles.department,
          onPhones: 'hidden',
          cell: ({ person: { department } }) => <bdi>{department?.name}</bdi>,
        },
        {
          title: 'Manager',
          className: styles.cut,
          onPhones: 'hidden',
          cell: ({ person: { manager } }) =>
            manager === null ? <span className="muted">no manager</span> : <PersonName person={manager} isPlain />,
        },
        {
          key: 'summary',
          kind: 'picture',
          onPhones: 'only',
          cell: ({ person: { designation, department, manager } }) => (
            <>
              <bdi>{designation}</bdi>
              {department === null ? undefined : (
                <>
                  , <bdi>{department.name}</bdi>
                </>
              )}
              {manager === null ? undefined : (
                <>
                  {' · '}manager <PersonName person={manager} isPlain isLink={false} />
                </>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

const exportFields = (kind: keyof typeof dateFields | 'anniversary' | undefined): string => {
  const field = kind === undefined || kind === 'anniversary' ? 'date_of_joining' : dateFields[kind]
  const shared = 'id,first_name,last_name,dept_id,designation,manager_id,branch,date_of_joining'
  return field === 'date_of_joining' ? shared : `${shared},${field}`
}

const PeriodChoice = ({ period, asOf }: { readonly period: DatePeriod; readonly asOf: string }) => {
  const navigate = useNavigate({ from: '/today/dates' })
  const offered = datePeriods(asOf)
  const chosen = offered.find(([, , { from, to }]) => from === period.from && to === period.to)
  return (
    <ToggleGroup
      label="Period"
      className={styles.periods}
      value={chosen?.[0] ?? 'own'}
      options={offered.map(([id, label]) => [id, label] as const)}
      onChange={(id) => {
        const days = offered.find(([key]) => key === id)?.[2]
        void navigate({
          search: (old: SearchOf<'/today/dates'>) => ({
            ...old,
            from: id === '30' ? undefined : days?.from,
            to: id === '30' ? undefined : days?.to,
            group: undefined,
            offset: undefined,
          }),
          resetScroll: false,
        })
      }}
    />
  )
}

const readableKinds = (isWithheld: boolean | undefined) =>
  kindsOfDates.filter(({ isPersonal }) => !isPersonal || isWithheld === false)

const useKindCounts = (period: DatePeriod, deptId: number | undefined, isWithheld: boolean | undefined) => {
  const { client } = useSession()
  return useRequest(
    {
      queryKey: ['dates', 'kinds', period, deptId, isWithheld],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        Promise.all(readableKinds(isWithheld).map((kind) => readCounts(client, kind, deptId, period, signal))),
    },
    { enabled: isWithheld !== undefined },
  )
}

/** The number of dates in each department, of the chosen kind or of all. */
const useDepartmentCounts = (
  period: DatePeriod,
  chosen: string | undefined,
  isWithheld: boolean | undefined,
  enabled: boolean,
) => {
  const { client } = useSession()
  const kinds = readableKinds(isWithheld).filter(({ kind }) => chosen === undefined || kind === chosen)
  return useRequest(
    {
      queryKey: ['dates', 'departments', period, kinds.map(({ kind }) => kind)],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const counted = await Promise.all(
          kinds.map(({ filters }) => client.employees.count({ ...filters(period), by: ['dept_id'] }, { signal })),
        )
        const values = new Map<string, number>()
        for (const { dept_id: id, count } of counted.flatMap(({ data }) => data))
          if (id !== null) values.set(String(id), (values.get(String(id)) ?? 0) + count)
        return {
          values: [...values]
            .map(([value, count]): CountedValue => ({ value, count }))
            .toSorted((a, b) => b.count - a.count || Number(a.value) - Number(b.value)),
          total: counted.reduce((sum, { meta }) => sum + meta.total, 0),
        }
      },
    },
    { enabled },
  )
}

const datePicks = (
  counted: readonly CountedKind[],
  departments: Pick<CountedPick, 'values' | 'total'> | undefined,
  chosen: string | undefined,
  search: SearchOf<'/today/dates'>,
): CountedPick[] => [
  {
    parameter: 'kind',
    title: 'Kind',
    values: counted.map(({ kind, total }) => ({ value: kind, count: total })),
    selected: chosen,
    total: counted.reduce((sum, { total }) => sum + total, 0),
  },
  ...(departments === undefined
    ? []
    : [{ parameter: 'dept_id', title: 'Department', ...departments, selected: search.dept_id }]),
]

const useDateRows = (
  search: SearchOf<'/today/dates'>,
  period: DatePeriod,
  kinds: readonly CountedKind[] | undefined,
  deptId: number | undefined,
  asOf: string,
) => {
  const { client } = useSession()
  const weeks = weeksOf(period)
  const open = weeks.find(({ key }) => key === search.group)
  const offset = open === undefined ? 0 : pageOffset(search)
  return useRequest(
    {
      queryKey: ['dates', 'rows', period, kinds?.map(({ kind, days }) => [kind, [...days]]), deptId, open?.key, offset],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<ListGroup<PersonDate>[]> => {
        const part = open ?? firstWeeks(weeks, kinds ?? [])
        const page = { offset, size: open === undefined ? maxFirstRows : rowsPerPage }
        const dates = await readDates(client, kinds ?? [], deptId, period, part, page, signal)
        return (open === undefined ? weeks : [open]).map((week) => {
          const rows = dates.filter(({ day }) => day >= week.from && day <= week.to)
          return {
            ...weekGroup(week, kinds ?? [], asOf),
            rows: open === undefined ? rows.slice(0, rowsPerGroup) : rows,
          }
        })
      },
    },
    { enabled: kinds !== undefined },
  )
}

/** As many weeks as have few enough rows for one request of each kind, and at least one. */
const firstWeeks = (weeks: readonly DatePeriod[], kinds: readonly CountedKind[]): DatePeriod => {
  const [first, ...others] = weeks
  let part: DatePeriod = { from: first?.from ?? '', to: first?.to ?? '' }
  for (const { to } of others) {
    if (sumOf(sumOfDays(kinds, { ...part, to })) > maxFirstRows) break
    part = { ...part, to }
  }
  return part
}

const weekGroup = (
  week: DatePeriod & { readonly key: string },
  kinds: readonly CountedKind[],
  asOf: string,
): Omit<ListGroup<PersonDate>, 'rows'> => {
  const ofKinds = kinds.flatMap((kind) => {
    const count = sumOf(sumOfDays([kind], week))
    return count === 0 ? [] : `${formatInteger(count)} ${kind.counted(count)}`
  })
  const total = sumOf(sumOfDays(kinds, week))
  return {
    key: week.key,
    title: `${mondayOf(asOf) === week.key ? 'This week, ' : ''}${formatPeriodNear(week.from, week.to, week.to)}`,
    total,
    remark: `${plural(total, 'date', 'dates')}: ${ofKinds.join(' · ')}`,
  }
}
