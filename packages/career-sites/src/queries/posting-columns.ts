/**
 * The postings of a site as columns: each is one JSON array, because one array per posting takes the database twice as
 * long.
 */
import type { Brand } from '../postings/posting.ts'
import type { IndexedPosting } from '../postings/site-postings.ts'
import { openStatus, publishedStatus } from '../postings/visibility.ts'
import type { Cell } from '../reader.ts'

const columns = [
  'd.id',
  'd.job_posting_id',
  'd.locale',
  'd.slug',
  'd.brand_id::text',
  `date_part('epoch', d.published_at)`,
  `date_part('epoch', j.opened_on)`,
  'j.title',
  'departments.name',
  'j.location',
  'j.remote_policy',
  'j.employment_type',
  'j.comp_min',
  'j.comp_max',
  'j.currency',
]

const selectFrom = (distributions: string, selected = columns): string => `
  select ${selected.map((column) => `array_to_json(array_agg(${column}))::text`).join(', ')}
  from ${distributions} d join job_openings j on j.id = d.job_posting_id left join departments on departments.id = j.dept_id`

/** The postings that can be visible; `isVisible` decides at which time. `condition` may use d and j. */
export const selectPostings = (siteId: string, condition = ''): string => `
  ${selectFrom('job_distributions')}
  where d.career_site_id = ${siteId} and d.status = '${publishedStatus}' and j.status = '${openStatus}' ${condition}`

/** Postings with any status, in the order of their ids, and in two more columns the statuses of distribution and job. */
export const selectBatch = (siteId: string, afterId: string, limit: number): string =>
  selectFrom(
    `(select * from job_distributions where career_site_id = ${siteId} and id > ${afterId} order by id limit ${limit})`,
    [...columns, 'd.status', 'j.status'],
  )

/** The columns that `selectBatch` adds, in the order of the postings. */
export const parseStatuses = (jsons: readonly Cell[]): (readonly [status: string, jobStatus: Cell])[] => {
  const [statuses = [], jobStatuses = []] = jsons
    .slice(columns.length)
    .map((json) => JSON.parse(json ?? '[]') as string[])
  return statuses.map((status, index) => [status, jobStatuses[index] ?? null])
}

type Value = Cell | number | undefined

export const parsePostings = (jsons: readonly Cell[], brands: ReadonlyMap<string, Brand>): IndexedPosting[] => {
  const parsed = jsons.map((json) => JSON.parse(json ?? '[]') as Value[])
  const [ids = [], jobIds = [], locales = [], slugs = [], brandIds = [], starts = [], opened = [], titles = []] = parsed
  const [departments = [], locations = [], policies = [], types = [], minima = [], maxima = [], currencies = []] =
    parsed.slice(8)
  // Most texts are those of other postings too, and are stored once.
  const texts = new Map<string, string>()
  const shared = (value: Value): string | undefined => {
    if (!isFilled(value)) return undefined
    const existing = texts.get(value)
    if (existing !== undefined) return existing
    texts.set(value, value)
    return value
  }
  return ids.map((id, index) => {
    const startsMs = millisecondsOf(starts[index])
    const postedMs = startsMs ?? millisecondsOf(opened[index]) ?? -Infinity
    const brandId = shared(brandIds[index])
    const days = brandId === undefined ? undefined : brands.get(brandId)?.settings.postingDays
    const slug = slugs[index] as string
    const title = titles[index] as string
    const department = shared(departments[index])
    const location = shared(locations[index])
    return {
      id: id as number,
      jobId: jobIds[index] as number,
      locale: shared(locales[index]) ?? '',
      slug,
      title,
      brandId,
      department,
      location,
      remotePolicy: shared(policies[index]),
      employmentType: shared(types[index]),
      payMin: amountOf(minima[index]),
      payMax: amountOf(maxima[index]),
      currency: shared(currencies[index]),
      startsMs: startsMs ?? -Infinity,
      postedMs,
      endsMs: days === undefined || postedMs === -Infinity ? Infinity : postedMs + days * dayMs,
      bytes: postingBytes + 2 * (slug.length + title.length + (department?.length ?? 0) + (location?.length ?? 0)),
    }
  })
}

/** A blank text counts as missing. */
export const isFilled = (value: Value): value is string => typeof value === 'string' && value.trim() !== ''

/** Estimated memory of a posting without texts. Measured: 250 bytes with short texts. */
const postingBytes = 230

const dayMs = 24 * 60 * 60 * 1_000

/** PostgreSQL stores microseconds. Rounded to them, because seconds times 1,000 can be just below a millisecond. */
const millisecondsOf = (seconds: Value): number | undefined =>
  seconds === null || seconds === undefined ? undefined : Math.round(Number(seconds) * 1_000_000) / 1_000

const amountOf = (value: Value): number | undefined => (typeof value === 'number' ? value : undefined)
