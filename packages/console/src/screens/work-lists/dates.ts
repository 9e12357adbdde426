/** The dates of people in a period: who joins, who leaves, whose probation ends, and who has an anniversary. */
import type { Client, Employee, EmployeeFilters, EmployeeGroupKey, EmployeeSortKey } from '@muster/client'
import { addDays, daysAhead, daysBetween, firstDay, lastDay, monthOf } from '@muster/model'
import type { DateKind } from '../../components/work-lists.ts'
import { isDay } from '../../format/dates.ts'
import { plural } from '../../format/labels.ts'
import { mondayOf } from '../../format/periods.ts'
import { dayWindow, readAll } from './day-window.ts'

export interface DatePeriod {
  readonly from: string
  readonly to: string
}

/** Longer periods would have two anniversaries of a person. */
const maxDays = 365

/** The period in the URL, or the next 30 days. */
export const readDatePeriod = (from: string | undefined, to: string | undefined, asOf: string): DatePeriod => {
  const first = from !== undefined && isDay(from) ? from : asOf
  const last = to !== undefined && isDay(to) ? to : addDays(first, daysAhead)
  const end = addDays(first, maxDays - 1)
  return { from: first, to: last < first ? first : last < end ? last : end }
}

const nextMonth = (asOf: string): string => monthOf(addDays(lastDay(monthOf(asOf)), 1))

/** The periods that the screen offers. */
export const datePeriods = (asOf: string) =>
  [
    ['7', '7 days', { from: asOf, to: addDays(asOf, 7) }],
    ['30', '30 days', { from: asOf, to: addDays(asOf, daysAhead) }],
    ['90', '90 days', { from: asOf, to: addDays(asOf, 90) }],
    ['month', 'This month', { from: firstDay(monthOf(asOf)), to: lastDay(monthOf(asOf)) }],
    ['next', 'Next month', { from: firstDay(nextMonth(asOf)), to: lastDay(nextMonth(asOf)) }],
  ] as const satisfies readonly (readonly [string, string, DatePeriod])[]

interface KindOfDate {
  readonly kind: DateKind
  /** In the filter, in a row, and after a number. */
  readonly label: string
  readonly event: string
  readonly counted: (count: number) => string
  readonly isPersonal: boolean
  readonly by: EmployeeGroupKey & `day(${string})`
  readonly sort: EmployeeSortKey
  readonly filters: (period: DatePeriod) => EmployeeFilters
}

/** In the order in which the dates of a day are listed. */
export const kindsOfDates: readonly KindOfDate[] = [
  {
    kind: 'joining',
    label: 'Joining',
    event: 'Joins',
    counted: (count) => plural(count, 'joins', 'join'),
    isPersonal: false,
    by: 'day(date_of_joining)',
    sort: 'date_of_joining',
    filters: ({ from, to }) => ({ date_of_joining_from: from, date_of_joining_to: to }),
  },
  {
    kind: 'probation',
    label: 'Probation ends',
    event: 'Probation ends',
    counted: (count) => plural(count, 'probation ends', 'probations end'),
    isPersonal: true,
    by: 'day(probation_end)',
    sort: 'probation_end',
    filters: ({ from, to }) => ({ probation_end_from: from, probation_end_to: to }),
  },
  {
    kind: 'leaving',
    label: 'Leaving',
    event: 'Last day',
    counted: (count) => plural(count, 'last day', 'last days'),
    isPersonal: true,
    by: 'day(termination_date)',
    sort: 'termination_date',
    filters: ({ from, to }) => ({ termination_date_from: from, termination_date_to: to }),
  },
  {
    kind: 'anniversary',
    label: 'Anniversary',
    event: 'Anniversary',
    counted: (count) => plural(count, 'anniversary', 'anniversaries'),
    isPersonal: false,
    by: 'day(date_of_joining)',
    sort: 'date_of_joining',
    // Who joins within the period has no whole year yet.
    filters: ({ from, to }) => ({
      anniversary_from: from.slice(5),
      anniversary_to: to.slice(5),
      date_of_joining_to: inYear(to, Number(to.slice(0, 4)) - 1),
      status_not: 'terminated',
    }),
  },
]

/** The same day of another year; 28 February for 29 February, if that year has none. */
const inYear = (day: string, year: number): string => {
  const same = `${String(year).padStart(4, '0')}${day.slice(4)}`
  return isDay(same) ? same : `${same.slice(0, 8)}28`
}

/** The day in the period on which the date of a record falls. */
export const dayInPeriod = (kind: DateKind, date: string, { from, to }: DatePeriod): string => {
  if (kind !== 'anniversary') return date
  const year = Number(from.slice(0, 4))
  const first = inYear(date, year)
  const day = first < from ? inYear(date, year + 1) : first
  return day > to ? to : day
}

export interface CountedKind extends KindOfDate {
  readonly total: number
  /** By the day in the period. */
  readonly days: ReadonlyMap<string, number>
}

const groupsPerPage = 1_000

/** How many dates there are on each day: one request for each kind, or more if it has more than 1,000 groups. */
export const readCounts = async (
  client: Client,
  kind: KindOfDate,
  deptId: number | undefined,
  period: DatePeriod,
  signal: AbortSignal,
): Promise<CountedKind> => {
  const days = new Map<string, number>()
  for (let offset = 0; ; ) {
    const { data, meta } = await client.employees.count(
      { ...kind.filters(period), dept_id: deptId, by: [kind.by], limit: groupsPerPage, offset },
      { signal },
    )
    for (const group of data) {
      const day = dayInPeriod(kind.kind, String(group[kind.by]), period)
      days.set(day, (days.get(day) ?? 0) + group.count)
    }
    offset += data.length
    if (data.length === 0 || offset >= meta.groups) return { ...kind, total: meta.total, days }
  }
}

export interface PersonDate {
  readonly kind: KindOfDate
  readonly day: string
  readonly person: DatedPerson
}

const fields = [
  'id',
  'first_name',
  'last_name',
  'dept_id',
  'designation',
  'manager_id',
  'branch',
  'date_of_joining',
  'probation_end',
  'termination_date',
] as const
export type DatedPerson = Pick<Employee, (typeof fields)[number]> & {
  readonly department: { readonly name: string } | null
  readonly manager: Employee | null
}

const dateOf = ({ kind }: KindOfDate, person: DatedPerson): string | null =>
  kind === 'leaving' ? person.termination_date : kind === 'probation' ? person.probation_end : person.date_of_joining

/** Some dates of a period, in order: by day, then by kind. */
export const readDates = async (
  client: Client,
  kinds: readonly CountedKind[],
  deptId: number | undefined,
  period: DatePeriod,
  /** The part of the period from which they are. */
  part: DatePeriod,
  { offset, size }: { readonly offset: number; readonly size: number },
  signal: AbortSignal,
): Promise<PersonDate[]> => {
  const window = dayWindow(sumOfDays(kinds, part), offset, size)
  if (window === undefined) return []
  const days = { from: window.from, to: window.to }
  const read = await Promise.all(
    kinds
      .filter((kind) => [...kind.days.keys()].some((day) => day >= days.from && day <= days.to))
      .map(async (kind) => {
        const people = await readAll((page) =>
          client.employees.list(
            {
              ...kind.filters(days),
              dept_id: deptId,
              fields,
              expand: ['department', 'manager'],
              sort: [kind.sort],
              ...page,
            },
            { signal },
          ),
        )
        return people.flatMap((person): PersonDate[] => {
          const date = dateOf(kind, person)
          const day = date === null ? '' : dayInPeriod(kind.kind, date, period)
          // In a leap year, a window until 28 February also has those who joined on the 29th.
          return day < days.from || day > days.to ? [] : [{ kind, day, person }]
        })
      }),
  )
  return read
    .flat()
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    .slice(window.skip, window.skip + size)
}

/** How many dates of all these kinds there are on each day of a period. */
export const sumOfDays = (kinds: readonly CountedKind[], { from, to }: DatePeriod): ReadonlyMap<string, number> => {
  const days = new Map<string, number>()
  for (const kind of kinds)
    for (const [day, count] of kind.days) if (day >= from && day <= to) days.set(day, (days.get(day) ?? 0) + count)
  return days
}

export const sumOf = (days: ReadonlyMap<string, number>): number =>
  [...days.values()].reduce((sum, count) => sum + count, 0)

/** The weeks of a period, from Monday to Sunday; the first and the last one as far as they belong to it. */
export const weeksOf = ({ from, to }: DatePeriod): (DatePeriod & { readonly key: string })[] => {
  const weeks: (DatePeriod & { readonly key: string })[] = []
  for (let monday = mondayOf(from); monday <= to; monday = addDays(monday, 7)) {
    const sunday = addDays(monday, 6)
    weeks.push({ key: monday, from: monday < from ? from : monday, to: sunday > to ? to : sunday })
  }
  return weeks
}

/** What a date means: `after 3 years 2 months`, `10 years`. */
export const dateDetail = ({ kind: { kind }, day, person }: PersonDate): string => {
  const { date_of_joining: joined, branch } = person
  if (kind === 'joining') return branch ?? ''
  if (joined === null) return ''
  if (kind === 'anniversary') {
    const years = Number(day.slice(0, 4)) - Number(joined.slice(0, 4))
    return `${years} ${plural(years, 'year', 'years')}`
  }
  return joined > day ? '' : `after ${duration(joined, day)}`
}

const duration = (from: string, to: string): string => {
  const next = addDays(to, 1)
  const months =
    (Number(next.slice(0, 4)) - Number(from.slice(0, 4))) * 12 +
    Number(next.slice(5, 7)) -
    Number(from.slice(5, 7)) -
    (next.slice(8) < from.slice(8) ? 1 : 0)
  if (months === 0) return `${daysBetween(from, next)} ${plural(daysBetween(from, next), 'day', 'days')}`
  const parts = [
    [Math.floor(months / 12), 'year', 'years'],
    [months % 12, 'month', 'months'],
  ] as const
  return parts.flatMap(([count, one, many]) => (count === 0 ? [] : `${count} ${plural(count, one, many)}`)).join(' ')
}
