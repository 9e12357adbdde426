/** Sends the responses of career sites. The package @muster/career-sites decides what they contain. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type {
  LoadedPage,
  PageResponse,
  Reader,
  ResponseName,
  SiteRequest,
  StreamResponse,
  Target,
} from '@muster/career-sites'
import {
  careersPath,
  careerTables,
  MissingPage,
  NotFound,
  RecordsChanged,
  renderNoSite,
  responseAtDomain,
  siteRoutes,
} from '@muster/career-sites'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { overloaded, Problem } from '../../errors.ts'
import { openAdmissionQueue } from '../../postgres/connection/admission-queue.ts'
import type { Runner } from '../../postgres/connection/database.ts'
import { maxWaitMs } from '../../postgres/connection/wait-limit.ts'
import { sourceOf, versionedSelect } from '../../postgres/sql/statement.ts'
import { collectPieces, textInSlices } from '../../slices.ts'
import type { LoadedResponse } from '../cache/response-cache.ts'
import type { CareerDependencies } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import { parseQuery, percentDecode } from '../request/query-string.ts'
import { encodedStream } from '../response/compression.ts'
import { sendEncoded } from '../response/static-body.ts'
import { sendRead } from './read.ts'
import { addRoute } from './route.ts'

export interface CareerSiteRoutes {
  addTo(app: FastifyInstance): void
  /** Responds to a request to the domain of a site. False if the host or the path is no site's. */
  sendAtDomain(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

/** Costly pages that a process loads at the same time, and responses that it streams. A client has at most two of each. */
const maxCostlyLoads = 3
const maxStreams = 3

const careerSource = sourceOf(careerTables)

type CostlyLoad<T> = Pick<PageResponse, 'isCostly'> & { readonly load: () => Promise<T> }

export const openCareerSiteRoutes = ({
  careerSites,
  reader,
  cache,
  admission,
  limits,
}: CareerDependencies): CareerSiteRoutes => {
  const costlyLoads = openAdmissionQueue(maxCostlyLoads)
  const streams = openAdmissionQueue(maxStreams, { patienceMs: maxWaitMs })
  const shareOf = (request: FastifyRequest) => ({ client: admission.clientOf(request.raw), tables: [] })

  const load = <T>(request: FastifyRequest, { isCostly, load }: CostlyLoad<T>): Promise<T> =>
    isCostly ? costlyLoads.run(shareOf(request), load) : load()
  const sendCached = (request: FastifyRequest, reply: FastifyReply, response: PageResponse, target: Target) => {
    const { visibility = 'redacted' } = contextOf(request.raw).caller
    return sendRead(
      request,
      reply,
      {
        cache,
        source: careerSource,
        // Pages are public in every mode. Requests without a token use the same key as the fast path.
        visibility,
        url: `${careersPath}/${encodeURIComponent(target.site)}/${response.canonicalPath}`,
        ...variantOf(target),
        isExpensive: !response.canonicalPath.includes('?'),
        canExpire: true,
      },
      // A costly page is rendered before its slot is free again, because the whole page is then in memory.
      {
        execute: () => load(request, { ...response, load: async () => loadedResponse(await response.load()) }),
        render: (rendered) => rendered,
      },
    )
  }
  const sendUncached = async (request: FastifyRequest, reply: FastifyReply, response: PageResponse) => {
    const { headers, parts, rows } = await load(request, {
      ...response,
      load: () => {
        // Nothing is rendered for a client that left while it waited.
        if (reply.raw.closed) throw overloaded()
        return response.load()
      },
    })
    contextOf(request.raw).log = { cache: 'none', rows }
    const pieces = await collectPieces(textInSlices(parts))
    return sendEncoded(request, reply.headers({ ...headers, 'cache-control': 'no-store' }), pieces.join(''))
  }
  /** Waits for a slot, which is free again when the response is closed. */
  const takeStreamSlot = (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const holdUntilClosed = async (): Promise<void> => {
      resolve()
      if (!reply.raw.closed) await once(reply.raw, 'close')
    }
    streams.run(shareOf(request), holdUntilClosed).catch(reject)
    return promise
  }
  const sendStream = async (request: FastifyRequest, reply: FastifyReply, response: StreamResponse) => {
    await takeStreamSlot(request, reply)
    const parts = textInSlices(await response.open())
    const context = contextOf(request.raw)
    context.log = { cache: 'none', rows: response.rows ?? 0 }
    reply.headers(response.headers)
    if (request.method === 'HEAD') return reply.send(Readable.from([]))
    if (context.encoding !== 'identity') reply.header('content-encoding', context.encoding)
    return reply.send(encodedStream(parts, context.encoding))
  }
  const readerOf = (request: FastifyRequest): Reader => careerReader(reader.forClient(admission.clientOf(request.raw)))

  const respond = async (request: FastifyRequest, reply: FastifyReply, name: ResponseName, target: Target) => {
    await limits.countRead(request, reply)
    const response = await careerSites.respond(name, siteRequest(request, readerOf(request), target))
    switch (response.kind) {
      case 'redirect':
        return reply.code(response.status).headers(response.headers).send()
      case 'stream':
        return sendStream(request, reply, response)
      case 'page':
        return response.isCacheable
          ? sendCached(request, reply, response, target)
          : sendUncached(request, reply, response)
    }
  }
  const send: typeof respond = async (request, reply, name, target) => {
    try {
      return await respond(request, reply, name, target)
    } catch (error) {
      if (error instanceof NotFound) throw new Problem('not_found')
      // 503 asks the client to repeat the request.
      if (error instanceof RecordsChanged) throw overloaded()
      if (!(error instanceof MissingPage)) throw error
      return sendEncoded(request, reply.code(error.status).headers(error.page.headers), error.page.text)
    }
  }

  return {
    addTo(app) {
      addRoute(app, careersPath, {
        GET: {
          handle: (request, reply) => {
            const { headers, text } = renderNoSite(request.headers['accept-language'])
            return sendEncoded(request, reply.code(404).headers(headers), text, headers.vary)
          },
        },
      })
      for (const [path, name] of Object.entries(siteRoutes))
        addRoute(app, `${careersPath}/:site${path}`, {
          GET: {
            handle: (request, reply) => {
              const { site = '', locale = '', slug = '' } = request.params as Partial<Target>
              const target = { site: withoutNul(site), locale: withoutNul(locale), slug: withoutNul(slug) }
              return send(request, reply, name, { ...target, isOwnDomain: false })
            },
          },
        })
    },
    async sendAtDomain(request, reply) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      const site = await careerSites.slugOfHost(readerOf(request), request.headers.host)
      if (site === undefined) return false
      const [locale = '', slug = '', ...rest] = segmentsOf(request)
      if (rest.length > 0) return false
      await send(request, reply, responseAtDomain(locale, slug), { site, locale, slug, isOwnDomain: true })
      return true
    },
  }
}

export const careerReader = (runner: Runner): Reader => ({
  async select({ tables, columns, queries, join, ...statement }) {
    const select = versionedSelect(sourceOf(tables), columns, { queries, join })
    const [row] = await runner.run({ ...statement, ...select })
    const [version, ...value] = row as readonly [string, ...unknown[]]
    return { version, value }
  },
})

const siteRequest = (request: FastifyRequest, reader: Reader, target: Target): SiteRequest => {
  const { protocol, headers } = request
  const query = queryOf(request)
  return {
    reader,
    target,
    query,
    path: pathOf(request),
    parameters: new Map([...parseQuery(query)].map(([name, { text }]) => [name, text])),
    acceptLanguage: headers['accept-language'],
    // `protocol` is that of X-Forwarded-Proto if the client is a trusted proxy.
    origin: `${protocol === 'https' ? 'https' : 'http'}://${headers.host ?? ''}`,
  }
}

const loadedResponse = async ({ parts, ...page }: LoadedPage): Promise<LoadedResponse> => ({
  ...page,
  pieces: await collectPieces(textInSlices(parts)),
})

/** Pages at the own domain are stored apart: the fast path knows URLs only, and these URLs mean nothing elsewhere. */
const variantOf = ({ site, isOwnDomain }: Target): { variant?: string } =>
  isOwnDomain ? { variant: `own ${site}` } : {}

/** As it was sent: the router decodes it and ignores a slash at its end. */
const pathOf = ({ raw }: FastifyRequest): string =>
  (raw.url ?? '').replace(/^\w+:\/\/[^/]*/, '').split('?', 1)[0] as string

/** Read from the URL: Fastify parses no query for a path without a route. */
const queryOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?').slice(1).join('?')

/** Decoded. A slash at the end adds no segment. */
const segmentsOf = (request: FastifyRequest): string[] => {
  const [, ...segments] = pathOf(request).split('/')
  if (segments.at(-1) === '') segments.pop()
  return segments.map((segment) => withoutNul(percentDecode(segment).text))
}

/** PostgreSQL has no text with U+0000. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd')
