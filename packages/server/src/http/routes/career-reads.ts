/** Reads of career sites: with the settings of the site, through the response cache, and by the domain of a site. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Page } from '../../career-sites/frame.ts'
import type { Site } from '../../career-sites/posting.ts'
import { hostName } from '../../career-sites/urls.ts'
import { overloaded, Problem } from '../../errors.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import type { Versioned } from '../../queries/career-sites/site.ts'
import { careerTablesKey, domainTablesKey, readDomains, readSite } from '../../queries/career-sites/site.ts'
import { cacheKey } from '../cache/response-cache.ts'
import type { Dependencies } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import { sendEncoded } from '../response/static-body.ts'
import { sendReply } from './read.ts'

/** What a page was made from. */
export interface CareerResult<T> extends Versioned<T> {
  readonly site: Site
}

export interface LoadedPage {
  readonly version: string
  readonly page: Page
  readonly rows: number
  readonly expiresAt: number | undefined
}

export interface CareerReads {
  /** The active site with this slug, read now. Throws `not_found` if there is none. */
  readSite(request: FastifyRequest, slug: string): Promise<Site>
  /** Calls `read` with the settings of the site, and again if they turn out to be of another version than the result. */
  read<T>(
    request: FastifyRequest,
    slug: string,
    read: (runner: Runner, site: Site) => Promise<Versioned<T>>,
  ): Promise<CareerResult<T>>
  /** Sends the page from the cache or loads it; `variant` is what it depends on besides its URL. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    variant: string | undefined,
    load: () => Promise<LoadedPage>,
  ): Promise<FastifyReply>
  runnerOf(request: FastifyRequest): Runner
  /** The slug of the site whose domain the Host header names; undefined if it is no site's. */
  slugOfHost(request: FastifyRequest): Promise<string | undefined>
}

/** Number of sites whose settings stay in memory. */
const maxSites = 100
/** How often a page is read again because a record changed between the two statements that it consists of. */
const maxAttempts = 4

export const openCareerReads = ({ reader, cache, admission }: Dependencies): CareerReads => {
  const sites = new LRUCache<string, Versioned<Site>>({ max: maxSites })
  let domains: Versioned<ReadonlyMap<string, string>> | undefined
  const runnerOf = (request: FastifyRequest): Runner => reader.forClient(admission.clientOf(request.raw))
  const loadSite = async (runner: Runner, slug: string): Promise<Versioned<Site>> => {
    const { version, value } = await readSite(runner, slug)
    if (value === undefined) {
      sites.delete(slug)
      throw new Problem('not_found')
    }
    const loaded = { version, value }
    sites.set(slug, loaded)
    return loaded
  }
  return {
    runnerOf,
    readSite: async (request, slug) => (await loadSite(runnerOf(request), slug)).value,
    async read(request, slug, read) {
      const runner = runnerOf(request)
      let site = sites.get(slug) ?? (await loadSite(runner, slug))
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const result = await read(runner, site.value)
        if (result.version === site.version) return { ...result, site: site.value }
        site = await loadSite(runner, slug)
      }
      throw overloaded()
    },
    async send(request, reply, variant, load) {
      const context = contextOf(request.raw)
      const url = request.raw.url ?? ''
      const result = await cache
        .getOrLoad(
          {
            // Pages are public in every mode. Requests without a token use the same key as the fast path.
            key: cacheKey(context.visibility ?? 'redacted', url, variant),
            tables: careerTablesKey,
            route: request.routeOptions.url ?? '',
            client: context,
            isExpensive: !url.includes('?'),
            canExpire: true,
          },
          async () => {
            const { page, ...loaded } = await load()
            return { ...loaded, pieces: [page.text], headers: page.headers }
          },
        )
        .catch((error: unknown) => {
          if (error instanceof MissingPage) return error
          throw error
        })
      if (result instanceof MissingPage)
        return sendEncoded(request, reply.code(result.status).headers(result.page.headers), result.page.text)
      const response = 'notModified' in result ? result.notModified : await result.entry.replyTo(context)
      if ('notModified' in result || response.status === 304) context.log = { cache: 'not_modified', rows: 0 }
      else context.log = { cache: result.isHit ? 'hit' : 'miss', rows: result.entry.rows }
      return sendReply(reply, response)
    },
    async slugOfHost(request) {
      const host = hostName(request.headers.host?.replace(/:\d*$/, ''))
      if (host === undefined) return undefined
      if (domains?.version !== (await cache.versionOf(domainTablesKey))) domains = await readDomains(runnerOf(request))
      return domains.value.get(host)
    },
  }
}

/** An error page, thrown because only pages with status 200 are stored in the cache. */
export class MissingPage extends Error {
  readonly page: Page
  readonly status: 404 | 410

  constructor(page: Page, status: 404 | 410) {
    super('The page does not exist.')
    this.page = page
    this.status = status
  }
}
