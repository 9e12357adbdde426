import type { ClientConfig } from 'pg'
import { Client } from 'pg'
import { explainDatabaseError } from './explain-error.ts'

/** A pool, a client or a checked-out client. */
export interface Queryable {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>
}

/** Opens a session named after the command, always closes it, and explains database errors. */
export const withSession = async <T>(
  connectionString: string,
  command: string,
  work: (client: Client) => Promise<T>,
  options: ClientConfig = {},
): Promise<T> => {
  const client = new Client({
    ...options,
    connectionString,
    application_name: `muster-${command}`,
    connectionTimeoutMillis: 10_000,
  })
  // Without an `error` listener, a lost connection would crash the process. The running query rejects in any case.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw explainDatabaseError(error, connectionString) ?? error
  } finally {
    await client.end()
  }
}
