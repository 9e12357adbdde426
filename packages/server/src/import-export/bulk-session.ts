/** A database session that reads files into temporary tables and stores all of their rows in one transaction. */
import type { Client } from 'pg'
import { OperatorError } from '../errors.ts'
import { withSession } from '../postgres/connection/session.ts'
import { requireSchema } from '../postgres/schema/migrate.ts'

export const withBulkSession = <T>(
  connectionString: string,
  command: string,
  work: (client: Client) => Promise<T>,
): Promise<T> =>
  withSession(connectionString, command, async (client) => {
    await prepareSession(client)
    try {
      return await work(client)
    } catch (error) {
      throw explainConstraintError(error) ?? error
    }
  })

const prepareSession = async (client: Client): Promise<void> => {
  await client.query(
    `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set work_mem = '64MB';
     set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set client_encoding = 'UTF8'; set search_path = public`,
  )
  // Without this setting, the session of a killed command would keep storing rows and holding locks. Not every platform
  // supports this.
  await client.query('set client_connection_check_interval = 1000').catch(() => {})
  await requireSchema(client)
}

export const commitRows = async (client: Client): Promise<void> => {
  try {
    await client.query('commit')
  } catch (error) {
    if (sqlState(error) !== '') throw error
    throw new OperatorError(
      'The connection was lost during the commit: check whether the rows are stored before you try again.',
      { cause: error },
    )
  }
}

export const sqlState = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : ''
}

/** In a snapshot, PostgreSQL refuses to overwrite or lock what another session has changed since. */
export const explainConcurrentChange = (error: unknown): OperatorError | undefined =>
  ['40001', '40P01'].includes(sqlState(error))
    ? new OperatorError('Another session changed the same records meanwhile: nothing was changed; try again.', {
        cause: error,
      })
    : undefined

/**
 * All rows were checked before, so a constraint is violated only if another session has changed the database meanwhile.
 */
const explainConstraintError = (error: unknown): OperatorError | undefined => {
  if (!sqlState(error).startsWith('23')) return undefined
  const { constraint, message } = error as { constraint?: string; message: string }
  return new OperatorError(
    `The database rejected the rows (${constraint ?? message}), although they had passed the checks: nothing was stored; try again.`,
    { cause: error },
  )
}
