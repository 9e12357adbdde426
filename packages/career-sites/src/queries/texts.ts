/** What is not in the index of a site: the long texts of jobs, words in them, and postings that are not published. */
import type { Posting } from '../postings/posting.ts'
import type { IndexedPosting, JobTexts, SitePostings } from '../postings/site-postings.ts'
import { isVisible, withTexts } from '../postings/site-postings.ts'
import { closedStatuses } from '../postings/visibility.ts'
import type { Cell, Reader, Versioned } from '../reader.ts'
import { isFilled, parsePostings, selectPostings } from './posting-columns.ts'
import { careerTables } from './site.ts'

const closedList = closedStatuses.map((status) => `'${status}'`).join(', ')

const textColumns = 'j.code, j.description, j.requirements'

const textsOf = (cells: readonly Cell[]): JobTexts => {
  const [code, description, requirements] = cells.map((cell) => (isFilled(cell) ? cell : undefined))
  return { code, description, requirements }
}

/**
 * Adds the texts of their jobs to postings. With `maxBytes`, only to the first postings, whose texts together have at
 * most this many bytes, and to at least one. The texts of one job have up to 160 kB.
 */
export const readPostings = async (
  reader: Reader,
  postings: readonly IndexedPosting[],
  maxBytes?: number,
): Promise<Versioned<readonly Posting[]>> => {
  const { version, value } = await reader.select({
    pool: 'list',
    name: 'career texts',
    values: [postings.map(({ jobId }) => jobId), maxBytes ?? null],
    tables: careerTables,
    columns: `(select n from fitting),
      (select json_agg(json_build_array(j.id, ${textColumns}))::text from job_openings j
       where j.id = any (($1::bigint[])[1:(select n from fitting)]))`,
    // The length of a text is read without the text.
    queries: `sized as (
        select n, sum(coalesce(octet_length(j.description), 0) + coalesce(octet_length(j.requirements), 0)) over (order by n) as bytes
        from unnest($1::bigint[]) with ordinality as given (id, n) join job_openings j on j.id = given.id),
      fitting as materialized (select greatest(max(n), 1)::int as n from sized where $2::bigint is null or bytes <= $2)`,
  })
  const [count, json] = value as readonly [number, Cell]
  const jobs = JSON.parse(json ?? '[]') as (readonly [number, Cell, Cell, Cell])[]
  const textsById = new Map(jobs.map(([id, ...cells]) => [id, textsOf(cells)]))
  const fitting = postings.slice(0, Number(count))
  return { version, value: fitting.map((posting) => withTexts(posting, textsById.get(posting.jobId) ?? textsOf([]))) }
}

export interface JobRead {
  /** Undefined if there is no visible posting at this URL. */
  readonly posting: Posting | undefined
  /** The visible postings of the same job in the site, this one included, by locale. */
  readonly alternates: readonly IndexedPosting[]
  /** Set if the posting was visible and will not be again without a change of the records. */
  readonly gone: { readonly title: string } | undefined
}

export const readJob = async (
  reader: Reader,
  { site }: SitePostings,
  { locale, slug, now }: { readonly locale: string; readonly slug: string; readonly now: number },
): Promise<Versioned<JobRead>> => {
  const { version, value } = await reader.select({
    pool: 'read',
    name: 'career posting',
    values: [site.id, locale, slug],
    tables: careerTables,
    columns: `(select is_closed from own), (select title from own),
      (select json_build_array(${textColumns})::text from job_openings j where j.id = (select job_id from own)), postings.*`,
    queries: `own as materialized (
        select j.id as job_id, j.title, d.status in (${closedList}) or j.status in (${closedList}) as is_closed
        from job_distributions d join job_openings j on j.id = d.job_posting_id
        where d.career_site_id = $1 and d.locale = $2 and d.slug = $3),
      postings as (${selectPostings('$1', 'and d.job_posting_id = (select job_id from own)')})`,
    join: ' cross join postings',
  })
  const [isClosed, title, texts, ...columns] = value as readonly [boolean | null, Cell, Cell, ...Cell[]]
  const ofJob = parsePostings(columns, site.brands)
  const own = ofJob.find((posting) => posting.locale === locale && posting.slug === slug)
  const isShown = own !== undefined && isVisible(own, now)
  return {
    version,
    value: {
      posting: isShown ? withTexts(own, textsOf(JSON.parse(texts ?? '[]') as Cell[])) : undefined,
      alternates: ofJob.filter((posting) => isVisible(posting, now)).sort(byLocale),
      gone: isClosed === true || (own !== undefined && own.endsMs <= now) ? { title: title ?? '' } : undefined,
    },
  }
}

const byLocale = (a: IndexedPosting, b: IndexedPosting): number => (a.locale < b.locale ? -1 : 1)

const maxWords = 8

/**
 * The ids of the jobs that contain all words, in their texts or in the name of their department. A union, because with
 * "or" PostgreSQL reads the texts of all jobs: 140 instead of 2 ms of CPU time for a rare word among 18,000 jobs.
 */
export const findJobs = async (reader: Reader, words: string): Promise<Versioned<ReadonlySet<number>>> => {
  const values = words.split(/\s+/).slice(0, maxWords)
  const queries = values.map((_, index) => {
    const pattern = `muster_like($${index + 1}::text)`
    return `(select id from job_openings where search_text like ${pattern} union
         select id from job_openings where dept_id in (select id from departments where muster_fold(name) like ${pattern}))`
  })
  const { version, value } = await reader.select({
    pool: 'search',
    summary: 'career search',
    values,
    tables: careerTables,
    columns: `(select json_agg(id)::text from (${queries.join(' intersect ')}) found)`,
  })
  const [ids] = value as readonly [Cell]
  return { version, value: new Set(JSON.parse(ids ?? '[]') as number[]) }
}
