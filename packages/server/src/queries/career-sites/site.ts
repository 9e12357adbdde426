/** The site, its brands and its domain. Nothing in this folder reads people, applications or the number of filled places. */
import type { Brand, Site } from '../../career-sites/posting.ts'
import { parseBrandSettings } from '../../career-sites/settings.ts'
import { hostName } from '../../career-sites/urls.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import type { TableSource } from '../../postgres/sql/statement.ts'
import { tableKey, versionedSelect } from '../../postgres/sql/statement.ts'

/** Every page of a career site is read from these tables, so it is current as long as none of them changes. */
export const careerTables: TableSource = {
  table: 'job_distributions',
  joinedTables: ['job_openings', 'career_sites', 'recruitment_brands', 'departments'],
}
export const careerTablesKey = tableKey(careerTables)

const domainTables: TableSource = { table: 'career_sites' }
export const domainTablesKey = tableKey(domainTables)

/** A result with the version of the tables that it was read at. */
export interface Versioned<T> {
  readonly version: string
  readonly value: T
}

/** A column that may be null. */
export type Cell = string | null
const optional = (cell: Cell | undefined): string | undefined => cell ?? undefined

/** Locales count as published from the first posting that is not a draft on. */
const siteColumns = `
  (select json_build_array(s.id::text, s.slug, s.name, s.headline, s.introduction, s.brand_color, s.accent_color, s.logo_url,
     s.privacy_policy_url, s.custom_domain)::text from site s),
  (select json_agg(locale order by postings desc, locale)::text from (
     select d.locale, count(*) as postings from job_distributions d
     where d.career_site_id = (select id from site) and d.status <> 'draft' group by d.locale) used),
  (select json_agg(json_build_array(b.id::text, b.name, b.logo_url, b.settings_json))::text from recruitment_brands b
   where b.id in (select distinct d.brand_id from job_distributions d where d.career_site_id = (select id from site)))`

/** The active site with this slug, with its brands and locales; undefined if there is none. */
export const readSite = async (reader: Runner, slug: string): Promise<Versioned<Site | undefined>> => {
  const [row] = await reader.run({
    pool: 'read',
    name: 'career site',
    values: [slug],
    ...versionedSelect(careerTables, siteColumns, {
      queries: `site as (select * from career_sites where slug = $1 and is_active = 1)`,
    }),
  })
  const [version, siteJson, localesJson, brandsJson] = row as readonly [string, Cell, Cell, Cell]
  if (siteJson === null) return { version, value: undefined }
  const [id, siteSlug, name, headline, introduction, brandColor, accentColor, logoUrl, privacyUrl, customDomain] =
    JSON.parse(siteJson) as Cell[]
  const locales = JSON.parse(localesJson ?? '[]') as string[]
  const brands = JSON.parse(brandsJson ?? '[]') as (readonly [string, string, Cell, Cell])[]
  const value: Site = {
    id: id as string,
    slug: siteSlug as string,
    name: name as string,
    headline: optional(headline),
    introduction: optional(introduction),
    brandColor: optional(brandColor),
    accentColor: optional(accentColor),
    logoUrl: optional(logoUrl),
    privacyUrl: optional(privacyUrl),
    customDomain: hostName(optional(customDomain)),
    locales: locales.length === 0 ? ['en'] : locales,
    brands: new Map(brands.map(brandEntry)),
  }
  return { version, value }
}

const brandEntry = ([id, name, logoUrl, json]: readonly [string, string, Cell, Cell]): [string, Brand] => [
  id,
  { name, logoUrl: optional(logoUrl), settings: parseBrandSettings(optional(json)).settings },
]

/** The slug of the active site with this host name as its domain. If several have it, the oldest one. */
export const readDomains = async (reader: Runner): Promise<Versioned<ReadonlyMap<string, string>>> => {
  const [row] = await reader.run({
    pool: 'read',
    name: 'career site domains',
    values: [],
    ...versionedSelect(
      domainTables,
      `(select json_agg(json_build_array(custom_domain, slug) order by id desc)::text from career_sites
        where is_active = 1 and custom_domain is not null)`,
    ),
  })
  const [version, json] = row as readonly [string, Cell]
  const pairs = JSON.parse(json ?? '[]') as (readonly [string, string])[]
  return {
    version,
    value: new Map(
      pairs.flatMap(([domain, slug]) => (hostName(domain) === undefined ? [] : [[hostName(domain) as string, slug]])),
    ),
  }
}
