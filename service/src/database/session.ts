/** In charge of a command's session with the database: open for its work, closed whatever happens, its faults told in sentences. */
import { Client } from 'pg'
import { explainDatabaseFault } from './operator-error.ts'

/** The server knows the session by the name of the command. */
export const withSession = async <T>(
  connectionString: string,
  command: string,
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  const client = new Client({
    connectionString,
    application_name: `muster-${command}`,
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener a server that goes away would end the process; the query in hand reports it anyway.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw explainDatabaseFault(error, connectionString) ?? error
  } finally {
    await client.end()
  }
}
