import type { ReportRows } from '@muster/client'
import { addMonths, firstDay } from '@muster/model'

export type HeadcountRow = ReportRows['headcount']

/** A number and the list behind it. Null if it is withheld or cannot be computed. */
export interface LinkedValue {
  readonly value: number | null
  readonly link: string | undefined
}

export interface YearFigures {
  readonly atEnd: LinkedValue
  readonly yearBefore: LinkedValue
  readonly joined: LinkedValue
  readonly left: LinkedValue
  readonly movedIn: LinkedValue
  readonly movedOut: LinkedValue
  /** Those who moved in less those who moved out. */
  readonly moved: LinkedValue
  readonly turnover: LinkedValue
  readonly turnoverYearBefore: LinkedValue
}

/**
 * The figures of the twelve months up to the end of `month`, from the rows of the company or of one group. No list has the
 * people who joined a group, or moved, in several months: some have moved on since.
 */
export const yearFigures = (rows: readonly HeadcountRow[], month: string, of: 'company' | 'group'): YearFigures => {
  const rowOf = (wanted: string) => rows.find((row) => row.month === wanted)
  const last = rowOf(month)
  const yearAgo = addMonths(month, -12)
  const year = rows.filter((row) => row.month !== null && row.month > yearAgo && row.month <= month)
  const first = firstDay(addMonths(month, -11))
  const isGroup = of === 'group'
  const movedIn = sum(year, 'moved_in')
  const movedOut = sum(year, 'moved_out')
  return {
    atEnd: linkedValue(last, 'at_end'),
    yearBefore: linkedValue(rowOf(yearAgo), 'at_end'),
    joined: {
      value: sum(year, 'joined'),
      link: isGroup ? undefined : withParameter(last?.links.joined, 'date_of_joining_from', first),
    },
    left: {
      value: sum(year, 'left'),
      link: withParameter(last?.links.left, isGroup ? 'headcount_from' : 'termination_date_from', first),
    },
    movedIn: { value: movedIn, link: undefined },
    movedOut: { value: movedOut, link: undefined },
    moved: { value: movedIn === null || movedOut === null ? null : movedIn - movedOut, link: undefined },
    turnover: linkedValue(last, 'turnover_12m'),
    turnoverYearBefore: linkedValue(rowOf(yearAgo), 'turnover_12m'),
  }
}

/** The list of one month becomes that of twelve by another first day. Some groups have no link, see the report. */
const withParameter = (link: string | undefined, name: string, value: string): string | undefined => {
  if (link === undefined) return undefined
  const [path, query] = link.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set(name, value)
  return `${path}?${parameters}`
}

const linkedValue = (row: HeadcountRow | undefined, column: 'at_end' | 'turnover_12m'): LinkedValue => ({
  value: row?.[column] ?? null,
  link: row?.links[column],
})

/** The rows of a report are complete and have no person in common, so that their sum is a total. */
const sum = (rows: readonly HeadcountRow[], column: 'joined' | 'left' | 'moved_in' | 'moved_out'): number | null =>
  rows.some((row) => row[column] === null) ? null : rows.reduce((total, row) => total + (row[column] ?? 0), 0)

export interface HeadcountGroup {
  /** The value of the field in lower case. Null for people without one. */
  readonly group: string | null
  readonly rows: readonly HeadcountRow[]
  readonly year: YearFigures
}

/** One entry for each group that had anybody in the period, the largest first. */
export const headcountGroups = (rows: readonly HeadcountRow[], month: string, from: string): HeadcountGroup[] => {
  const rowsByGroup = new Map<string | null, HeadcountRow[]>()
  for (const row of rows) {
    const known = rowsByGroup.get(row.group)
    if (known === undefined) rowsByGroup.set(row.group, [row])
    else known.push(row)
  }
  return [...rowsByGroup]
    .map(([group, groupRows]) => ({
      group,
      rows: groupRows.filter((row) => row.month !== null && row.month >= from),
      year: yearFigures(groupRows, month, 'group'),
    }))
    .filter((group) => group.rows.some(isAnybody))
    .toSorted((a, b) => size(b) - size(a))
}

/** If the number of people is withheld, groups are compared by those who joined. */
const size = ({ year }: HeadcountGroup): number => year.atEnd.value ?? year.joined.value ?? 0

/** If the number of people is withheld, nobody can tell whether there are any. */
const isAnybody = ({ at_end: atEnd, joined, left, moved_in: movedIn, moved_out: movedOut }: HeadcountRow): boolean =>
  atEnd === null || [atEnd, joined, left, movedIn, movedOut].some((value) => value !== null && value > 0)
