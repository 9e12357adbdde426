/** All career sites, and the numbers of their postings by locale and status. */
import type { Publication } from '@muster/model'
import { draftStatus, publicationOf } from '../postings/visibility.ts'
import type { Cell, Reader, Versioned } from '../reader.ts'
import { hostName } from '../urls.ts'

export const overviewTables = ['career_sites', 'job_distributions', 'job_openings'] as const

/** The postings with the same locale and statuses. */
export interface StatusGroup {
  readonly status: string
  readonly jobStatus: string | null
  readonly publication: Publication
  readonly count: number
}

export interface LocaleGroups {
  readonly locale: string
  readonly groups: readonly StatusGroup[]
  /** Whether the site has pages in this locale: from the first posting that is not a draft on. */
  readonly hasPages: boolean
}

export interface SiteOverview {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly isActive: boolean
  readonly customDomain: string | undefined
  readonly brandColor: string
  readonly accentColor: string
  /** Those with most postings first. */
  readonly locales: readonly LocaleGroups[]
}

export interface Overview {
  readonly total: number
  readonly sites: readonly SiteOverview[]
}

type SiteCells = readonly [number, string, string, number, Cell, string, string]
type GroupCells = readonly [siteId: number, locale: string, status: string, jobStatus: Cell, count: number]

/** Counts in the database: a company may have 18,000 postings. */
export const readOverview = async (
  reader: Reader,
  { limit, offset }: { readonly limit: number; readonly offset: bigint },
): Promise<Versioned<Overview>> => {
  const { version, value } = await reader.select({
    pool: 'report',
    name: 'career sites overview',
    values: [limit, offset > maxOffset ? maxOffset : offset],
    tables: overviewTables,
    columns: `counts.rows,
      (select json_agg(json_build_array(id, slug, name, is_active, custom_domain, brand_color, accent_color) order by id)::text from sites),
      (select json_agg(json_build_array(career_site_id, locale, status, job_status, count))::text from postings)`,
    queries: `sites as materialized (select * from career_sites order by id limit $1 offset $2),
      postings as (
        select d.career_site_id, d.locale, d.status, j.status as job_status, count(*)
        from job_distributions d join job_openings j on j.id = d.job_posting_id
        where d.career_site_id in (select id from sites) group by 1, 2, 3, 4)`,
  })
  const [total, sitesJson, groupsJson] = value as readonly [string, Cell, Cell]
  const groups = Map.groupBy(JSON.parse(groupsJson ?? '[]') as GroupCells[], ([siteId]) => siteId)
  const sites = (JSON.parse(sitesJson ?? '[]') as SiteCells[]).map(
    ([id, slug, name, isActive, domain, brandColor, accentColor]) => ({
      id,
      slug,
      name,
      brandColor,
      accentColor,
      isActive: isActive === 1,
      customDomain: hostName(domain ?? undefined),
      locales: localesOf(groups.get(id) ?? []),
    }),
  )
  return { version, value: { total: Number(total), sites } }
}

/** More sites cannot exist, and PostgreSQL accepts no larger offset than 64 bits. */
const maxOffset = 2n ** 62n

const localesOf = (cells: readonly GroupCells[]): readonly LocaleGroups[] =>
  [...Map.groupBy(cells, ([, locale]) => locale)]
    .map(([locale, ofLocale]) => ({
      locale,
      hasPages: ofLocale.some(([, , status]) => status !== draftStatus),
      groups: ofLocale.map(([, , status, jobStatus, count]) => ({
        status,
        jobStatus,
        count,
        publication: publicationOf(status, jobStatus),
      })),
    }))
    .sort((a, b) => countOf(b.groups) - countOf(a.groups) || (a.locale < b.locale ? -1 : 1))

export const countOf = (groups: readonly StatusGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0)
