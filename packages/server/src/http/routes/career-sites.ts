/**
 * Career sites: pages and feeds for the public, rendered from the postings that are visible now. The same pages are at
 * /careers/{site}/ and at the root of the site's own domain.
 */
import { Readable } from 'node:stream'
import { createBrotliCompress, createGzip, constants as zlib } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FeedRoot, SitemapEntry } from '../../career-sites/feeds.ts'
import {
  feedSize,
  jobBoardEnd,
  jobBoardEntry,
  jobBoardHeaders,
  jobBoardStart,
  maxSitemapUrls,
  renderJsonFeed,
  renderRobots,
  renderRss,
  renderSitemap,
  renderSitemapIndex,
} from '../../career-sites/feeds.ts'
import { chooseLocale } from '../../career-sites/locales.ts'
import { filterParameters, pageSize, renderError, renderJob, renderList } from '../../career-sites/pages.ts'
import { careersPath } from '../../career-sites/paths.ts'
import type { ListFilters, Posting, Site } from '../../career-sites/posting.ts'
import type { IndexedPosting, SitePostings } from '../../career-sites/site-postings.ts'
import { dayText, filterPostings } from '../../career-sites/site-postings.ts'
import { Problem } from '../../errors.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import type { PostingIndex } from '../../queries/career-sites/posting-index.ts'
import { findJobs, readJob, readPostings } from '../../queries/career-sites/texts.ts'
import { allowSlowReader } from '../connection/connections.ts'
import type { Dependencies } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import type { Parameters } from '../request/query-string.ts'
import { parseQuery, percentDecode } from '../request/query-string.ts'
import { sendEncoded } from '../response/static-body.ts'
import type { CareerReads } from './career-reads.ts'
import { MissingPage, openCareerReads } from './career-reads.ts'
import type { Handler } from './route.ts'
import { addRoute } from './route.ts'

/** What a URL names, decoded, and how it was requested. */
interface Target {
  readonly site: string
  readonly locale: string
  readonly slug: string
  /** Whether the URL is at the root of the site's own domain. */
  readonly isOwnDomain: boolean
}

type Send = (request: FastifyRequest, reply: FastifyReply, target: Target) => Promise<FastifyReply>

export interface CareerSites {
  addRoutes(app: FastifyInstance): void
  /** Responds to a request to the domain of a site. Undefined if the host or the path is no site's. */
  sendAtDomain(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>
}

export const openCareerSites = (dependencies: Dependencies): CareerSites => {
  const { limits } = dependencies
  const reads = openCareerReads(dependencies)
  const senders = { ...openPages(reads), ...openFeeds(reads) }
  const handle = (send: Send): Handler => ({
    handle: async (request, reply) => {
      await limits.countRead(request, reply)
      const { site = '', locale = '', slug = '' } = request.params as Partial<Target>
      return send(request, reply, {
        site: withoutNul(site),
        locale: withoutNul(locale),
        slug: withoutNul(slug),
        isOwnDomain: false,
      })
    },
  })
  return {
    addRoutes(app) {
      const site = `${careersPath}/:site`
      addRoute(app, site, { GET: handle(senders.redirect) })
      addRoute(app, `${site}/jobs.xml`, { GET: handle(senders.jobBoard) })
      addRoute(app, `${site}/sitemap.xml`, { GET: handle(senders.sitemap) })
      addRoute(app, `${site}/:locale`, { GET: handle(senders.list) })
      addRoute(app, `${site}/:locale/rss.xml`, { GET: handle(senders.rss) })
      addRoute(app, `${site}/:locale/jobs.json`, { GET: handle(senders.jsonFeed) })
      addRoute(app, `${site}/:locale/:slug`, { GET: handle(senders.job) })
    },
    async sendAtDomain(request, reply) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
      const site = await reads.slugOfHost(request)
      if (site === undefined) return undefined
      const [locale = '', slug = '', ...rest] = segmentsOf(request)
      const send = rest.length > 0 ? undefined : senders[senderNameAt(locale, slug)]
      if (send === undefined) return undefined
      await limits.countRead(request, reply)
      return send(request, reply, { site, locale, slug, isOwnDomain: true })
    },
  }
}

const senderNameAt = (locale: string, slug: string) => {
  if (slug === 'rss.xml') return 'rss'
  if (slug === 'jobs.json') return 'jsonFeed'
  if (slug !== '') return 'job'
  switch (locale) {
    case '':
      return 'redirect'
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

/** Pages at the own domain are stored apart: the fast path knows URLs only, and these URLs mean nothing elsewhere. */
const variantOf = ({ site, isOwnDomain }: Target): string | undefined => (isOwnDomain ? `own ${site}` : undefined)

const maxOthers = 5

const openPages = (reads: CareerReads): Record<'redirect' | 'list' | 'job', Send> => {
  /** The postings of a site and the jobs that contain the words; undefined if there are no words. */
  const search = async (request: FastifyRequest, slug: string, words: string) => {
    if (words !== '') return reads.read(request, slug, (runner) => findJobs(runner, words))
    return { index: await reads.current(request, slug), value: undefined }
  }
  return {
    async redirect(request, reply, { site: slug, isOwnDomain }) {
      const { site } = (await reads.current(request, slug)).value
      const locale = chooseLocale(request.headers['accept-language'], site.locales) ?? 'en'
      const parent = isOwnDomain || hasTrailingSlash(request) ? '' : `${encodeURIComponent(slug)}/`
      const location = `${parent}${encodeURIComponent(locale)}/`
      return reply.code(302).headers({ location, vary: 'accept-language', 'cache-control': 'no-cache' }).send()
    },
    async list(request, reply, target) {
      // Encoded: "http:evil.example" as it was sent would be a URL of another host.
      if (!hasTrailingSlash(request)) return redirectTo(request, reply, `${encodeURIComponent(target.locale)}/`)
      const parameters = parseQuery(queryIn(request))
      const filters = readFilters(parameters)
      const page = readPage(parameters)
      const { locale } = target
      return reads.send(request, reply, variantOf(target), async () => {
        const { index, value: jobIds } = await search(request, target.site, filters.words)
        const { version, value: postings } = index
        const { site } = postings
        requireLocale(site, locale)
        const visible = postings.visibleAt(Date.now())
        const { postings: all, choices } = visible.in(locale)
        const found = filterPostings(all, filters, jobIds)
        const shown = found.slice((page - 1) * pageSize, page * pageSize)
        const list = { total: found.length, postings: shown, choices, filters, page }
        const rendered = renderList(site, locale, list)
        if (page > 1 && shown.length === 0) throw new MissingPage(rendered, 404)
        return { version, page: rendered, rows: shown.length, expiresAt: visible.expiresAt }
      })
    },
    async job(request, reply, target) {
      const { locale, slug } = target
      if (hasTrailingSlash(request)) return redirectTo(request, reply, `../${encodeURIComponent(slug)}`)
      return reads.send(request, reply, variantOf(target), async () => {
        const now = Date.now()
        const { index, value } = await reads.read(request, target.site, (runner, current) =>
          readJob(runner, current, { locale, slug, now }),
        )
        const { posting, alternates, isGone } = value
        const { version, value: postings } = index
        const { site } = postings
        const visible = postings.visibleAt(now)
        const others = visible
          .in(locale)
          .postings.values()
          .filter(({ jobId }) => jobId !== alternates[0]?.jobId)
          .take(maxOthers)
          .toArray()
        if (posting === undefined) {
          const status = isGone ? 410 : 404
          throw new MissingPage(renderError(site, locale, { status, others: isGone ? others : [] }), status)
        }
        const page = renderJob(site, locale, { posting, alternates, others })
        return { version, page, rows: 1, expiresAt: visible.expiresAt }
      })
    },
  }
}

const requireLocale = (site: Site, locale: string): void => {
  if (!site.locales.includes(locale)) throw new MissingPage(renderError(site, locale, { status: 404, others: [] }), 404)
}

/** Feeds have absolute URLs: on the site's own domain if it has one, else on the host of the request. */
const rootOf = (request: FastifyRequest, { slug, customDomain }: Site): FeedRoot => ({
  url:
    customDomain === undefined
      ? `${request.protocol}://${request.host}${careersPath}/${encodeURIComponent(slug)}/`
      : `https://${customDomain}/`,
})

/** Postings in one statement of jobs.xml. Bounds the memory of a response and the time between two of its parts. */
const batchSize = 250

/** The postings after this id, and the last id of the batch; undefined if there are no more. */
const readBatch = async (runner: Runner, postings: SitePostings, after: number) => {
  const all = postings.visibleAt(Date.now()).all()
  const start = all.findIndex(({ id }) => id > after)
  const batch = start === -1 ? [] : all.slice(start, start + batchSize)
  const { version, value } = await readPostings(runner, batch)
  return { version, value: { postings: value, lastId: batch.length < batchSize ? undefined : batch.at(-1)?.id } }
}

const sitemapEntry = ({ locale, slug, postedMs }: IndexedPosting): SitemapEntry => ({
  locale,
  slug,
  modified: dayText(postedMs),
})

const openFeeds = (reads: CareerReads): Record<'rss' | 'jsonFeed' | 'jobBoard' | 'sitemap' | 'robots', Send> => {
  const variant = (request: FastifyRequest, target: Target): string =>
    `${variantOf(target) ?? 'at'} ${request.protocol} ${request.host}`
  const feed =
    (render: typeof renderRss, maxPages: number): Send =>
    async (request, reply, target) => {
      const page = Math.min(readPage(parseQuery(queryIn(request))), maxPages)
      const { locale } = target
      return reads.send(request, reply, variant(request, target), async () => {
        const now = Date.now()
        const { index, value } = await reads.read(request, target.site, (runner, current) => {
          const all = current.visibleAt(now).in(locale).postings
          return readPostings(runner, all.slice((page - 1) * feedSize, page * feedSize))
        })
        const { version, value: postings } = index
        const { site } = postings
        requireLocale(site, locale)
        const visible = postings.visibleAt(now)
        const total = visible.in(locale).postings.length
        const rendered = render(site, locale, rootOf(request, site), { page, total, postings: value })
        return { version, page: rendered, rows: value.length, expiresAt: visible.expiresAt }
      })
    }
  /** All visible postings in all locales, by id. Each batch is current when it is read. */
  async function* readBatches(request: FastifyRequest, first: PostingIndex): AsyncGenerator<readonly Posting[]> {
    const { slug } = first.value.site
    let index = first
    for (let lastId: number | undefined = 0; lastId !== undefined; ) {
      const after: number = lastId
      const result = await reads.read(request, slug, (runner, postings) => readBatch(runner, postings, after), index)
      index = result.index
      lastId = result.value.lastId
      yield result.value.postings
    }
  }
  return {
    rss: feed(renderRss, 1),
    jsonFeed: feed(renderJsonFeed, maxPage),
    async sitemap(request, reply, target) {
      const parameters = parseQuery(queryIn(request))
      const page = readPage(parameters)
      return reads.send(request, reply, variant(request, target), async () => {
        const { version, value: postings } = await reads.current(request, target.site)
        const { site } = postings
        const visible = postings.visibleAt(Date.now())
        const all = visible.all()
        // The pages of lists count too, and are on the first sitemap.
        const limit = maxSitemapUrls - site.locales.length
        const pages = Math.ceil(all.length / limit)
        const root = rootOf(request, site)
        const shown = all.slice((page - 1) * limit, page * limit)
        // A sitemap without a URL is not valid.
        if (page > Math.max(pages, 1)) throw new Problem('not_found')
        const rendered =
          pages > 1 && !parameters.has('page')
            ? renderSitemapIndex(root, pages)
            : renderSitemap(site, root, shown.map(sitemapEntry), page === 1)
        return { version, page: rendered, rows: shown.length, expiresAt: visible.expiresAt }
      })
    },
    /** Streamed, because it has all texts of all postings, and not stored. */
    async jobBoard(request, reply, target) {
      const index = await reads.current(request, target.site)
      const { site } = index.value
      const batches = readBatches(request, index)
      // An error of the first statement still has a status of its own.
      const first = await batches.next()
      const root = rootOf(request, site)
      const entriesOf = (postings: readonly Posting[]) =>
        postings.map((posting) => jobBoardEntry(site, root, posting)).join('')
      async function* parts() {
        yield jobBoardStart(site, root) + (first.done ? '' : entriesOf(first.value))
        for await (const postings of batches) yield entriesOf(postings)
        yield jobBoardEnd
      }
      allowSlowReader(reply.raw)
      reply.headers(jobBoardHeaders)
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const { encoding } = contextOf(request.raw)
      const source = Readable.from(parts(), { objectMode: false })
      if (encoding === 'identity') return reply.send(source)
      const compressor =
        encoding === 'br'
          ? createBrotliCompress({ params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } })
          : createGzip({ level: 6 })
      source.once('error', (error) => compressor.destroy(error))
      compressor.once('close', () => source.destroy())
      return reply.header('content-encoding', encoding).send(source.pipe(compressor))
    },
    /** Only at the domain of a site: a host has one robots.txt. */
    async robots(request, reply, target) {
      const index = await reads.current(request, target.site)
      const { text, headers } = renderRobots(rootOf(request, index.value.site))
      return sendEncoded(request, reply.headers(headers), text)
    },
  }
}

const maxFilterLength = 200
const maxPage = 10_000

/** A filter that is too long matches nothing, so it is cut: the page still shows what was searched for. */
const readFilters = (parameters: Parameters): ListFilters => {
  const read = (name: keyof ListFilters): string =>
    (parameters.get(filterParameters[name])?.text ?? '')
      .replaceAll('\0', '')
      .trim()
      .slice(0, maxFilterLength)
      .toWellFormed()
  return {
    words: read('words'),
    department: read('department'),
    contract: read('contract'),
    workplace: read('workplace'),
    place: read('place'),
  }
}

const readPage = (parameters: Parameters): number => {
  const text = parameters.get('page')?.text ?? ''
  return /^\d{1,5}$/.test(text) ? Math.min(Math.max(Number(text), 1), maxPage) : 1
}

/**
 * The path as it was sent: the router decodes it and ignores a slash at its end, but relative URLs depend on both.
 */
const pathIn = ({ raw }: FastifyRequest): string =>
  (raw.url ?? '').replace(/^\w+:\/\/[^/]*/, '').split('?', 1)[0] as string

/** Read from the URL: Fastify parses no query for a path without a route. */
const queryIn = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?').slice(1).join('?')

/** Decoded. A slash at the end adds no segment. */
const segmentsOf = (request: FastifyRequest): string[] => {
  const [, ...segments] = pathIn(request).split('/')
  if (segments.at(-1) === '') segments.pop()
  return segments.map((segment) => withoutNul(percentDecode(segment).text))
}

/** PostgreSQL has no text with U+0000. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd')

const hasTrailingSlash = (request: FastifyRequest): boolean => pathIn(request).endsWith('/')

const redirectTo = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply => {
  const query = queryIn(request)
  const location = query === '' ? path : `${path}?${query}`
  return reply.code(301).headers({ location, 'cache-control': 'no-cache' }).send()
}
