/** Optional rate limits per client address or token. Responses to counted requests carry the RateLimit headers. */
import type { IncomingMessage } from 'node:http'
import type {} from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { Problem } from '../../errors.ts'
import { networkOf } from '../connection/client-address.ts'

/** Requests per minute; undefined means no limit. */
export interface RateLimitSettings {
  readonly reads?: number | undefined
  readonly writes?: number | undefined
  readonly authFailures?: number | undefined
  /**
   * URL of the Redis server through which processes share their request counts. If undefined, each process counts for
   * itself.
   */
  readonly redisUrl?: string | undefined
}

/** Each method counts a request and throws `rate_limited` if its limit is exceeded. */
export interface RateLimits {
  readonly isEnabled: boolean
  countRead(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts per token name. */
  countWrite(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void>
  countAuthFailure(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

const windowMs = 60_000
/** Maximum number of callers counted in memory per kind of limit; the least recently seen callers are evicted first. */
const maxCallers = 50_000

type LimitKind = 'reads' | 'writes' | 'auth-failures'
type CountRequest = (key: string, request: FastifyRequest, reply: FastifyReply) => Promise<void>

export const addRateLimits = (app: FastifyInstance, settings: RateLimitSettings): RateLimits => {
  const limits: readonly (readonly [LimitKind, number | undefined])[] = [
    ['reads', settings.reads],
    ['writes', settings.writes],
    ['auth-failures', settings.authFailures],
  ]
  const counters = new Map<LimitKind, CountRequest>()
  const isEnabled = limits.some(([, max]) => max !== undefined)
  if (isEnabled) {
    // The plugin and the Redis client are loaded only if a limit is set.
    app.register(async (scope) => {
      const redis = settings.redisUrl === undefined ? undefined : await openRedis(app, settings.redisUrl)
      for (const [kind, max] of limits)
        if (max !== undefined)
          await scope.register(async (kindScope) => counters.set(kind, await openCounter(kindScope, kind, max, redis)))
    })
  }
  return {
    isEnabled,
    countRead: async (request, reply) => counters.get('reads')?.(networkOf(request.ip), request, reply),
    countWrite: async (request, reply, token) => counters.get('writes')?.(token, request, reply),
    countAuthFailure: async (request, reply) => counters.get('auth-failures')?.(networkOf(request.ip), request, reply),
  }
}

/**
 * Each kind of limit registers the plugin in its own scope, with its own namespace. Passing options to createRateLimit
 * would add the route's method and URL to the keys, which are undefined here. Example of a key: `muster-reads
 * 198.51.100.7`.
 */
const openCounter = async (
  scope: FastifyInstance,
  kind: LimitKind,
  max: number,
  redis: Redis | undefined,
): Promise<CountRequest> => {
  const { default: plugin } = await import('@fastify/rate-limit')
  const keyByRequest = new WeakMap<IncomingMessage, string>()
  await scope.register(plugin, {
    global: false,
    nameSpace: `muster-${kind} `,
    max,
    timeWindow: windowMs,
    keyGenerator: ({ raw }) => keyByRequest.get(raw) as string,
    cache: maxCallers,
    skipOnError: true,
    redis,
  })
  const count = scope.createRateLimit()
  return async (key, request, reply) => {
    keyByRequest.set(request.raw, key)
    const result = await count(request)
    if (result.isAllowed) return
    const seconds = Math.max(result.ttlInSeconds, 1)
    reply.header('ratelimit-policy', `"${kind}";q=${max};w=${windowMs / 1_000}`)
    reply.header('ratelimit', `"${kind}";r=${result.remaining};t=${seconds}`)
    if (result.isExceeded) throw new Problem('rate_limited', { headers: { 'retry-after': String(seconds) } })
  }
}

/** While Redis is unavailable, requests are not limited: availability takes precedence. */
const openRedis = async (app: FastifyInstance, url: string) => {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 100 })
  let isUnavailable = false
  redis.on('error', ({ name, message }: Error) => {
    // The error of the Redis client is not logged: it contains the failed command, which may be AUTH with the password.
    if (!isUnavailable)
      app.log.warn({ err: { type: name, message } }, 'Redis is unavailable: rate limits are not enforced')
    isUnavailable = true
  })
  redis.on('ready', () => {
    if (isUnavailable) app.log.info('Redis is available again: rate limits are enforced')
    isUnavailable = false
  })
  app.addHook('onClose', async () => redis.disconnect())
  return redis
}
