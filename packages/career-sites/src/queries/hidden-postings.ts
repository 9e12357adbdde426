/** The postings of a site that search engines do not get, whatever their status and that of the site. */
import type { Publication } from '@muster/model'
import type { Brand } from '../postings/posting.ts'
import type { IndexedPosting } from '../postings/site-postings.ts'
import type { HiddenPosting } from '../postings/visibility.ts'
import { byState, publicationOf, stateOf } from '../postings/visibility.ts'
import type { Cell, Reader, Versioned } from '../reader.ts'
import { missingProperties } from '../rendering/structured-data.ts'
import { parsePostings, parseStatuses, selectBatch } from './posting-columns.ts'
import { brandsColumn, parseBrands } from './posting-index.ts'
import { careerTables } from './site.ts'
import { readPostings } from './texts.ts'

export interface HiddenPostings {
  readonly slug: string
  readonly isActive: boolean
  /** Ordered by `byState`. */
  readonly hidden: readonly HiddenPosting[]
  /** The number of postings by locale, hidden or not. */
  readonly totals: ReadonlyMap<string, number>
  /** The next moment at which a posting begins or ends; undefined if there is none. */
  readonly expiresAt: number | undefined
}

/** Postings in one statement. Bounds the memory of a read and the time between two of its parts. */
const batchSize = 500

interface Batch {
  readonly version: string
  readonly slug: string
  readonly isActive: boolean
  readonly brands: ReadonlyMap<string, Brand>
  readonly postings: readonly IndexedPosting[]
  readonly publications: readonly Publication[]
}

/** Undefined if there is no such site. */
const readBatch = async (reader: Reader, siteId: bigint, afterId: number): Promise<Batch | undefined> => {
  const { version, value } = await reader.select({
    pool: 'list',
    name: 'career site batch',
    values: [siteId, afterId],
    tables: careerTables,
    columns: `(select json_build_array(slug, is_active)::text from career_sites where id = $1), ${brandsColumn}, postings.*`,
    queries: `postings as (${selectBatch('$1', '$2', batchSize)})`,
    join: ' cross join postings',
  })
  const [siteJson, brandsJson, ...columns] = value as readonly [Cell, Cell, ...Cell[]]
  if (siteJson === null) return undefined
  const [slug, isActive] = JSON.parse(siteJson) as [string, number]
  const brands = parseBrands(brandsJson)
  return {
    version,
    slug,
    brands,
    isActive: isActive === 1,
    postings: parsePostings(columns, brands),
    publications: parseStatuses(columns).map(([status, jobStatus]) => publicationOf(status, jobStatus)),
  }
}

/**
 * Undefined if there is no such site. The version is that of the first batch: if a record changes meanwhile, the result
 * is never taken for current.
 */
export const readHiddenPostings = async (
  reader: Reader,
  siteId: bigint,
): Promise<Versioned<HiddenPostings> | undefined> => {
  const now = Date.now()
  const first = await readBatch(reader, siteId, 0)
  if (first === undefined) return undefined
  const { version, slug, isActive } = first
  const totals = new Map<string, number>()
  const hidden: HiddenPosting[] = []
  let next = Infinity
  for (let batch: Batch | undefined = first; batch !== undefined; ) {
    const { brands, postings, publications }: Batch = batch
    const visible: IndexedPosting[] = []
    for (const [index, posting] of postings.entries()) {
      const { id, locale, startsMs, endsMs } = posting
      const publication = publications[index] as Publication
      const state = stateOf(publication, posting, { isActive, now })
      totals.set(locale, (totals.get(locale) ?? 0) + 1)
      if (publication === 'published')
        for (const moment of [startsMs, endsMs]) if (moment > now) next = Math.min(next, moment)
      if (state === 'visible') visible.push(posting)
      else hidden.push({ id, locale, state, missing: [] })
    }
    const { value: withTexts } = visible.length === 0 ? { value: [] } : await readPostings(reader, visible)
    for (const [index, posting] of withTexts.entries()) {
      const missing = missingProperties({ brands }, posting)
      const { id, locale } = visible[index] as IndexedPosting
      if (missing.length > 0) hidden.push({ id, locale, state: 'visible', missing })
    }
    const lastId: number = Math.max(...postings.map(({ id }) => id))
    batch = postings.length < batchSize ? undefined : await readBatch(reader, siteId, lastId)
  }
  const expiresAt = next === Infinity ? undefined : next
  return { version, value: { slug, isActive, hidden: hidden.sort(byState), totals, expiresAt } }
}

export interface PostingNames {
  readonly id: number
  readonly jobId: number
  readonly code: string | null
  readonly title: string
  readonly slug: string
}

/** In no particular order. */
export const readNames = async (reader: Reader, ids: readonly number[]): Promise<readonly PostingNames[]> => {
  const { value } = await reader.select({
    pool: 'read',
    name: 'career posting names',
    values: [ids],
    tables: careerTables,
    columns: `(select json_agg(json_build_object('id', d.id, 'jobId', j.id, 'code', j.code, 'title', j.title, 'slug', d.slug))::text
      from job_distributions d join job_openings j on j.id = d.job_posting_id where d.id = any ($1::bigint[]))`,
  })
  return JSON.parse((value[0] as Cell) ?? '[]') as PostingNames[]
}
