/**
 * Loads a site and its published postings into memory. After a write, only the postings that it concerns are read again:
 * the change feed names them.
 */
import type { Brand, Site } from '../postings/posting.ts'
import { parseBrandSettings } from '../postings/settings.ts'
import type { IndexedPosting } from '../postings/site-postings.ts'
import { SitePostings } from '../postings/site-postings.ts'
import { draftStatus } from '../postings/visibility.ts'
import type { Cell, Query, Reader, Versioned } from '../reader.ts'
import { hostName } from '../urls.ts'
import { parsePostings, selectPostings } from './posting-columns.ts'
import { careerTables } from './site.ts'

export interface PostingIndex extends Versioned<SitePostings> {
  /** Every transaction that is missing in the snapshot of the index has at least this id. */
  readonly oldestMissingXid: string
}

/** Skips from locale to locale by the unique index, so its cost does not depend on the number of postings. */
const firstLocale = (condition: string): string =>
  `select locale from job_distributions where career_site_id = $1 ${condition} order by locale limit 1`
const localesQuery = `used_locales(locale) as (
  (${firstLocale('')}) union all
  select (${firstLocale('and locale > used_locales.locale')}) from used_locales where used_locales.locale is not null)`

/** A locale counts from its first posting that is not a draft on. */
const localesColumn = `(select json_agg(locale)::text from used_locales l where exists (
  select from job_distributions d where d.career_site_id = $1 and d.locale = l.locale and d.status <> '${draftStatus}'))`

const missingXid = 'pg_snapshot_xmin(pg_current_snapshot())::text'

/** The brands of the site with the id $1, for `parseBrands`. */
export const brandsColumn = `(select json_agg(json_build_array(b.id::text, b.name, b.logo_url, b.settings_json))::text
   from recruitment_brands b where b.id in (select distinct d.brand_id from job_distributions d where d.career_site_id = $1))`

const siteColumns = `
  (select json_build_array(s.id::text, s.slug, s.name, s.headline, s.introduction, s.brand_color, s.accent_color, s.logo_url,
     s.privacy_policy_url, s.custom_domain)::text from career_sites s where s.id = $1 and s.slug = $2 and s.is_active = 1),
  ${brandsColumn}`

const siteIdQuery = (slug: string): Query => ({
  pool: 'read',
  name: 'career site',
  values: [slug],
  tables: ['career_sites'],
  columns: '(select id::text from career_sites where slug = $1)',
})

/** Planned for this site: the best plan for a small site takes ten times as long as for a large one. */
const siteQuery = (id: string, slug: string): Query => ({
  pool: 'list',
  summary: 'career site postings',
  values: [id, slug],
  tables: careerTables,
  columns: `${missingXid}, ${localesColumn}, ${siteColumns}, postings.*`,
  queries: `recursive ${localesQuery}, postings as (${selectPostings('$1')})`,
  join: ' cross join postings',
})

/** With more changes, or more rows of the feed since the index was loaded, the whole site is read again. */
const maxChanges = 1_000
const maxFeedRows = 5_000

/** With "order by" and "limit", PostgreSQL reads the feed by its index, however many rows it expects. */
const changesQuery = ({ oldestMissingXid, value }: PostingIndex): Query => {
  const changedIds = (table: string) => `array(select id from changed where table_name = '${table}')`
  return {
    pool: 'read',
    name: 'career site changes',
    values: [value.site.id, oldestMissingXid],
    tables: careerTables,
    columns: `${missingXid}, ${localesColumn},
      (select xid < $2::xid8 from muster_last_pruned_change)
        and (select count(*) from feed) <= ${maxFeedRows} and (select count(*) from changed) <= ${maxChanges},
      array_to_json(${changedIds('job_distributions')})::text, array_to_json(${changedIds('job_openings')})::text, postings.*`,
    queries: `recursive ${localesQuery},
      feed as materialized (select table_name, ids from muster_changes where xid >= $2::xid8 order by xid, seq limit ${maxFeedRows + 1}),
      changed as materialized (
        select table_name, id from feed cross join unnest(ids) range cross join generate_series(lower(range), upper(range) - 1) id
        where table_name in ('job_distributions', 'job_openings') limit ${maxChanges + 1}),
      postings as (${selectPostings('$1', `and (d.id = any (${changedIds('job_distributions')}) or d.job_posting_id = any (${changedIds('job_openings')}))`)})`,
    join: ' cross join postings',
  }
}

/** Undefined if there is no active site with this slug. An earlier index of the site saves reading all postings again. */
export const loadPostings = async (
  reader: Reader,
  slug: string,
  earlier: PostingIndex | undefined,
): Promise<PostingIndex | undefined> =>
  (earlier === undefined ? undefined : await readChanges(reader, earlier)) ?? readSite(reader, slug)

const readSite = async (reader: Reader, slug: string): Promise<PostingIndex | undefined> => {
  const [id] = (await reader.select(siteIdQuery(slug))).value as readonly [Cell]
  if (id === null) return undefined
  const { version, value } = await reader.select(siteQuery(id, slug))
  const [oldestMissingXid, locales, siteJson, brandsJson, ...columns] = value as readonly [
    string,
    Cell,
    Cell,
    Cell,
    ...Cell[],
  ]
  if (siteJson === null) return undefined
  const brands = parseBrands(brandsJson)
  const postings = parsePostings(columns, brands)
  const site = { ...parseSite(JSON.parse(siteJson) as Cell[]), brands, locales: orderLocales(locales, postings) }
  return { version, oldestMissingXid, value: new SitePostings(site, postings) }
}

/** Undefined if the changes are not known or not only those of jobs and distributions. */
const readChanges = async (reader: Reader, earlier: PostingIndex): Promise<PostingIndex | undefined> => {
  const { site, published } = earlier.value
  const { version, value: cells } = await reader.select(changesQuery(earlier))
  const [oldestMissingXid, locales, isComplete, distributions, jobs, ...columns] = cells as readonly [
    string,
    Cell,
    boolean,
    string,
    string,
    ...Cell[],
  ]
  const distributionIds = new Set(JSON.parse(distributions) as number[])
  const jobIds = new Set(JSON.parse(jobs) as number[])
  const changedPostings = parsePostings(columns, site.brands)
  const isKnownBrand = ({ brandId }: IndexedPosting) => brandId === undefined || site.brands.has(brandId)
  if (
    !isComplete ||
    otherTablesVersion(version) !== otherTablesVersion(earlier.version) ||
    !changedPostings.every(isKnownBrand)
  )
    return undefined
  const postings = [
    ...published.filter(({ id, jobId }) => !distributionIds.has(id) && !jobIds.has(jobId)),
    ...changedPostings,
  ]
  const value = new SitePostings({ ...site, locales: orderLocales(locales, postings) }, postings)
  return { version, oldestMissingXid, value }
}

/** A version is the epoch and one number per table: that without the numbers of job_distributions and job_openings. */
const otherTablesVersion = (version: string): string => version.split('.').toSpliced(-careerTables.length, 2).join('.')

const optional = (cell: Cell | undefined): string | undefined => cell ?? undefined

const parseSite = (cells: readonly Cell[]): Omit<Site, 'brands' | 'locales'> => {
  const [id, slug, name, headline, introduction, brandColor, accentColor, logoUrl, privacyUrl, customDomain] = cells
  return {
    id: id as string,
    slug: slug as string,
    name: name as string,
    headline: optional(headline),
    introduction: optional(introduction),
    brandColor: optional(brandColor),
    accentColor: optional(accentColor),
    logoUrl: optional(logoUrl),
    privacyUrl: optional(privacyUrl),
    customDomain: hostName(optional(customDomain)),
  }
}

type BrandCells = readonly [string, string, Cell, Cell]

export const parseBrands = (json: Cell): ReadonlyMap<string, Brand> =>
  new Map((JSON.parse(json ?? '[]') as BrandCells[]).map(brandEntry))

const brandEntry = ([id, name, logoUrl, json]: BrandCells): [string, Brand] => [
  id,
  { name, logoUrl: optional(logoUrl), settings: parseBrandSettings(optional(json)).settings },
]

/** Those with most postings first. */
const orderLocales = (json: Cell, postings: readonly IndexedPosting[]): readonly string[] => {
  const counts = new Map<string, number>()
  for (const { locale } of postings) counts.set(locale, (counts.get(locale) ?? 0) + 1)
  const locales = JSON.parse(json ?? '[]') as string[]
  // The sort is stable, so that locales with equally many postings stay in the order of the database.
  return locales.length === 0 ? ['en'] : locales.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
}
