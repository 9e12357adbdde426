/**
 * Career sites: pages and feeds for the public, from the postings that are visible now. The same pages are at
 * /careers/{site}/ and at the root of the site's own domain.
 */
import { openPostingIndexes } from './queries/posting-indexes.ts'
import { domainTables, readDomains } from './queries/site.ts'
import type { Reader, Versioned } from './reader.ts'
import { openFeeds } from './responses/feeds.ts'
import { openPages } from './responses/pages.ts'
import type { VersionOf } from './responses/reads.ts'
import { openSiteReads } from './responses/reads.ts'
import type { SiteRequest, SiteResponse } from './responses/response.ts'
import { hostName } from './urls.ts'

export interface CareerSitesOptions {
  /** Returns the current version of these tables. */
  readonly versionOf: VersionOf
  /** Whether an error means that the database does not respond now. */
  readonly isOutage: (error: unknown) => boolean
  /** How many bytes of memory the postings of sites may take. */
  readonly maxBytes: number
  /** The URL at which the public reaches the server, without a slash at its end. */
  readonly publicUrl: string | undefined
}

export type ResponseName = 'start' | 'list' | 'job' | 'rss' | 'jsonFeed' | 'jobBoard' | 'sitemap' | 'robots'

export interface CareerSites {
  /** Throws `NotFound` if there is no such site. */
  respond(name: ResponseName, request: SiteRequest): Promise<SiteResponse>
  /** The slug of the site whose domain a Host header names; undefined if it is no site's. */
  slugOfHost(reader: Reader, host: string | undefined): Promise<string | undefined>
}

/** The responses by path below /careers/{site}. */
export const siteRoutes: Readonly<Record<string, ResponseName>> = {
  '': 'start',
  '/jobs.xml': 'jobBoard',
  '/sitemap.xml': 'sitemap',
  '/:locale': 'list',
  '/:locale/rss.xml': 'rss',
  '/:locale/jobs.json': 'jsonFeed',
  '/:locale/:slug': 'job',
}

/** The response at the domain of a site, by the first two segments of the path. */
export const responseAtDomain = (locale: string, slug: string): ResponseName => {
  if (slug === 'rss.xml') return 'rss'
  if (slug === 'jobs.json') return 'jsonFeed'
  if (slug !== '') return 'job'
  switch (locale) {
    case '':
      return 'start'
    case 'robots.txt':
      return 'robots'
    case 'sitemap.xml':
      return 'sitemap'
    case 'jobs.xml':
      return 'jobBoard'
    default:
      return 'list'
  }
}

export const openCareerSites = ({ versionOf, isOutage, maxBytes, publicUrl }: CareerSitesOptions): CareerSites => {
  const reads = openSiteReads(openPostingIndexes(maxBytes), versionOf)
  const responses = { ...openPages(reads), ...openFeeds(reads, publicUrl) }
  let domains: Versioned<ReadonlyMap<string, string>> | undefined
  return {
    respond: (name, request) => responses[name](request),
    async slugOfHost(reader, host) {
      const name = hostName(host?.replace(/:\d*$/, ''))
      if (name === undefined) return undefined
      try {
        if (domains?.version !== (await versionOf(domainTables))) domains = await readDomains(reader)
      } catch (error) {
        // Without the database the domains read last count: other hosts get 404 for an unknown path, not 503.
        if (!isOutage(error)) throw error
      }
      return domains?.value.get(name)
    },
  }
}
