/** The feeds of a career site: RSS, JSON Feed, jobs.xml, sitemap.xml and robots.txt. */
import { careersPath } from '../paths.ts'
import type { Posting, Site } from '../postings/posting.ts'
import type { SitePostings } from '../postings/site-postings.ts'
import type { PostingIndex } from '../queries/posting-index.ts'
import { readPostings } from '../queries/texts.ts'
import type { Reader } from '../reader.ts'
import type { FeedRoot } from '../rendering/feeds.ts'
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
} from '../rendering/feeds.ts'
import { loaded, maxPage, readPage, requireLocale } from './pages.ts'
import type { SiteReads } from './reads.ts'
import type { Headers, LoadedPage, PageResponse, SiteRequest, SiteResponse } from './response.ts'
import { NotFound, RecordsChanged } from './response.ts'

type Respond = (request: SiteRequest) => Promise<SiteResponse>

/** `publicUrl` is the URL at which the public reaches the server, without a slash at its end. */
export const openFeeds = (
  reads: SiteReads,
  publicUrl: string | undefined,
): Record<'rss' | 'jsonFeed' | 'jobBoard' | 'sitemap' | 'robots', Respond> => {
  /** Where the absolute URLs of a feed begin; undefined if the operator has configured no host for the site. */
  const configuredRoot = (site: Site): FeedRoot | undefined => {
    if (site.customDomain !== undefined) return { url: `https://${site.customDomain}/` }
    return publicUrl === undefined ? undefined : rootAt(publicUrl, site)
  }
  const rootOf = ({ origin }: SiteRequest, site: Site): FeedRoot => configuredRoot(site) ?? rootAt(origin, site)
  /** `load` renders the feed with the root of the site that it has read. */
  const feedResponse = async (
    request: SiteRequest,
    canonicalPath: string,
    load: (findRoot: (site: Site) => FeedRoot) => Promise<LoadedPage>,
  ): Promise<PageResponse> => {
    const { site: current } = (await reads.current(request.reader, request.target.site)).value
    const isCacheable = configuredRoot(current) !== undefined
    const findRoot = (site: Site): FeedRoot => {
      if (!isCacheable) return rootOf(request, site)
      const root = configuredRoot(site)
      // The domain of the site was removed since `current` was read.
      if (root === undefined) throw new RecordsChanged()
      return root
    }
    return { kind: 'page', canonicalPath, isCacheable, isCostly: true, load: () => load(findRoot) }
  }
  const feed =
    (name: string, render: typeof renderRss, maxPages: number): Respond =>
    async (request) => {
      const { reader, target, parameters } = request
      const { locale } = target
      const page = Math.min(readPage(parameters), maxPages)
      const canonicalPath = `${encodeURIComponent(locale)}/${name}${page === 1 ? '' : `?page=${page}`}`
      return feedResponse(request, canonicalPath, async (findRoot) => {
        const now = Date.now()
        const { index, value } = await reads.read(reader, target.site, (current) => {
          const all = current.visibleAt(now).in(locale).postings
          return readPostings(reader, all.slice((page - 1) * feedSize, page * feedSize))
        })
        const { version, value: postings } = index
        const { site } = postings
        requireLocale(site, locale)
        const visible = postings.visibleAt(now)
        const total = visible.in(locale).postings.length
        const rendered = render(site, locale, findRoot(site), { page, total, postings: value })
        return { version, ...loaded(rendered), rows: value.length, expiresAt: visible.expiresAt }
      })
    }
  /** All visible postings in all locales, by id. Each batch is current when it is read. */
  async function* readBatches(reader: Reader, first: PostingIndex): AsyncGenerator<readonly Posting[]> {
    const { slug } = first.value.site
    let index = first
    for (let lastId: number | undefined = 0; lastId !== undefined; ) {
      const after: number = lastId
      const result = await reads.read(reader, slug, (postings) => readBatch(reader, postings, after), index)
      index = result.index
      lastId = result.value.lastId
      yield result.value.postings
    }
  }
  return {
    rss: feed('rss.xml', renderRss, 1),
    jsonFeed: feed('jobs.json', renderJsonFeed, maxPage),
    async sitemap(request) {
      const { reader, target, parameters } = request
      const { value: current } = await reads.current(reader, target.site)
      if (configuredRoot(current.site) === undefined) {
        const { parts, rows } = findSitemap(current, rootOf(request, current.site), parameters)
        return { kind: 'stream', headers: uncached(sitemapHeaders), rows, open: async () => parts }
      }
      // Without a page it may be the index of sitemaps.
      const canonicalPath = parameters.has('page') ? `sitemap.xml?page=${readPage(parameters)}` : 'sitemap.xml'
      return feedResponse(request, canonicalPath, async (findRoot) => {
        const { version, value: postings } = await reads.current(reader, target.site)
        const sitemap = findSitemap(postings, findRoot(postings.site), parameters)
        return { version, headers: sitemapHeaders, ...sitemap }
      })
    },
    /** Streamed, because it has all texts of all postings. */
    async jobBoard(request) {
      const index = await reads.current(request.reader, request.target.site)
      const { site } = index.value
      const root = rootOf(request, site)
      const entriesOf = (postings: readonly Posting[]) =>
        postings.map((posting) => jobBoardEntry(site, root, posting)).join('')
      const open = async () => {
        const batches = readBatches(request.reader, index)
        const first = await batches.next()
        return (async function* () {
          yield jobBoardStart(site, root) + (first.done ? '' : entriesOf(first.value))
          for await (const postings of batches) yield entriesOf(postings)
          yield jobBoardEnd
        })()
      }
      const headers = configuredRoot(site) === undefined ? uncached(jobBoardHeaders) : jobBoardHeaders
      return { kind: 'stream', headers, rows: undefined, open }
    },
    /** Only at the domain of a site: a host has one robots.txt. */
    async robots({ reader, target }) {
      const load = async () => {
        const { version, value } = await reads.current(reader, target.site)
        const root = configuredRoot(value.site)
        if (root === undefined) throw new RecordsChanged()
        return { version, ...loaded(renderRobots(root)), rows: 0, expiresAt: undefined }
      }
      return { kind: 'page', canonicalPath: 'robots.txt', isCacheable: true, isCostly: false, load }
    },
  }
}

const rootAt = (origin: string, { slug }: Site): FeedRoot => ({
  url: `${origin}${careersPath}/${encodeURIComponent(slug)}/`,
})

const uncached = (headers: Headers): Headers => ({ ...headers, 'cache-control': 'no-store' })

/** Postings in one query of jobs.xml, and bytes of their texts. */
const batchSize = 250
const maxBatchBytes = 500_000

/** The postings after this id, and the last id of the batch; undefined if there are no more. */
const readBatch = async (reader: Reader, postings: SitePostings, after: number) => {
  const all = postings.visibleAt(Date.now()).all()
  const start = all.findIndex(({ id }) => id > after)
  const batch = start === -1 ? [] : all.slice(start, start + batchSize)
  const { version, value } = await readPostings(reader, batch, maxBatchBytes)
  const isLast = batch.length < batchSize && value.length === batch.length
  return { version, value: { postings: value, lastId: isLast ? undefined : batch[value.length - 1]?.id } }
}

/** The requested sitemap, or the index of sitemaps if there are several and the request names none. */
const findSitemap = (postings: SitePostings, root: FeedRoot, parameters: SiteRequest['parameters']) => {
  const { site } = postings
  const visible = postings.visibleAt(Date.now())
  const all = visible.all()
  // The pages of lists count too, and are on the first sitemap.
  const limit = maxSitemapUrls - site.locales.length
  const pages = Math.ceil(all.length / limit)
  const page = readPage(parameters)
  // A sitemap without a URL is not valid.
  if (page > Math.max(pages, 1)) throw new NotFound()
  const shown = all.slice((page - 1) * limit, page * limit)
  const isIndex = pages > 1 && !parameters.has('page')
  const parts = isIndex ? renderSitemapIndex(root, pages) : renderSitemap(site, root, shown, page === 1)
  return { parts, rows: shown.length, expiresAt: visible.expiresAt }
}
