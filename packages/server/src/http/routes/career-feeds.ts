/** The feeds of a career site: RSS, JSON Feed, jobs.xml, sitemap.xml and robots.txt. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { createBrotliCompress, createGzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FeedRoot } from '../../career-sites/feeds.ts'
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
  sitemapHeaders,
} from '../../career-sites/feeds.ts'
import { careersPath } from '../../career-sites/paths.ts'
import type { Posting, Site } from '../../career-sites/posting.ts'
import type { SitePostings } from '../../career-sites/site-postings.ts'
import { overloaded, Problem } from '../../errors.ts'
import { openAdmissionQueue } from '../../postgres/connection/admission-queue.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import type { PostingIndex } from '../../queries/career-sites/posting-index.ts'
import { readPostings } from '../../queries/career-sites/texts.ts'
import { collectPieces, textInSlices } from '../../slices.ts'
import type { Dependencies } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import type { Parameters } from '../request/query-string.ts'
import { parseQuery } from '../request/query-string.ts'
import { sendEncoded } from '../response/static-body.ts'
import type { CareerReads, LoadedPage } from './career-reads.ts'
import type { Send, Target } from './career-target.ts'
import { maxPage, queryIn, readPage, requireLocale, variantOf } from './career-target.ts'

const rootAt = (origin: string, { slug }: Site): FeedRoot => ({
  url: `${origin}${careersPath}/${encodeURIComponent(slug)}/`,
})

/** Where the absolute URLs of a feed begin; undefined if the operator has configured no host for the site. */
const configuredRoot = (site: Site, publicUrl: string | undefined): FeedRoot | undefined => {
  if (site.customDomain !== undefined) return { url: `https://${site.customDomain}/` }
  return publicUrl === undefined ? undefined : rootAt(publicUrl, site)
}

/** On the host of the request. `protocol` is that of X-Forwarded-Proto if the client is a trusted proxy. */
const requestedRoot = ({ protocol, headers }: FastifyRequest, site: Site): FeedRoot =>
  rootAt(`${protocol === 'https' ? 'https' : 'http'}://${headers.host ?? ''}`, site)

/** Postings in one statement of jobs.xml, and bytes of their texts. */
const batchSize = 250
const maxBatchBytes = 500_000

/** The postings after this id, and the last id of the batch; undefined if there are no more. */
const readBatch = async (runner: Runner, postings: SitePostings, after: number) => {
  const all = postings.visibleAt(Date.now()).all()
  const start = all.findIndex(({ id }) => id > after)
  const batch = start === -1 ? [] : all.slice(start, start + batchSize)
  const { version, value } = await readPostings(runner, batch, maxBatchBytes)
  const isLast = batch.length < batchSize && value.length === batch.length
  return { version, value: { postings: value, lastId: isLast ? undefined : batch[value.length - 1]?.id } }
}

/** Feeds that a process renders at the same time, and that it streams. A client has at most two of each. */
const maxRenderings = 3
const maxStreams = 3

type FeedSenders = Record<'rss' | 'jsonFeed' | 'jobBoard' | 'sitemap' | 'robots', Send>

export const openCareerFeeds = (reads: CareerReads, { publicUrl, admission }: Dependencies): FeedSenders => {
  const renderings = openAdmissionQueue(maxRenderings)
  const streams = openAdmissionQueue(maxStreams)
  const shareOf = (request: FastifyRequest) => ({ client: admission.clientOf(request.raw), tables: [] })
  /** Waits for a slot, which is free again when the response is closed. */
  const takeSlot = (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const holdUntilClosed = async (): Promise<void> => {
      resolve()
      if (!reply.raw.closed) await once(reply.raw, 'close')
    }
    streams.run(shareOf(request), holdUntilClosed).catch(reject)
    return promise
  }
  const rootOf = (request: FastifyRequest, site: Site): FeedRoot =>
    configuredRoot(site, publicUrl) ?? requestedRoot(request, site)
  /** Stores the page only if its URLs do not depend on the request. */
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    target: Target,
    load: (findRoot: (site: Site) => FeedRoot) => Promise<LoadedPage>,
  ): Promise<FastifyReply> => {
    const { site: current } = (await reads.current(request, target.site)).value
    const render = (findRoot: (site: Site) => FeedRoot) => renderings.run(shareOf(request), () => load(findRoot))
    if (configuredRoot(current, publicUrl) === undefined)
      return reads.sendUncached(request, reply, () =>
        render((site) => {
          // Nothing is rendered for a client that left while it waited.
          if (reply.raw.closed) throw overloaded()
          return rootOf(request, site)
        }),
      )
    return reads.send(request, reply, variantOf(target), () =>
      render((site) => {
        const root = configuredRoot(site, publicUrl)
        // The domain of the site was removed since `current` was read: 503 asks the client to repeat the request.
        if (root === undefined) throw overloaded()
        return root
      }),
    )
  }
  const feed =
    (render: typeof renderRss, maxPages: number): Send =>
    async (request, reply, target) => {
      const page = Math.min(readPage(parseQuery(queryIn(request))), maxPages)
      const { locale } = target
      return send(request, reply, target, async (findRoot) => {
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
        const rendered = render(site, locale, findRoot(site), { page, total, postings: value })
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
      const { value: current } = await reads.current(request, target.site)
      if (configuredRoot(current.site, publicUrl) === undefined) {
        const { parts, rows } = findSitemap(current, requestedRoot(request, current.site), parameters)
        await takeSlot(request, reply)
        contextOf(request.raw).log = { cache: 'none', rows }
        return sendStream(
          request,
          reply.headers({ ...sitemapHeaders, 'cache-control': 'no-store' }),
          textInSlices(parts),
        )
      }
      return send(request, reply, target, async (findRoot) => {
        const { version, value: postings } = await reads.current(request, target.site)
        const { parts, rows, expiresAt } = findSitemap(postings, findRoot(postings.site), parameters)
        const pieces = await collectPieces(textInSlices(parts))
        return { version, page: { text: pieces.join(''), headers: sitemapHeaders }, rows, expiresAt }
      })
    },
    /** Streamed, because it has all texts of all postings, and not stored. */
    async jobBoard(request, reply, target) {
      const index = await reads.current(request, target.site)
      const { site } = index.value
      await takeSlot(request, reply)
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
      const isCacheable = configuredRoot(site, publicUrl) !== undefined
      reply.headers(isCacheable ? jobBoardHeaders : { ...jobBoardHeaders, 'cache-control': 'no-store' })
      return sendStream(request, reply, parts())
    },
    /** Only at the domain of a site: a host has one robots.txt. */
    async robots(request, reply, target) {
      const index = await reads.current(request, target.site)
      const { text, headers } = renderRobots(rootOf(request, index.value.site))
      return sendEncoded(request, reply.headers(headers), text)
    },
  }
}

/** The requested sitemap, or the index of sitemaps if there are several and the request names none. */
const findSitemap = (postings: SitePostings, root: FeedRoot, parameters: Parameters) => {
  const { site } = postings
  const visible = postings.visibleAt(Date.now())
  const all = visible.all()
  // The pages of lists count too, and are on the first sitemap.
  const limit = maxSitemapUrls - site.locales.length
  const pages = Math.ceil(all.length / limit)
  const page = readPage(parameters)
  // A sitemap without a URL is not valid.
  if (page > Math.max(pages, 1)) throw new Problem('not_found')
  const shown = all.slice((page - 1) * limit, page * limit)
  const isIndex = pages > 1 && !parameters.has('page')
  const parts = isIndex ? renderSitemapIndex(root, pages) : renderSitemap(site, root, shown, page === 1)
  return { parts, rows: shown.length, expiresAt: visible.expiresAt }
}

const sendStream = (request: FastifyRequest, reply: FastifyReply, parts: AsyncIterable<string>): FastifyReply => {
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const { encoding } = contextOf(request.raw)
  const source = Readable.from(parts, { objectMode: false })
  if (encoding === 'identity') return reply.send(source)
  const compressor =
    encoding === 'br' ? createBrotliCompress({ params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } }) : createGzip({ level: 6 })
  source.once('error', (error) => compressor.destroy(error))
  compressor.once('close', () => source.destroy())
  return reply.header('content-encoding', encoding).send(source.pipe(compressor))
}
