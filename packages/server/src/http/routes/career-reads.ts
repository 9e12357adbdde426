/** Reads of career sites: from the index of the site, through the response cache, and by the domain of a site. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '../../career-sites/frame.ts'
import type { SitePostings } from '../../career-sites/site-postings.ts'
import { hostName } from '../../career-sites/urls.ts'
import { Problem } from '../../errors.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import type { PostingIndex } from '../../queries/career-sites/posting-index.ts'
import type { Versioned } from '../../queries/career-sites/site.ts'
import { careerTablesKey, domainTablesKey, readDomains } from '../../queries/career-sites/site.ts'
import { cacheKey } from '../cache/response-cache.ts'
import type { Dependencies } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import { sendEncoded } from '../response/static-body.ts'
import { sendReply } from './read.ts'

/** A result that has the version of the index. */
export interface CareerResult<T> {
  readonly index: PostingIndex
  readonly value: T
}

export interface LoadedPage {
  readonly version: string
  readonly page: Page
  readonly rows: number
  readonly expiresAt: number | undefined
}

export interface CareerReads {
  /** The current index of the active site with this slug. Throws `not_found` if there is none. */
  current(request: FastifyRequest, slug: string): Promise<PostingIndex>
  /**
   * Calls `read` with the postings of the site, and again if they turn out to be of another version than the result.
   * While records are written all the time, postings and result can stay of different versions; both then have every
   * write that was committed before the call. `index` saves loading it if it is not stored.
   */
  read<T>(
    request: FastifyRequest,
    slug: string,
    read: (runner: Runner, postings: SitePostings) => Promise<Versioned<T>>,
    index?: PostingIndex,
  ): Promise<CareerResult<T>>
  /** Sends the page from the cache or loads it; `variant` is what it depends on besides its URL. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    variant: string | undefined,
    load: () => Promise<LoadedPage>,
  ): Promise<FastifyReply>
  /** Sends a page that depends on headers of the request. No cache stores it, neither this one nor a shared one. */
  sendUncached(request: FastifyRequest, reply: FastifyReply, load: () => Promise<LoadedPage>): Promise<FastifyReply>
  /** The slug of the site whose domain the Host header names; undefined if it is no site's. */
  slugOfHost(request: FastifyRequest): Promise<string | undefined>
}

/** How often the index is loaded because a record changed between it and the statement. */
const maxLoads = 3

export const openCareerReads = ({ reader, cache, postingIndexes, admission }: Dependencies): CareerReads => {
  let domains: Versioned<ReadonlyMap<string, string>> | undefined
  const runnerOf = (request: FastifyRequest): Runner => reader.forClient(admission.clientOf(request.raw))
  const load = async (runner: Runner, slug: string): Promise<PostingIndex> => {
    const index = await postingIndexes.load(runner, slug)
    if (index === undefined) throw new Problem('not_found')
    return index
  }
  return {
    async current(request, slug) {
      const stored = postingIndexes.get(slug)
      if (stored !== undefined && stored.version === (await cache.versionOf(careerTablesKey))) return stored
      return load(runnerOf(request), slug)
    },
    async read(request, slug, read, given) {
      const runner = runnerOf(request)
      let index = given ?? postingIndexes.get(slug) ?? (await load(runner, slug))
      for (let loads = 0; ; loads += 1) {
        const { version, value } = await read(runner, index.value)
        if (version === index.version || loads === maxLoads) return { index, value }
        index = await load(runner, slug)
      }
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
        .catch(onlyMissingPage)
      if (result instanceof MissingPage) return sendMissing(request, reply, result)
      const response = 'notModified' in result ? result.notModified : await result.entry.replyTo(context)
      if ('notModified' in result || response.status === 304) context.log = { cache: 'not_modified', rows: 0 }
      else context.log = { cache: result.isHit ? 'hit' : 'miss', rows: result.entry.rows }
      return sendReply(reply, response)
    },
    async sendUncached(request, reply, load) {
      const result = await load().catch(onlyMissingPage)
      if (result instanceof MissingPage) return sendMissing(request, reply, result)
      const { page, rows } = result
      contextOf(request.raw).log = { cache: 'none', rows }
      return sendEncoded(request, reply.headers({ ...page.headers, 'cache-control': 'no-store' }), page.text)
    },
    async slugOfHost(request) {
      const host = hostName(request.headers.host?.replace(/:\d*$/, ''))
      if (host === undefined) return undefined
      try {
        if (domains?.version !== (await cache.versionOf(domainTablesKey)))
          domains = await readDomains(runnerOf(request))
      } catch (error) {
        // Without the database the domains read last count: other hosts get 404 for an unknown path, not 503.
        if (!(error instanceof Problem && ['database_unavailable', 'query_timeout'].includes(error.code))) throw error
      }
      return domains?.value.get(host)
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

/** Returns the error if it is a missing page, and throws every other error again. */
const onlyMissingPage = (error: unknown): MissingPage => {
  if (error instanceof MissingPage) return error
  throw error
}

const sendMissing = (
  request: FastifyRequest,
  reply: FastifyReply,
  { page, status }: MissingPage,
): Promise<FastifyReply> => sendEncoded(request, reply.code(status).headers(page.headers), page.text)
