/** In charge of how often one caller may ask: off unless set, counted by address or token, and told in every counted answer. */
import type { IncomingMessage } from 'node:http'
import type {} from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { Problem } from '../errors.ts'

/** Most of each kind a minute; no limit where undefined. */
export interface LimitSettings {
  readonly reads?: number | undefined
  readonly writes?: number | undefined
  readonly authFailures?: number | undefined
  /** Where several processes count together; each counts for itself where undefined. */
  readonly redisUrl?: string | undefined
}

/** Each throws `rate_limited` where there were too many. */
export interface RateLimits {
  readonly any: boolean
  countRead(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** By the name of the token it came with. */
  countWrite(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void>
  countAuthFailure(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

const windowMs = 60_000
/** Callers kept in memory for each kind of limit, least recently seen evicted first. */
const maxCallers = 50_000

type Kind = 'reads' | 'writes' | 'auth-failures'
type Count = (key: string, request: FastifyRequest, reply: FastifyReply) => Promise<void>

export const addRateLimits = (app: FastifyInstance, settings: LimitSettings): RateLimits => {
  const limits: readonly (readonly [Kind, number | undefined])[] = [
    ['reads', settings.reads],
    ['writes', settings.writes],
    ['auth-failures', settings.authFailures],
  ]
  const counts = new Map<Kind, Count>()
  const any = limits.some(([, max]) => max !== undefined)
  if (any) {
    // Loaded here, so that who sets no limit does not carry it.
    app.register(async (scope) => {
      const redis = settings.redisUrl === undefined ? undefined : await openRedis(app, settings.redisUrl)
      for (const [kind, max] of limits)
        if (max !== undefined)
          await scope.register(async (own) => counts.set(kind, await counter(own, kind, max, redis)))
    })
  }
  return {
    any,
    countRead: async (request, reply) => counts.get('reads')?.(networkOf(request.ip), request, reply),
    countWrite: async (request, reply, token) => counts.get('writes')?.(token, request, reply),
    countAuthFailure: async (request, reply) => counts.get('auth-failures')?.(networkOf(request.ip), request, reply),
  }
}

/**
 * Each kind has its own scope and is part of the plugin's namespace: passing options to createRateLimit would put the
 * route's method and URL into the keys, and these are undefined here. A key in Redis reads `muster-reads 198.51.100.7`.
 */
const counter = async (scope: FastifyInstance, kind: Kind, max: number, redis: Redis | undefined): Promise<Count> => {
  const { default: plugin } = await import('@fastify/rate-limit')
  const keys = new WeakMap<IncomingMessage, string>()
  await scope.register(plugin, {
    global: false,
    nameSpace: `muster-${kind} `,
    max,
    timeWindow: windowMs,
    keyGenerator: ({ raw }) => keys.get(raw) as string,
    cache: maxCallers,
    skipOnError: true,
    redis,
  })
  const count = scope.createRateLimit()
  return async (key, request, reply) => {
    keys.set(request.raw, key)
    const counted = await count(request)
    if (counted.isAllowed) return
    const seconds = Math.max(counted.ttlInSeconds, 1)
    reply.header('ratelimit-policy', `"${kind}";q=${max};w=${windowMs / 1_000}`)
    reply.header('ratelimit', `"${kind}";r=${counted.remaining};t=${seconds}`)
    if (counted.isExceeded) throw new Problem('rate_limited', { headers: { 'retry-after': String(seconds) } })
  }
}

/** Whoever has one IPv6 address has all of its network of 64 bits. */
export const networkOf = (address = ''): string => {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const [head = '', tail] = address.split('::')
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '')
  const [first, last] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}

/** While Redis is away everybody may pass: a limit is a courtesy, and no reason to refuse an answer. */
const openRedis = async (app: FastifyInstance, url: string) => {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 100 })
  let isAway = false
  redis.on('error', ({ name, message }: Error) => {
    // Not the error itself: it carries the command that failed, which may be the one with the password.
    if (!isAway)
      app.log.warn({ err: { type: name, message } }, 'Redis does not answer: nobody is counted until it does')
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) app.log.info('Redis answers again')
    isAway = false
  })
  app.addHook('onClose', async () => redis.disconnect())
  return redis
}
