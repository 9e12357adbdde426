/** In charge of the settings: one table of names and meanings, read once into a frozen Config. */
import { readFileSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import type { ReadMode } from '@muster/model'
import { readModes, suggestion } from '@muster/model'
import { OperatorError } from './errors.ts'
import type { LimitSettings } from './http/rate-limits.ts'

interface Setting {
  readonly name: string
  readonly default?: string
  readonly about: string
}

/** Every setting there is. The operations document and the "did you mean" of unknown names come from this table. */
export const settings = [
  { name: 'DATABASE_URL', about: 'Address of the PostgreSQL database, as the role that creates.' },
  { name: 'DATABASE_URL_FILE', about: 'File holding that address instead.' },
  {
    name: 'DATABASE_MIGRATE_URL',
    about: 'The same as its owner, for migrate, seed, import and erase; DATABASE_URL when not set.',
  },
  { name: 'DATABASE_MIGRATE_URL_FILE', about: 'File holding that address instead.' },
  { name: 'DATABASE_READ_URL', about: 'The same as a role that only reads, for reads; DATABASE_URL when not set.' },
  { name: 'DATABASE_READ_URL_FILE', about: 'File holding that address instead.' },
  {
    name: 'DATABASE_REPLICA_URLS',
    about:
      'Addresses of physical standbys of it that reads may be answered by, as a role that only reads, separated by commas.',
  },
  { name: 'DATABASE_REPLICA_URLS_FILE', about: 'File holding these addresses instead.' },
  {
    name: 'DATABASE_POOLER',
    default: 'none',
    about: 'What stands before the database: none, or transaction for PgBouncer in that mode.',
  },
  { name: 'HOST', default: '127.0.0.1', about: 'Address to listen on.' },
  { name: 'PORT', default: '8080', about: 'Port to listen on.' },
  { name: 'MUSTER_API_TOKEN', about: 'Token that creates must carry; without one nothing can be created.' },
  { name: 'MUSTER_API_TOKEN_FILE', about: 'File holding that token instead; read again on SIGHUP.' },
  { name: 'MUSTER_API_TOKEN_PREVIOUS', about: 'A second token that is accepted too, while clients change over.' },
  { name: 'MUSTER_API_TOKEN_PREVIOUS_FILE', about: 'File holding that second token instead; read again on SIGHUP.' },
  {
    name: 'MUSTER_READS',
    default: 'public',
    about: 'Who may read: public, redacted (personal fields with a token only) or token.',
  },
  { name: 'MUSTER_READ_TOKEN', about: 'Token that reads may carry instead of the one for creates.' },
  { name: 'MUSTER_READ_TOKEN_FILE', about: 'File holding that token instead; read again on SIGHUP.' },
  { name: 'MUSTER_RATE_LIMIT_READS', about: 'Most reads a minute from one address; no limit unless set.' },
  { name: 'MUSTER_RATE_LIMIT_WRITES', about: 'Most creates a minute with one token; no limit unless set.' },
  {
    name: 'MUSTER_RATE_LIMIT_AUTH_FAILURES',
    about: 'Most requests a minute with a wrong token from one address; no limit unless set.',
  },
  { name: 'REDIS_URL', about: 'Redis in which several processes count together for these limits.' },
  { name: 'REDIS_URL_FILE', about: 'File holding that address instead.' },
  {
    name: 'MUSTER_TRUST_PROXY',
    about: 'Addresses or networks of fronts whose X-Forwarded-For is believed, separated by commas.',
  },
  {
    name: 'MUSTER_CORS_ORIGINS',
    about: 'Origins whose pages may create, such as https://hr.example.com, separated by commas; all may read.',
  },
  {
    name: 'MUSTER_WORKERS',
    default: '1',
    about: 'Processes that share the port, each with connections and memory of its own.',
  },
  {
    name: 'MUSTER_POOL_SIZE',
    default: '10',
    about:
      'Most connections for plain reads, and for creates; a process opens at most 3.5 times as many, rounded up for each pool, and five more.',
  },
  { name: 'MUSTER_CACHE_MB', default: '64', about: 'Most megabytes of answers kept in memory; 0 keeps none.' },
  {
    name: 'MUSTER_METRICS_PORT',
    about: 'Port on which Prometheus is answered, for all workers together; none unless set.',
  },
  { name: 'MUSTER_METRICS_HOST', default: '127.0.0.1', about: 'Address to listen on for that.' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    about:
      'Address of an OpenTelemetry collector that takes traces by HTTP, such as http://127.0.0.1:4318; none unless set.',
  },
  {
    name: 'MUSTER_LOG_LEVEL',
    default: 'info',
    about: 'Least severe lines to log: trace, debug, info, warn, error, silent.',
  },
] as const satisfies readonly Setting[]

type SettingName = (typeof settings)[number]['name']
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_MIGRATE_URL' | 'DATABASE_READ_URL'
export type Environment = Readonly<Record<string, string | undefined>>

const poolers = ['none', 'transaction'] as const
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

export interface Config {
  readonly databaseUrl: string
  readonly readUrl: string
  readonly replicaUrls: readonly string[]
  readonly pooler: (typeof poolers)[number]
  readonly host: string
  readonly port: number
  readonly workers: number
  readonly poolSize: number
  readonly cacheBytes: number
  readonly reads: ReadMode
  readonly limits: LimitSettings
  readonly trustedProxies: readonly string[]
  readonly corsOrigins: readonly string[]
  /** Where Prometheus is answered. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  readonly tracesEndpoint: string | undefined
  readonly logLevel: (typeof logLevels)[number]
}

export const readConfig = (env: Environment): Config =>
  Object.freeze({
    databaseUrl: readDatabaseUrl(env),
    readUrl: readDatabaseUrl(env, 'DATABASE_READ_URL'),
    replicaUrls: readReplicaUrls(env),
    pooler: readChoice(env, 'DATABASE_POOLER', poolers),
    host: read(env, 'HOST') as string,
    port: readInteger(env, 'PORT', 0, 65_535),
    workers: readInteger(env, 'MUSTER_WORKERS', 1, 256),
    poolSize: readInteger(env, 'MUSTER_POOL_SIZE', 1, 1_000),
    cacheBytes: readInteger(env, 'MUSTER_CACHE_MB', 0, 65_536) * 1_000_000,
    reads: readReads(env),
    limits: readLimits(env),
    trustedProxies: readTrustedProxies(env),
    corsOrigins: readCorsOrigins(env),
    metrics: readMetrics(env),
    tracesEndpoint: readTracesEndpoint(env),
    logLevel: readChoice(env, 'MUSTER_LOG_LEVEL', logLevels),
  })

/** The tokens by what they are good for; those of creates are good for reads too. */
export interface TokenLists {
  /** None where writes are not configured. */
  readonly write: readonly string[]
  readonly read: readonly string[]
}

export const noTokens: TokenLists = { write: [], read: [] }

const tokenFiles = [
  ['MUSTER_API_TOKEN', 'MUSTER_API_TOKEN_FILE'],
  ['MUSTER_API_TOKEN_PREVIOUS', 'MUSTER_API_TOKEN_PREVIOUS_FILE'],
  ['MUSTER_READ_TOKEN', 'MUSTER_READ_TOKEN_FILE'],
] as const satisfies readonly (readonly [SettingName, SettingName])[]

export const readTokens = (env: Environment): TokenLists => {
  const [current, previous, read] = tokenFiles.map(([name, fileName]) => readSecret(env, name, fileName))
  const given = (tokens: readonly (string | undefined)[]) => tokens.filter((token) => token !== undefined)
  return { write: given([current, previous]), read: given([read]) }
}

/** Warnings, not errors: a token file may be empty on purpose, for example while a token is being retired. */
export const emptyTokenFiles = (env: Environment): string[] => {
  const { write } = readTokens(env)
  return tokenFiles
    .filter(([name, fileName]) => isSet(env, fileName) && readSecret(env, name, fileName) === undefined)
    .map(([name, fileName]) => {
      const effect = write.length === 0 && name === 'MUSTER_API_TOKEN' ? ', so creates are disabled' : ''
      return `${fileName} names ${read(env, fileName)}, which is empty${effect}: write a token into it, or unset ${fileName}.`
    })
}

/** Asked at start alone: a token that is taken away later leaves nobody who may read, which is what was wanted. */
const readReads = (env: Environment): ReadMode => {
  const reads = readChoice(env, 'MUSTER_READS', readModes)
  const { write, read } = readTokens(env)
  if (reads !== 'public' && write.length + read.length === 0)
    throw new OperatorError(`MUSTER_READS is ${reads}, which needs a token: set MUSTER_READ_TOKEN or MUSTER_API_TOKEN.`)
  return reads
}

/** Sentences for whoever starts the service about settings that work but are likely mistakes. */
export const settingWarnings = (env: Environment, { write, read }: TokenLists): string[] => {
  const known = new Set<string>(settings.map(({ name }) => name))
  const unknown = Object.keys(env).filter((name) => name.startsWith('MUSTER_') && !known.has(name))
  return [
    ...unknown.map((name) => `The setting ${name} is not known${settingMeant(name)}`),
    ...([...write, ...read].some((token) => token.length < 32)
      ? ['A token has fewer than 32 characters and can be guessed: make one with `openssl rand -hex 32`.']
      : []),
    ...(multipliesLimits(env)
      ? ['Each worker counts its callers for itself, so that limits are as many times higher: set REDIS_URL.']
      : []),
    ...emptyTokenFiles(env),
    ...(isSet(env, 'REDIS_URL') && !limitNames.some((name) => isSet(env, name))
      ? ['REDIS_URL is set and no rate limit is, so Redis is not used: set a limit, or remove REDIS_URL.']
      : []),
  ]
}

/** Compared without the prefix, which would make all names similar; so MUSTER_PORT suggests PORT. */
const settingMeant = (name: string): string => {
  const bare = (setting: string): string => setting.replace(/^MUSTER_/, '')
  const meant = suggestion(
    bare(name),
    settings.map((setting) => bare(setting.name)),
  )
  const known = settings.find((setting) => bare(setting.name) === meant)
  return known === undefined ? '.' : `; did you mean ${known.name}?`
}

const readMetrics = (env: Environment): Config['metrics'] =>
  isSet(env, 'MUSTER_METRICS_PORT')
    ? { host: read(env, 'MUSTER_METRICS_HOST') as string, port: readInteger(env, 'MUSTER_METRICS_PORT', 0, 65_535) }
    : undefined

const readTracesEndpoint = (env: Environment): string | undefined => {
  const endpoint = read(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint !== undefined && !(/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
    throw new OperatorError('OTEL_EXPORTER_OTLP_ENDPOINT should start with http:// or https://.')
  if (endpoint !== undefined && new URL(endpoint).username + new URL(endpoint).password !== '')
    throw new OperatorError(
      'OTEL_EXPORTER_OTLP_ENDPOINT holds a user or a password, which cannot be sent with spans: let a collector on this machine pass them on.',
    )
  return endpoint
}

const limitNames = [
  'MUSTER_RATE_LIMIT_READS',
  'MUSTER_RATE_LIMIT_WRITES',
  'MUSTER_RATE_LIMIT_AUTH_FAILURES',
] as const satisfies readonly SettingName[]

const multipliesLimits = (env: Environment): boolean =>
  limitNames.some((name) => isSet(env, name)) && Number(read(env, 'MUSTER_WORKERS')) > 1 && !isSet(env, 'REDIS_URL')

const readLimits = (env: Environment): LimitSettings => {
  const limit = (name: SettingName) =>
    read(env, name) === undefined ? undefined : readInteger(env, name, 1, 999_999_999)
  const redisUrl = read(env, 'REDIS_URL')
  if (redisUrl !== undefined && !/^rediss?:\/\//.test(redisUrl))
    throw new OperatorError('REDIS_URL should start with redis:// or rediss://.')
  return {
    reads: limit('MUSTER_RATE_LIMIT_READS'),
    writes: limit('MUSTER_RATE_LIMIT_WRITES'),
    authFailures: limit('MUSTER_RATE_LIMIT_AUTH_FAILURES'),
    redisUrl,
  }
}

const readList = (env: Environment, name: SettingName): readonly string[] =>
  (read(env, name) ?? '')
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')

/** As browsers write them, so that they can be compared letter for letter. */
const readCorsOrigins = (env: Environment): readonly string[] => {
  const given = readList(env, 'MUSTER_CORS_ORIGINS')
  for (const origin of given) {
    if (!/^https?:\/\//.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new OperatorError(
        `MUSTER_CORS_ORIGINS should hold origins as browsers write them, such as https://hr.example.com, and holds "${origin}".`,
      )
  }
  return given
}

const readTrustedProxies = (env: Environment): readonly string[] => {
  const given = readList(env, 'MUSTER_TRUST_PROXY')
  for (const proxy of given) {
    const [address = '', bits = '0'] = proxy.split('/')
    const most = isIPv6(address) ? 128 : 32
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most)
      throw new OperatorError(
        `MUSTER_TRUST_PROXY should hold addresses or networks, such as 10.0.0.0/8, and holds "${proxy}".`,
      )
  }
  return given
}

const read = (env: Environment, name: SettingName): string | undefined => {
  const value = env[name]?.trim()
  if (value !== undefined && value !== '') return value
  const setting: Setting | undefined = settings.find((candidate) => candidate.name === name)
  return setting?.default
}

/** The environment with the addresses that stand in files, so that whoever reads one need not know where it came from. */
export const withAddressFiles = (env: Environment): Environment => {
  const found = addressFiles.map(([name, fileName]) => {
    const address = readSecret(env, name, fileName)?.trim()
    if (address === undefined && isSet(env, fileName))
      throw new OperatorError(`${fileName} names ${read(env, fileName)}, which is empty: write the address into it.`)
    return [name, address] as const
  })
  return { ...env, ...Object.fromEntries(found.filter(([, address]) => address !== undefined)) }
}

const addressFiles = [
  ['DATABASE_URL', 'DATABASE_URL_FILE'],
  ['DATABASE_MIGRATE_URL', 'DATABASE_MIGRATE_URL_FILE'],
  ['DATABASE_READ_URL', 'DATABASE_READ_URL_FILE'],
  ['DATABASE_REPLICA_URLS', 'DATABASE_REPLICA_URLS_FILE'],
  ['REDIS_URL', 'REDIS_URL_FILE'],
] as const satisfies readonly (readonly [SettingName, SettingName])[]

export const isSet = (env: Environment, name: SettingName): boolean => read(env, name) !== undefined

/** The address under a name, or else DATABASE_URL; a complaint names the one that is wrong. */
export const readDatabaseUrl = (env: Environment, wanted: DatabaseSetting = 'DATABASE_URL'): string => {
  const name = isSet(env, wanted) ? wanted : 'DATABASE_URL'
  const value = read(env, name)
  if (value === undefined)
    throw new OperatorError(
      'DATABASE_URL is not set: give it the address of a PostgreSQL database, such as postgres://user@127.0.0.1:5432/muster.',
    )
  judgeDatabaseUrl(env, name, value)
  return value
}

const readReplicaUrls = (env: Environment): readonly string[] => {
  const name = 'DATABASE_REPLICA_URLS'
  const given = readList(env, name)
  for (const url of given) judgeDatabaseUrl(env, name, url)
  return given
}

/** Throws if the URL cannot be used; `name` is the setting or option that holds it. */
export const judgeDatabaseUrl = (env: Environment, name: string, url: string): void => {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new OperatorError(`${name} should start with postgres:// or postgresql://.`)
  if (hasUnescapedCharacter(url))
    throw new OperatorError(
      `${name} has a character in its password (or user name) that must be percent-encoded: write @ as %40, / as %2F, # as %23, ? as %3F and % as %25.`,
    )
  if (!URL.canParse(url))
    throw new OperatorError(`${name} is not a URL: write it as postgres://user:password@host:5432/database.`)
  const { pathname } = new URL(url)
  // libpq and the driver would use the user name instead.
  if (pathname === '' || pathname === '/')
    throw new OperatorError(
      `${name} names no database: add its name at the end, such as postgres://user@127.0.0.1:5432/muster.`,
    )
  refuseHalfVerified(env, name, url)
}

/**
 * Whether a URL parser would end the password early. It would take the rest of the password for a host, port or database,
 * which would then appear in error messages.
 */
const hasUnescapedCharacter = (url: string): boolean => {
  const [, authority = '', path = '', query = ''] = /^[a-z]+:\/\/([^/?#]*)([^?#]*)(.*)$/s.exec(url) ?? []
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')))
  // A database URL has no fragment, and no unencoded @ in the database name.
  if (query.includes('#') || path.includes('@') || /%(?![0-9a-f]{2})/i.test(user)) return true
  // user:secret?more@host has no path before the query, and its port is not a number.
  return !authority.includes('@') && query.includes('@') && (path === '' || /:.*\D/.test(authority))
}

/**
 * Encrypted and verified, or neither: what lies between means one thing to libpq and another to the driver, and encrypts
 * for whoever answers.
 */
const refuseHalfVerified = (env: Environment, name: string, url: string): void => {
  const parameters = new URLSearchParams(url.split('?')[1] ?? '')
  const [mode, ...others] = parameters.getAll('sslmode')
  const odd = ['ssl', 'uselibpqcompat'].find((parameter) => parameters.has(parameter))
  if (others.length > 0 || odd !== undefined || !['verify-full', 'disable', undefined].includes(mode))
    throw new OperatorError(
      `${name} should say sslmode=verify-full, with sslrootcert=FILE for an authority of your own, and not ${odd ?? `sslmode=${[mode, ...others].join(' and ')}`}.`,
    )
  if (mode === 'verify-full' && env.NODE_TLS_REJECT_UNAUTHORIZED?.trim() === '0')
    throw new OperatorError(`NODE_TLS_REJECT_UNAUTHORIZED=0 undoes the sslmode=verify-full of ${name}: unset it.`)
}

const readInteger = (env: Environment, name: SettingName, min: number, max: number): number => {
  const value = read(env, name) ?? ''
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max))
    throw new OperatorError(`${name} should be a whole number from ${min} to ${max}, and is "${value}".`)
  return number
}

const readChoice = <T extends string>(env: Environment, name: SettingName, choices: readonly T[]): T => {
  const value = read(env, name)
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined)
    throw new OperatorError(`${name} should be one of ${choices.join(', ')}, and is "${value}".`)
  return choice
}

const readSecret = (env: Environment, name: SettingName, fileName: SettingName): string | undefined => {
  const value = env[name]?.trim() === '' ? undefined : env[name]
  const file = read(env, fileName)
  if (value !== undefined && file !== undefined)
    throw new OperatorError(`Both ${name} and ${fileName} are set: keep one of them.`)
  const secret = file === undefined ? value : readSecretFile(fileName, file)
  return secret === undefined || secret.trim() === '' ? undefined : secret
}

const readSecretFile = (name: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new OperatorError(`${name} names ${file}, which cannot be read: ${readFaults[code] ?? code}.`)
  }
}

const readFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user has no permission',
  EISDIR: 'it is a directory',
}
