import { isIP, isIPv6 } from 'node:net'
import type { ReadMode } from '@muster/model'
import { readModes } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { RateLimitSettings } from '../http/access/rate-limits.ts'
import type { TraceSettings } from '../observability/traces.ts'
import { readDatabaseUrl, readReplicaUrls } from './database-url.ts'
import type { Environment } from './read-setting.ts'
import { isSet, readChoice, readInteger, readList, readSetting, readSwitch } from './read-setting.ts'
import type { SettingName } from './settings.ts'
import { hasTokens, readTokens } from './tokens.ts'
import { readTraceSettings } from './trace-settings.ts'

const poolerModes = ['none', 'transaction'] as const
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

/** The settings that do not only concern `muster serve`. */
export interface ProcessConfig {
  readonly databaseUrl: string
  readonly pooler: (typeof poolerModes)[number]
  /** The address that serves metrics to Prometheus. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  readonly logLevel: (typeof logLevels)[number]
}

export interface Config extends ProcessConfig {
  readonly readUrl: string
  readonly replicaUrls: readonly string[]
  readonly host: string
  readonly port: number
  readonly workers: number
  readonly poolSize: number
  readonly cacheBytes: number
  readonly reads: ReadMode
  readonly limits: RateLimitSettings
  readonly trustedProxies: readonly string[]
  readonly corsOrigins: readonly string[]
  /** How many days the change feed keeps changes. */
  readonly changesDays: number
  /** Whether the web console is served. */
  readonly console: boolean
  /** Whether career sites are served. */
  readonly careerSites: boolean
  /** The URL at which the public reaches the service, without a slash at its end. */
  readonly publicUrl: string | undefined
  /** How the Model Context Protocol is served at /mcp; undefined if it is off. */
  readonly mcp: { readonly writes: boolean } | undefined
  /** Where and how spans are exported; undefined if they are not. */
  readonly traces: TraceSettings | undefined
}

export const readProcessConfig = (env: Environment): ProcessConfig => ({
  databaseUrl: readDatabaseUrl(env),
  pooler: readChoice(env, 'DATABASE_POOLER', poolerModes),
  metrics: readMetrics(env),
  logLevel: readChoice(env, 'MUSTER_LOG_LEVEL', logLevels),
})

export const readConfig = (env: Environment): Config =>
  Object.freeze({
    ...readProcessConfig(env),
    readUrl: readDatabaseUrl(env, 'DATABASE_READ_URL'),
    replicaUrls: readReplicaUrls(env),
    host: readSetting(env, 'HOST') as string,
    port: readInteger(env, 'PORT', 0, 65_535),
    workers: readInteger(env, 'MUSTER_WORKERS', 1, 256),
    poolSize: readInteger(env, 'MUSTER_POOL_SIZE', 1, 1_000),
    cacheBytes: readInteger(env, 'MUSTER_CACHE_MB', 0, 65_536) * 1_000_000,
    reads: readReadMode(env),
    limits: readLimits(env),
    trustedProxies: readTrustedProxies(env),
    corsOrigins: readCorsOrigins(env),
    changesDays: readInteger(env, 'MUSTER_CHANGES_DAYS', 1, 3_650),
    console: readSwitch(env, 'MUSTER_CONSOLE'),
    careerSites: readSwitch(env, 'MUSTER_CAREER_SITES'),
    publicUrl: readPublicUrl(env),
    mcp: readMcp(env),
    traces: readTraceSettings(env),
  })

/**
 * Reads that are not public need a token, but this is checked only at start: later, an operator may remove all tokens
 * to reject all reads.
 */
const readReadMode = (env: Environment): ReadMode => {
  const reads = readChoice(env, 'MUSTER_READS', readModes)
  if (reads !== 'public' && !hasTokens(readTokens(env)))
    throw new OperatorError(`MUSTER_READS is ${reads}, which needs a token: set MUSTER_READ_TOKEN or MUSTER_API_TOKEN.`)
  return reads
}

const readPublicUrl = (env: Environment): string | undefined => {
  const text = readSetting(env, 'MUSTER_PUBLIC_URL')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    url === undefined ||
    !['http:', 'https:'].includes(url.protocol) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ''
  )
    throw new OperatorError(
      `MUSTER_PUBLIC_URL must be a URL that begins with https:// or http:// and has no query, such as https://jobs.example.com, not "${text}".`,
    )
  return (url.origin + url.pathname).replace(/\/$/, '')
}

const readMcp = (env: Environment): Config['mcp'] => {
  const writes = readSwitch(env, 'MUSTER_MCP_WRITES')
  return readSwitch(env, 'MUSTER_MCP') ? { writes } : undefined
}

const readMetrics = (env: Environment): Config['metrics'] =>
  isSet(env, 'MUSTER_METRICS_PORT')
    ? {
        host: readSetting(env, 'MUSTER_METRICS_HOST') as string,
        port: readInteger(env, 'MUSTER_METRICS_PORT', 0, 65_535),
      }
    : undefined

const readLimits = (env: Environment): RateLimitSettings => {
  const readLimit = (name: SettingName) =>
    readSetting(env, name) === undefined ? undefined : readInteger(env, name, 1, 999_999_999)
  const redisUrl = readSetting(env, 'REDIS_URL')
  if (redisUrl !== undefined && !/^rediss?:\/\//.test(redisUrl))
    throw new OperatorError('REDIS_URL must start with redis:// or rediss://.')
  return {
    reads: readLimit('MUSTER_RATE_LIMIT_READS'),
    writes: readLimit('MUSTER_RATE_LIMIT_WRITES'),
    authFailures: readLimit('MUSTER_RATE_LIMIT_AUTH_FAILURES'),
    redisUrl,
  }
}

/** Origins must be spelled as browsers send them, because they are compared byte by byte. */
const readCorsOrigins = (env: Environment): readonly string[] => {
  const origins = readList(env, 'MUSTER_CORS_ORIGINS')
  for (const origin of origins) {
    if (!/^https?:\/\//.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new OperatorError(
        `MUSTER_CORS_ORIGINS must contain origins as browsers send them, such as https://hr.example.com, not "${origin}".`,
      )
  }
  return origins
}

const readTrustedProxies = (env: Environment): readonly string[] => {
  const proxies = readList(env, 'MUSTER_TRUST_PROXY')
  for (const proxy of proxies) {
    const [address = '', bits = '0'] = proxy.split('/')
    const maxBits = isIPv6(address) ? 128 : 32
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > maxBits)
      throw new OperatorError(
        `MUSTER_TRUST_PROXY must contain IP addresses or networks, such as 10.0.0.0/8, not "${proxy}".`,
      )
  }
  return proxies
}
