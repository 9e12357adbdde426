/** Steps that all read routes share. */
import type { RequestedProjection, Resource } from '@muster/model'
import { redacted, withProjection } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TableSource } from '../../postgres/sql/statement.ts'
import { tableKey } from '../../postgres/sql/statement.ts'
import type { ListFilters } from '../../queries/filters.ts'
import { filteredTables, withJoinedTables } from '../../queries/filters.ts'
import type { Caller, Visibility } from '../access/callers.ts'
import { hasBearerToken, unauthorized } from '../access/callers.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import type { ReadNeeds } from '../access/rights.ts'
import { needsOf, tablesOfAll } from '../access/rights.ts'
import type { LoadedResponse, ResponseCache } from '../cache/response-cache.ts'
import { cacheKey } from '../cache/response-cache.ts'
import { contextOf } from '../request/context.ts'
import { handlingOf } from '../request/prefer-header.ts'
import { sendReply } from '../response/reply.ts'
import { readableHistory, withinHistory } from './history-limits.ts'

/** Counts the request against the rate limits, and throws `unauthorized` if the caller may read nothing. */
export const authorizeRead = async (
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
): Promise<Caller> => {
  if (limits.isEnabled) await limits.countRead(request, reply)
  const { caller } = contextOf(request.raw)
  const { visibility, name } = caller
  // A request with a wrong token gets redacted records, like a request without a token, but also counts as a failed
  // authentication.
  if (visibility === undefined || (visibility === 'redacted' && name === undefined && hasBearerToken(request.raw)))
    await limits.countAuthFailure(request, reply)
  if (visibility === undefined) throw unauthorized()
  return caller
}

/** A request as it was read for one visibility, and what its response is read from. */
export interface ParsedRead {
  readonly source: TableSource
  /** By default the tables of the source. */
  readonly needs?: ReadNeeds
}

/**
 * Reads the parameters of a request. They tell which tables it needs, and the rights to these tables tell what the caller sees.
 * `known` is what the request needs in any case: without the right to it, invalid parameters make no difference.
 */
export const readAs = <T extends ParsedRead>(
  caller: Caller,
  known: ReadNeeds,
  read: (visibility: Visibility) => T,
): T & { readonly visibility: Visibility } => {
  const best = caller.visibilityOf(known)
  if (!caller.isLimited || best !== caller.visibility) return { ...read(best), visibility: best }
  const complete = readComplete(read, best)
  const visibility = caller.visibilityOf(complete.needs ?? needsOf(complete.source))
  return { ...(visibility === 'full' ? complete : read(visibility)), visibility }
}

/** Reads personal parameters too, because they tell which tables are needed. Errors are those for the visibility. */
const readComplete = <T>(read: (visibility: Visibility) => T, visibility: Visibility): T => {
  try {
    return read('full')
  } catch (error) {
    read(visibility)
    throw error
  }
}

export type ResourceByVisibility = Readonly<Record<Visibility, Resource>>

export const byVisibility = (resource: Resource): ResourceByVisibility => ({
  full: resource,
  redacted: redacted(resource),
})

/** The resource as the caller may see it, with the requested fields and related records. */
export const visibleResource = (
  resourceViews: ResourceByVisibility,
  visibility: Visibility,
  projection: RequestedProjection,
): Resource => {
  if (projection.fields === undefined && projection.relations.length === 0) return resourceViews[visibility]
  return byVisibility(withProjection(resourceViews.full, projection))[visibility]
}

/** A list or an export as the caller may see it. */
export const readListAs = <T extends ListFilters & { readonly projection: RequestedProjection }>(
  caller: Caller,
  resourceViews: ResourceByVisibility,
  readQuery: (resource: Resource) => T,
) => {
  const { full: resource } = resourceViews
  const historyOf = caller.isConfined ? readableHistory(caller, resource) : undefined
  const known = { tables: caller.isLimited && historyOf === undefined ? tablesOfAll(resource) : [resource.table] }
  const parsed = readAs(caller, known, (visibility) => {
    const requested = readQuery(resourceViews[visibility])
    const query = historyOf === undefined ? requested : withinHistory(requested, historyOf)
    const visible = visibleResource(resourceViews, visibility, query.projection)
    return { query, source: withJoinedTables(visible, filteredTables(query)) }
  })
  return { ...parsed, variant: historyOf?.join() }
}

export interface ReadTarget {
  readonly cache: ResponseCache
  /** What the response is read from. */
  readonly source: TableSource
  readonly visibility: Visibility
  /** The URL of the cache entry. Default: the URL of the request, as it was sent. */
  readonly url?: string
  /** What the response depends on besides the URL and the visibility. */
  readonly variant?: string | undefined
  /**
   * True for responses that the cache stores at their first request, such as counts; others are stored at their second.
   * Declared, and not measured, because a cheap page also takes long while it waits for a connection.
   */
  readonly isExpensive?: boolean
  /** True if the response may have `expiresAt`. */
  readonly canExpire?: boolean
}

/** With `Prefer: handling=strict`, unknown parameters become errors. Requests without a Prefer header skip the check. */
export const preferHandling: typeof handlingOf = (request, reply, parameters, names) =>
  request.headers.prefer === undefined ? (read) => read() : handlingOf(request, reply, parameters, names)

/** The last two steps of a read, which a cached response does not need. */
export interface ReadSteps<T> {
  readonly execute: () => Promise<T>
  readonly render: (result: T) => LoadedResponse | Promise<LoadedResponse>
}

/** Sends the response from the cache, or executes the read and renders its result. */
export const sendRead = async <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    cache,
    source,
    visibility,
    url = request.raw.url ?? '',
    variant,
    isExpensive = false,
    canExpire = false,
  }: ReadTarget,
  { execute, render }: ReadSteps<T>,
): Promise<FastifyReply> => {
  const context = contextOf(request.raw)
  const result = await cache.getOrLoad(
    {
      key: cacheKey(visibility, url, variant),
      tables: tableKey(source),
      route: request.routeOptions.url ?? '',
      client: context,
      isExpensive,
      canExpire,
    },
    async () => render(await execute()),
  )
  const response = 'notModified' in result ? result.notModified : await result.entry.replyTo(context)
  if ('notModified' in result || response.status === 304) context.log = { cache: 'not_modified', rows: 0 }
  else context.log = { cache: result.isHit ? 'hit' : 'miss', rows: result.entry.rows }
  return sendReply(reply, response)
}
