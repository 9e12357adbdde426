/** In charge of the addresses of the resources: list, get and create for each, built at start from the registry. */
import type { AskedShape, Resource } from '@muster/model'
import {
  basePath,
  errorCodes,
  idempotencyKey,
  isCountable,
  judgeBody,
  maxBodyBytes,
  queryNames,
  redacted,
  replayedHeader,
  resources,
  shaped,
} from '@muster/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database, RunnerFactory } from '../database/database.ts'
import { sourceOf } from '../database/statement.ts'
import { Problem } from '../errors.ts'
import { countGroups } from '../operations/count.ts'
import type { Created } from '../operations/create.ts'
import { create } from '../operations/create.ts'
import { getOne, openGetter } from '../operations/get.ts'
import type { Reading } from '../operations/list.ts'
import { list } from '../operations/list.ts'
import type { Author } from '../operations/write-log.ts'
import { note } from '../operations/write-log.ts'
import type { Verb } from './address.ts'
import { address } from './address.ts'
import type { Admission } from './admission.ts'
import { countsText, pagePieces, rowsOn, sendJson } from './answers.ts'
import { readCountQuery, tooManyGroups } from './count-parameters.ts'
import { openExport } from './exports.ts'
import { readFileFormat } from './file-format.ts'
import type { FreshAnswers } from './fresh-answers.ts'
import { fingerprintOf, readIdempotencyKey } from './idempotency-key.ts'
import { noteOutcome } from './outcome.ts'
import { pageLinks } from './page-links.ts'
import { readExportQuery, readItemId, readItemShape, readListQuery } from './parameters.ts'
import { parseQuery } from './query-string.ts'
import type { LimitSettings, RateLimits } from './rate-limits.ts'
import { networkOf } from './rate-limits.ts'
import type { ReadAccess, View } from './read-access.ts'
import { readBody } from './request-body.ts'
import { handling } from './strict-handling.ts'
import { bearsToken, unauthorized } from './tokens.ts'
import type { WriteAccess } from './write-access.ts'

export interface Services extends Reading {
  readonly database: Database
  /** The replicas if there are any, otherwise the database. */
  readonly reader: RunnerFactory
  /** The process is about to end: it serves, and is not ready for more. */
  readonly draining: boolean
  readonly access: WriteAccess
  readonly readers: ReadAccess
  readonly limits: LimitSettings
  /** Addresses and networks whose word counts on where a request came from. */
  readonly trustedProxies: readonly string[]
  readonly admission: Admission
  /** Origins whose pages may create. */
  readonly corsOrigins: readonly string[]
  readonly answers: FreshAnswers
}

const keyHeader = idempotencyKey.header.toLowerCase()

/** Whose share of the pools a request uses. */
const clientOf = (request: FastifyRequest): string => networkOf(request.ip)

const pathOf = (resource: Resource): string => `${basePath}/v1/${resource.path}`

export const addResourceRoutes = (app: FastifyInstance, services: Services, limits: RateLimits): void => {
  for (const resource of resources) {
    const verbs = { GET: listVerb(resource, services, limits) }
    address(
      app,
      pathOf(resource),
      resource.creatable ? { ...verbs, POST: createVerb(resource, services, limits) } : verbs,
    )
    address(app, `${pathOf(resource)}/:item_id`, { GET: getVerb(resource, services, limits) })
    if (isCountable(resource))
      address(app, `${basePath}/v1/counts/${resource.path}`, { GET: countVerb(resource, services, limits) })
  }
}

const listVerb = (resource: Resource, services: Services, limits: RateLimits): Verb => {
  const { database, reader, places, selections, answers, readers, admission } = services
  const shown = viewsOf(resource)
  const known = queryNames(resource)
  return {
    answer: async (request, reply) => {
      const view = await viewFor(request, reply, { readers, limits })
      const parameters = parseQuery(request.query as string)
      const handled = handling(request, reply, parameters, known.list)
      const format = readFileFormat(parameters, request.headers.accept)
      if (format !== undefined) {
        const query = handled(() => readExportQuery(shown[view], parameters, format))
        const asked = inShape(shown, view, query.shape)
        const open = async () => {
          const copy = await openExport(reply, { database, client: clientOf(request) }, asked, query)
          admission.release(request.raw)
          return copy
        }
        return answers.passOn(request, reply, { source: sourceOf(asked), view, format }, open)
      }
      const query = handled(() => readListQuery(shown[view], parameters))
      const asked = inShape(shown, view, query.shape)
      return answers.answer(request, reply, { source: sourceOf(asked), view }, async () => {
        const page = await list({ reader: reader.for(clientOf(request)), places, selections }, asked, query)
        const link = pageLinks(
          { path: pathOf(resource), query: request.query as string, known: known.list },
          query,
          page.total,
        )
        return { version: page.version, pieces: pagePieces(page, query), rows: rowsOn(page, query), link }
      })
    },
  }
}

const countVerb = (resource: Resource, { reader, answers, readers }: Services, limits: RateLimits): Verb => {
  const shown = viewsOf(resource)
  const known = queryNames(resource).count
  return {
    answer: async (request, reply) => {
      const view = await viewFor(request, reply, { readers, limits })
      const parameters = parseQuery(request.query as string)
      const handled = handling(request, reply, parameters, known)
      const query = handled(() => readCountQuery(shown[view], parameters))
      return answers.answer(request, reply, { source: sourceOf(resource), view }, async () => {
        const counts = await countGroups(reader.for(clientOf(request)), shown[view], query)
        if (counts === undefined) throw tooManyGroups(parameters)
        return { version: counts.version, pieces: [countsText(counts)], rows: counts.groups }
      })
    },
  }
}

const getVerb = (resource: Resource, { reader, answers, readers }: Services, limits: RateLimits): Verb => {
  const shown = viewsOf(resource)
  const known = queryNames(resource)
  const get = { full: openGetter(reader, shown.full), redacted: openGetter(reader, shown.redacted) }
  return {
    answer: async (request, reply) => {
      const view = await viewFor(request, reply, { readers, limits })
      const parameters = parseQuery(request.query as string)
      const handled = handling(request, reply, parameters, known.get)
      const { id, shape } = handled(() => ({
        id: readItemId((request.params as { item_id: string }).item_id),
        shape: readItemShape(resource, parameters),
      }))
      const asked = inShape(shown, view, shape)
      return answers.answer(request, reply, { source: sourceOf(asked), view }, async () => {
        if (id === undefined) throw new Problem('not_found')
        const found =
          asked === shown[view] ? await get[view](id) : await getOne(reader.for(clientOf(request)), asked, id)
        if (found === undefined) throw new Problem('not_found')
        return { version: found.version, pieces: [found.record], rows: 1 }
      })
    },
  }
}

type Views = Readonly<Record<View, Resource>>

const viewsOf = (resource: Resource): Views => ({ full: resource, redacted: redacted(resource) })

/** The view of a resource with answers of the shape asked for; the view itself where none is. */
const inShape = (shown: Views, view: View, shape: AskedShape): Resource => {
  const asked = shaped(shown.full, shape)
  return asked === shown.full ? shown[view] : viewsOf(asked)[view]
}

const viewFor = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { readers, limits }: { readers: ReadAccess; limits: RateLimits },
): Promise<View> => {
  if (limits.any) await limits.countRead(request, reply)
  const view = readers.viewOf(request.raw)
  // A wrong token gets the redacted view, but still counts as a failed authentication. No token does not.
  if (view === undefined || (view === 'redacted' && bearsToken(request.raw)))
    await limits.countAuthFailure(request, reply)
  if (view === undefined) throw unauthorized()
  return view
}

const createVerb = (resource: Resource, { database, access }: Services, limits: RateLimits): Verb => {
  /** By the time the body is there the tokens may have changed. */
  const tokens = new WeakMap<FastifyRequest, string>()
  const createFrom = async (request: FastifyRequest, author: Author): Promise<Created> => {
    const body = readBody({
      contentType: request.headers['content-type'],
      contentEncoding: request.headers['content-encoding'],
      bytes: request.body as Buffer | undefined,
    })
    const { key, faults: keyFaults } = readIdempotencyKey(request.headers[keyHeader])
    const judged = judgeBody(resource, body)
    const faults = [...keyFaults, ...judged.faults]
    const isClaim = key !== undefined && faults.length === 0
    const claim = isClaim ? { key, fingerprint: fingerprintOf(body) } : undefined
    return create(database.for(clientOf(request)), resource, { ...judged, faults }, { author, claim })
  }
  return {
    before: async (request, reply) => {
      const token = await tokenOf(request, reply, { access, limits })
      tokens.set(request, token)
      await limits.countWrite(request, reply, token)
      // Said before the body is read, and whatever content type it claims.
      if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw new Problem('payload_too_large')
    },
    answer: async (request, reply) => {
      const author = { requestId: request.id, token: tokens.get(request) as string }
      try {
        const { id, record, replayed } = await createFrom(request, author)
        if (replayed) {
          reply.header(replayedHeader, 'true')
          await note(database.for(clientOf(request)), resource, { ...author, outcome: 'replayed', id })
        }
        noteOutcome(request.raw, { cache: 'none', rows: 1, created: replayed ? 0 : 1 })
        return sendJson(reply.code(201).header('location', `${pathOf(resource)}/${id}`), record)
      } catch (error) {
        if (isRefusal(error)) await note(database.for(clientOf(request)), resource, { ...author, outcome: 'refused' })
        throw error
      }
    },
  }
}

const isRefusal = (error: unknown): boolean => error instanceof Problem && errorCodes[error.code].status === 422

/** The name of the token that lets a create in; whoever brings a wrong one is counted. */
const tokenOf = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { access, limits }: { access: WriteAccess; limits: RateLimits },
): Promise<string> => {
  try {
    return access.check(request.raw)
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized') await limits.countAuthFailure(request, reply)
    throw error
  }
}
