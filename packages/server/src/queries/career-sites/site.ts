/**
 * The tables of career sites and the domains of the sites. Nothing in this folder reads people, applications or the
 * number of filled positions.
 */
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
