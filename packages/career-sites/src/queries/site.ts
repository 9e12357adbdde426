/**
 * The tables of career sites and the domains of the sites. Nothing in this folder reads people, applications or the
 * number of filled positions.
 */
import type { Cell, Reader, Versioned } from '../reader.ts'
import { hostName } from '../urls.ts'

/** Every page of a career site is read from these tables, so it is current as long as none of them changes. */
export const careerTables = [
  'job_distributions',
  'job_openings',
  'career_sites',
  'recruitment_brands',
  'departments',
] as const

export const domainTables = ['career_sites'] as const

/** The slug of the active site with this host name as its domain. If several have it, the oldest one. */
export const readDomains = async (reader: Reader): Promise<Versioned<ReadonlyMap<string, string>>> => {
  const { version, value } = await reader.select({
    pool: 'read',
    name: 'career site domains',
    values: [],
    tables: domainTables,
    columns: `(select json_agg(json_build_array(custom_domain, slug) order by id desc)::text from career_sites
        where is_active = 1 and custom_domain is not null)`,
  })
  const [json] = value as readonly [Cell]
  const pairs = JSON.parse(json ?? '[]') as (readonly [string, string])[]
  return {
    version,
    value: new Map(
      pairs.flatMap(([domain, slug]) => (hostName(domain) === undefined ? [] : [[hostName(domain) as string, slug]])),
    ),
  }
}
