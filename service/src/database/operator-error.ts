/** In charge of faults that only the operator can mend: each is one sentence that names the cure. */

import { OperatorError } from '../errors.ts'
import type { Target } from './target.ts'
import { targetOf } from './target.ts'

export { OperatorError }

const notAnAddress =
  'The database address is not a URL: write it as postgres://user:password@host:5432/database, with special characters percent-encoded.'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The sentence for a database fault the operator can mend, never with the password in it; undefined for any other. */
export const explainDatabaseFault = (error: unknown, connectionString: string): OperatorError | undefined => {
  if (error instanceof OperatorError) return error
  if (!(error instanceof Error)) return undefined
  // Read by the driver for every connection; a socket that is not there has a fault of the same code.
  if ('syscall' in error && error.syscall === 'open')
    return new OperatorError(`A certificate of the database address cannot be read (${error.message}).`, {
      cause: error,
    })
  const target = targetOf(connectionString)
  const sentence = target === undefined ? notAnAddress : sentenceFor(codeOf(error), error.message, target)
  return sentence === undefined ? undefined : new OperatorError(sentence, { cause: error })
}

const sentenceFor = (code: string, message: string, target: Target): string | undefined => {
  const { server, database, user } = target
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No PostgreSQL listens at ${server}: start it, or correct the database address.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The database host ${server} is not known here: correct the database address.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `PostgreSQL at ${server} cannot be reached: check the network and the database address.`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `PostgreSQL at ${server} shows the certificate of another host: correct the database address, or the certificate.`
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `PostgreSQL at ${server} shows a certificate that is not valid now (${message}): give it a new one.`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_SIGNATURE_FAILURE':
      return `PostgreSQL at ${server} shows a certificate of an authority that is not trusted here (${message}): name the right one in sslrootcert.`
    case '28P01':
      return `PostgreSQL at ${server} refuses the password of "${user}": correct the database address.`
    case '28000':
      return refusedUser(message, target)
    case '3D000':
      return `PostgreSQL at ${server} has no database "${database}": create it with encoding UTF8, for example with createdb.`
    case '42704':
      return /^role .+ does not exist$/.test(message)
        ? `The ${message}: let an administrator run what "muster roles" writes.`
        : undefined
    case '42501':
      return `"${user}" lacks a permission (${message}): grant it, or connect as a role that has it, for migrations by DATABASE_MIGRATE_URL.`
    case '25006':
      return `PostgreSQL at ${server} takes no writes now (${message}): correct the database address where it leads to a standby.`
    case '53100':
      return `PostgreSQL at ${server} has no room left on its disk (${message}): make some there.`
    case '55P03':
      return `A statement waited too long for a lock (${message}): look in pg_stat_activity for the transaction that holds it.`
    case '57014':
      return `A statement took too long or was cancelled (${message}): look in the log of PostgreSQL at ${server}.`
    case '53300':
      return `PostgreSQL at ${server} has no connection left: close some, or raise max_connections.`
    case '57P03':
      return `PostgreSQL at ${server} is starting or stopping: try again in a moment.`
    default:
      return sentenceForMessage(message, target)
  }
}

const refusedUser = (message: string, { server, database, user, namesUser }: Target): string => {
  if (user === undefined)
    return `The database address names no user, and neither PGUSER nor USER is set: write it as postgres://user@${server}/${database}.`
  const tried = namesUser ? `"${user}"` : `"${user}" (the user of this session, since the database address names none)`
  return `PostgreSQL at ${server} does not let ${tried} in (${message}): create the role, allow it in pg_hba.conf, or name another user in the address.`
}

/** The driver gives these faults no code. */
const sentenceForMessage = (message: string, { server, user }: Target): string | undefined => {
  if (/password must be a (non-empty )?string/.test(message))
    return `PostgreSQL at ${server} asks "${user}" for a password: add it to the database address.`
  if (/timeout expired|Connection terminated due to connection timeout/.test(message))
    return `PostgreSQL at ${server} does not answer in time: check the network and the database address.`
  if (/unsupported startup parameter/.test(message))
    return `The pooler at ${server} takes no settings at the start of a session: set DATABASE_POOLER=transaction.`
  if (/does not support SSL/.test(message))
    return `PostgreSQL at ${server} does not speak TLS: take sslmode out of the database address, or turn TLS on there.`
  if (/extension "\w+" is not available/.test(message))
    return `PostgreSQL at ${server} lacks its contributed extensions (${message}): install the postgresql-contrib package there.`
  return undefined
}
