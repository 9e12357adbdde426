/**
 * Career sites: pages and feeds for the public, rendered from the postings that are visible now. The same pages are at
 * /careers/{site}/ and at the root of the site's own domain.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { careersPath } from '../../career-sites/paths.ts'
import type { Dependencies } from '../dependencies.ts'
import { percentDecode } from '../request/query-string.ts'
import { openCareerFeeds } from './career-feeds.ts'
import { openCareerPages } from './career-pages.ts'
import { openCareerReads } from './career-reads.ts'
import type { Send, Target } from './career-target.ts'
import { pathIn } from './career-target.ts'
import type { Handler } from './route.ts'
import { addRoute } from './route.ts'

export interface CareerSites {
  addRoutes(app: FastifyInstance): void
  /** Responds to a request to the domain of a site. Undefined if the host or the path is no site's. */
  sendAtDomain(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>
}

export const openCareerSites = (dependencies: Dependencies): CareerSites => {
  const { limits } = dependencies
  const reads = openCareerReads(dependencies)
  const senders = { ...openCareerPages(reads), ...openCareerFeeds(reads, dependencies) }
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

/** Decoded. A slash at the end adds no segment. */
const segmentsOf = (request: FastifyRequest): string[] => {
  const [, ...segments] = pathIn(request).split('/')
  if (segments.at(-1) === '') segments.pop()
  return segments.map((segment) => withoutNul(percentDecode(segment).text))
}

/** PostgreSQL has no text with U+0000. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd')
