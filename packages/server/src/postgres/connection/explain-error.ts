import { OperatorError } from '../../errors.ts'
import type { Target } from './target.ts'
import { targetOf } from './target.ts'

export { OperatorError }

const invalidUrl =
  'The database URL is not valid: write it as postgres://user:password@host:5432/database, with special characters percent-encoded.'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** An error that tells the operator what to do, never with the password; undefined if the operator cannot fix it. */
export const explainDatabaseError = (error: unknown, connectionString: string): OperatorError | undefined => {
  if (error instanceof OperatorError) return error
  if (!(error instanceof Error)) return undefined
  // The driver reads certificate files for every connection. A missing Unix socket has the same code, ENOENT.
  if ('syscall' in error && error.syscall === 'open')
    return new OperatorError(`A certificate named in the database URL cannot be read (${error.message}).`, {
      cause: error,
    })
  const target = targetOf(connectionString)
  const message = target === undefined ? invalidUrl : messageFor(codeOf(error), error.message, target)
  return message === undefined ? undefined : new OperatorError(message, { cause: error })
}

const messageFor = (code: string, message: string, target: Target): string | undefined => {
  const { server, database, user } = target
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No PostgreSQL listens at ${server}: start it, or correct the database URL.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The database host ${server} cannot be resolved: correct the database URL.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `PostgreSQL at ${server} cannot be reached: check the network and the database URL.`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `PostgreSQL at ${server} presents a certificate for another host: correct the database URL, or the certificate.`
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `PostgreSQL at ${server} presents a certificate that is not valid now (${message}): renew it.`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_SIGNATURE_FAILURE':
      return `PostgreSQL at ${server} presents a certificate from an untrusted authority (${message}): set sslrootcert to the right one.`
    case '28P01':
      return `PostgreSQL at ${server} refuses the password of "${user}": correct the database URL.`
    case '28000':
      return loginMessage(message, target)
    case '3D000':
      return `PostgreSQL at ${server} has no database "${database}": create it with encoding UTF8, for example with createdb.`
    case '42704':
      return /^role .+ does not exist$/.test(message)
        ? `The ${message}: have an administrator run the output of "muster roles".`
        : undefined
    case '42501':
      return `"${user}" lacks a permission (${message}): grant it, or connect as a role that has it; for migrations, set DATABASE_MIGRATE_URL.`
    case '25006':
      return `PostgreSQL at ${server} does not accept writes now (${message}): correct the database URL if it names a standby.`
    case '53100':
      return `PostgreSQL at ${server} has no disk space left (${message}): free some.`
    case '55P03':
      return `A statement waited too long for a lock (${message}): check pg_stat_activity for the transaction that holds it.`
    case '57014':
      return `A statement took too long or was cancelled (${message}): check the log of PostgreSQL at ${server}.`
    case '53300':
      return `PostgreSQL at ${server} has no free connections: close some, or raise max_connections.`
    case '57P03':
      return `PostgreSQL at ${server} is starting or stopping: try again in a moment.`
    default:
      return messageForDriverError(message, target)
  }
}

const loginMessage = (message: string, { server, database, user, namesUser }: Target): string => {
  if (user === undefined)
    return `The database URL names no user, and neither PGUSER nor USER is set: write it as postgres://user@${server}/${database}.`
  const userText = namesUser ? `"${user}"` : `"${user}" (the user of this session, since the database URL names none)`
  return `PostgreSQL at ${server} does not let ${userText} connect (${message}): create the role, allow it in pg_hba.conf, or name another user in the URL.`
}

/** These errors of the driver have no code, only a message. */
const messageForDriverError = (message: string, { server, user }: Target): string | undefined => {
  if (/password must be a (non-empty )?string/.test(message))
    return `PostgreSQL at ${server} requires a password for "${user}": add it to the database URL.`
  if (/timeout expired|Connection terminated due to connection timeout/.test(message))
    return `PostgreSQL at ${server} does not respond in time: check the network and the database URL.`
  if (/unsupported startup parameter/.test(message))
    return `The connection pooler at ${server} rejects session settings: set DATABASE_POOLER=transaction.`
  if (/does not support SSL/.test(message))
    return `PostgreSQL at ${server} does not support TLS: remove sslmode from the database URL, or enable TLS there.`
  if (/extension "\w+" is not available/.test(message))
    return `PostgreSQL at ${server} lacks the contrib extensions (${message}): install the postgresql-contrib package there.`
  return undefined
}
