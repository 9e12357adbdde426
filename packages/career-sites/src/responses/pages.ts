/** The pages of a career site: the list of jobs and one page per job. */
import { chooseLocale } from '../locales/locales.ts'
import type { ListFilters, Site } from '../postings/posting.ts'
import { filterPostings } from '../postings/site-postings.ts'
import { findJobs, readJob } from '../queries/texts.ts'
import type { Reader } from '../reader.ts'
import type { Page } from '../rendering/frame.ts'
import {
  filterParameters,
  listUrl,
  pageSize,
  renderGone,
  renderJob,
  renderList,
  renderNotFound,
} from '../rendering/pages.ts'
import type { SiteReads } from './reads.ts'
import type { LoadedPage, PageResponse, Redirect, SiteRequest, SiteResponse } from './response.ts'
import { MissingPage } from './response.ts'

const maxOthers = 5

type Respond = (request: SiteRequest) => Promise<SiteResponse>

export const openPages = (reads: SiteReads): Record<'start' | 'list' | 'job', Respond> => {
  /** The postings of a site and the jobs that contain the words; undefined if there are no words. */
  const search = async (reader: Reader, slug: string, words: string) => {
    if (words !== '') return reads.read(reader, slug, () => findJobs(reader, words))
    return { index: await reads.current(reader, slug), value: undefined }
  }
  return {
    /** Redirects to the list in the language of the client. */
    async start({ reader, target: { site: slug, isOwnDomain }, path, acceptLanguage }) {
      const { site } = (await reads.current(reader, slug)).value
      const locale = chooseLocale(acceptLanguage, site.locales) ?? 'en'
      const parent = isOwnDomain || path.endsWith('/') ? '' : `${encodeURIComponent(slug)}/`
      const location = `${parent}${encodeURIComponent(locale)}/`
      return {
        kind: 'redirect',
        status: 302,
        headers: { location, vary: 'accept-language', 'cache-control': 'no-cache' },
      }
    },
    async list(request) {
      const { reader, target, path, parameters } = request
      const { locale } = target
      // Encoded: "http:evil.example" as it was sent would be a URL of another host.
      if (!path.endsWith('/')) return redirectTo(request, `${encodeURIComponent(locale)}/`)
      const filters = readFilters(parameters)
      const page = readPage(parameters)
      return pageResponse(`${encodeURIComponent(locale)}/${listUrl(filters, page).slice(2)}`, async () => {
        const { index, value: jobIds } = await search(reader, target.site, filters.words)
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
        return { version, ...loaded(rendered), rows: shown.length, expiresAt: visible.expiresAt }
      })
    },
    async job(request) {
      const { reader, target, path } = request
      const { locale, slug } = target
      if (path.endsWith('/')) return redirectTo(request, `../${encodeURIComponent(slug)}`)
      return pageResponse(`${encodeURIComponent(locale)}/${encodeURIComponent(slug)}`, async () => {
        const now = Date.now()
        const { index, value } = await reads.read(reader, target.site, (current) =>
          readJob(reader, current, { locale, slug, now }),
        )
        const { posting, alternates, gone } = value
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
          if (gone === undefined) throw new MissingPage(renderNotFound(site, locale), 404)
          throw new MissingPage(renderGone(site, locale, { ...gone, others }), 410)
        }
        const page = renderJob(site, locale, { posting, alternates, others })
        return { version, ...loaded(page), rows: 1, expiresAt: visible.expiresAt }
      })
    },
  }
}

const pageResponse = (canonicalPath: string, load: () => Promise<LoadedPage>): PageResponse => ({
  kind: 'page',
  canonicalPath,
  isCacheable: true,
  isCostly: false,
  load,
})

export const loaded = ({ text, headers }: Page): Pick<LoadedPage, 'headers' | 'parts'> => ({ headers, parts: [text] })

export const requireLocale = (site: Site, locale: string): void => {
  if (!site.locales.includes(locale)) throw new MissingPage(renderNotFound(site, locale), 404)
}

export const maxPage = 10_000

export const readPage = (parameters: SiteRequest['parameters']): number => {
  const text = parameters.get('page') ?? ''
  return /^\d{1,5}$/.test(text) ? Math.min(Math.max(Number(text), 1), maxPage) : 1
}

const maxFilterLength = 200

/** A filter that is too long matches nothing, so it is cut: the page still shows what was searched for. */
const readFilters = (parameters: SiteRequest['parameters']): ListFilters => {
  const read = (name: keyof ListFilters): string =>
    (parameters.get(filterParameters[name]) ?? '').replaceAll('\0', '').trim().slice(0, maxFilterLength).toWellFormed()
  return {
    words: read('words'),
    department: read('department'),
    contract: read('contract'),
    workplace: read('workplace'),
    place: read('place'),
  }
}

const redirectTo = ({ query }: SiteRequest, path: string): Redirect => {
  const location = query === '' ? path : `${path}?${query}`
  return { kind: 'redirect', status: 301, headers: { location, 'cache-control': 'no-cache' } }
}
