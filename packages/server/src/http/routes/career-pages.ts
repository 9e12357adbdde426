/** The pages of a career site: the list of jobs and one page per job. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseLocale } from '../../career-sites/locales.ts'
import { filterParameters, pageSize, renderError, renderJob, renderList } from '../../career-sites/pages.ts'
import type { ListFilters } from '../../career-sites/posting.ts'
import { filterPostings } from '../../career-sites/site-postings.ts'
import { findJobs, readJob } from '../../queries/career-sites/texts.ts'
import type { Parameters } from '../request/query-string.ts'
import { parseQuery } from '../request/query-string.ts'
import type { CareerReads } from './career-reads.ts'
import { MissingPage } from './career-reads.ts'
import type { Send } from './career-target.ts'
import { hasTrailingSlash, queryIn, readPage, requireLocale, variantOf } from './career-target.ts'

const maxOthers = 5

export const openCareerPages = (reads: CareerReads): Record<'redirect' | 'list' | 'job', Send> => {
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

const maxFilterLength = 200

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

const redirectTo = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply => {
  const query = queryIn(request)
  const location = query === '' ? path : `${path}?${query}`
  return reply.code(301).headers({ location, 'cache-control': 'no-cache' }).send()
}
