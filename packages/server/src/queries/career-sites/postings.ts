/** Which postings a career site shows, and their columns. */
import type { Posting, PostingSummary, Site } from '../../career-sites/posting.ts'
import type { Parameters } from '../../postgres/sql/statement.ts'
import type { Cell } from './site.ts'

/** What the visibility of postings depends on besides the records. */
export interface Moment {
  /** Milliseconds since 1970, by the clock of this process, which also decides when a cached page expires. */
  readonly now: number
}

/**
 * The postings of a site with the two moments between which they are visible, whatever the time is now: published, of
 * an open job. `starts_at` is null if it was always visible, `ends_at` if it has no posting period.
 */
export const postingsFrom = (site: Site, parameters: Parameters, distributions = 'job_distributions'): string => {
  const periods = [...site.brands].flatMap(([id, { settings }]) =>
    settings.postingDays === undefined ? [] : [[id, settings.postingDays] as const],
  )
  const brandIds = parameters.add(periods.map(([id]) => id))
  const days = parameters.add(periods.map(([, count]) => count))
  return `${distributions} d
    join job_openings j on j.id = d.job_posting_id
    left join departments on departments.id = j.dept_id
    left join unnest(${brandIds}::bigint[], ${days}::integer[]) period(brand_id, days) on period.brand_id = d.brand_id
    cross join lateral (select coalesce(d.published_at, j.opened_on::timestamp at time zone 'UTC') as posted_at) posted
    cross join lateral (select d.published_at as starts_at, posted_at + period.days * interval '24 hours' as ends_at) times`
}

export const isPublished = `d.status = 'published' and j.status = 'open'`
export const isOver = (now: string): string => `coalesce(ends_at <= ${now}, false)`
export const isWaiting = (now: string): string => `coalesce(starts_at > ${now}, false)`
/** The one definition of what a career site shows. */
export const isVisible = (now: string): string => `${isPublished} and not ${isWaiting(now)} and not ${isOver(now)}`

/** The next moment at which a posting becomes visible or ends: the earliest of both columns after now. */
export const nextChange = (now: string): string =>
  `least(min(starts_at) filter (where starts_at > ${now}), min(ends_at) filter (where ends_at > ${now}))`

const momentText = (expression: string): string =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const milliseconds = (expression: string): string => `ceil(extract(epoch from ${expression}) * 1000)::text`

export const summaryColumns = `d.locale, d.slug, j.title, d.brand_id::text, departments.name, j.location, j.remote_policy, j.employment_type,
  j.comp_min, j.comp_max, j.currency, case when d.published_at is null then to_char(j.opened_on, 'YYYY-MM-DD') else ${momentText('d.published_at')} end,
  ${momentText('ends_at')}`
export const postingColumns = `${summaryColumns}, j.id::text, j.code, j.description, j.requirements`

export type SummaryCells = readonly [
  string,
  string,
  string,
  Cell,
  Cell,
  Cell,
  Cell,
  Cell,
  number | null,
  number | null,
  Cell,
  Cell,
  Cell,
]
export type PostingCells = readonly [...SummaryCells, string, Cell, Cell, Cell]

export const readSummary = (cells: SummaryCells | PostingCells): PostingSummary => {
  const [
    locale,
    slug,
    title,
    brandId,
    department,
    location,
    remotePolicy,
    employmentType,
    min,
    max,
    currency,
    posted,
    ends,
  ] = cells
  return {
    locale,
    slug,
    title,
    brandId: filled(brandId),
    department: filled(department),
    location: filled(location),
    remotePolicy: filled(remotePolicy),
    employmentType: filled(employmentType),
    payMin: min ?? undefined,
    payMax: max ?? undefined,
    currency: filled(currency),
    postedAt: momentOf(posted),
    endsAt: momentOf(ends),
  }
}

export const readPosting = (cells: PostingCells): Posting => {
  const [jobId, code, description, requirements] = cells.slice(13) as [string, Cell, Cell, Cell]
  return {
    ...readSummary(cells),
    jobId,
    code: filled(code),
    description: filled(description),
    requirements: filled(requirements),
  }
}

/** A blank text counts as missing. */
const filled = (cell: Cell): string | undefined => (cell === null || cell.trim() === '' ? undefined : cell)

/** PostgreSQL has dates that JavaScript has not, such as infinity. */
const momentOf = (cell: Cell): string | undefined =>
  cell === null || Number.isNaN(Date.parse(cell)) ? undefined : cell

export const expiryOf = (cell: Cell): number | undefined => {
  const moment = Number(cell ?? Number.NaN)
  return Number.isFinite(moment) ? moment : undefined
}

/** Rows as one JSON value: parsing many rows would cost the service more than it costs the database. */
export const rowsJson = (columns: string, from: string): string =>
  `(select coalesce(json_agg(json_build_array(${columns})), '[]')::text from ${from})`
