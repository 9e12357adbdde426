import { OperatorError } from '../errors.ts'
import type { Environment } from './read-setting.ts'
import { isSet, readList, readSetting } from './read-setting.ts'

export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_MIGRATE_URL' | 'DATABASE_READ_URL' | 'DATABASE_ANALYST_URL'

/** Reads the setting, or DATABASE_URL if it is not set. */
export const readDatabaseUrl = (env: Environment, setting: DatabaseSetting = 'DATABASE_URL'): string => {
  const name = isSet(env, setting) ? setting : 'DATABASE_URL'
  const value = readSetting(env, name)
  if (value === undefined)
    throw new OperatorError(
      'DATABASE_URL is not set: set it to the URL of a PostgreSQL database, such as postgres://user@127.0.0.1:5432/muster.',
    )
  validateDatabaseUrl(env, name, value)
  return value
}

export const readReplicaUrls = (env: Environment): readonly string[] => {
  const name = 'DATABASE_REPLICA_URLS'
  const urls = readList(env, name)
  for (const url of urls) validateDatabaseUrl(env, name, url)
  return urls
}

/** Throws if the URL cannot be used; `name` is the setting or option that holds it. */
export const validateDatabaseUrl = (env: Environment, name: string, url: string): void => {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new OperatorError(`${name} must start with postgres:// or postgresql://.`)
  if (hasUnescapedCharacter(url))
    throw new OperatorError(
      `${name} has a character in its password (or user name) that must be percent-encoded: write @ as %40, / as %2F, # as %23, ? as %3F and % as %25.`,
    )
  if (!URL.canParse(url))
    throw new OperatorError(`${name} is not a URL: write it as postgres://user:password@host:5432/database.`)
  const { pathname } = new URL(url)
  // If the URL names no database, libpq and the driver use the one named like the user.
  if (pathname === '' || pathname === '/')
    throw new OperatorError(
      `${name} names no database: add its name at the end, such as postgres://user@127.0.0.1:5432/muster.`,
    )
  requireVerifiedTls(env, name, url)
}

/**
 * Whether the password contains an unescaped character at which a URL parser would end it. The parser would take the
 * rest of the password for a host, port or database, which would then appear in error messages.
 */
const hasUnescapedCharacter = (url: string): boolean => {
  const [, authority = '', path = '', query = ''] = /^[a-z]+:\/\/([^/?#]*)([^?#]*)(.*)$/s.exec(url) ?? []
  const userInfo = authority.slice(0, Math.max(0, authority.lastIndexOf('@')))
  // A database URL has no fragment, and no unencoded @ in the database name.
  if (query.includes('#') || path.includes('@') || /%(?![0-9a-f]{2})/i.test(userInfo)) return true
  // In postgres://user:secret?more@host the password contains a question mark: then no path precedes the query, or the
  // port is not a number.
  return !authority.includes('@') && query.includes('@') && (path === '' || /:.*\D/.test(authority))
}

/**
 * Allows sslmode=verify-full or no TLS. libpq and the driver disagree about the modes in between, which encrypt without
 * verifying the server.
 */
const requireVerifiedTls = (env: Environment, name: string, url: string): void => {
  const parameters = new URLSearchParams(url.split('?')[1] ?? '')
  const [mode, ...others] = parameters.getAll('sslmode')
  const unsupportedParameter = ['ssl', 'uselibpqcompat'].find((parameter) => parameters.has(parameter))
  if (others.length > 0 || unsupportedParameter !== undefined || !['verify-full', 'disable', undefined].includes(mode))
    throw new OperatorError(
      `${name} must use sslmode=verify-full, with sslrootcert=FILE for your own certificate authority, not ${unsupportedParameter ?? `sslmode=${[mode, ...others].join(' and ')}`}.`,
    )
  if (mode === 'verify-full' && env.NODE_TLS_REJECT_UNAUTHORIZED?.trim() === '0')
    throw new OperatorError(`NODE_TLS_REJECT_UNAUTHORIZED=0 disables the sslmode=verify-full of ${name}: unset it.`)
}
