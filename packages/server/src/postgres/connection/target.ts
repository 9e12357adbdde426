/** Which server, database and user a database URL names, for messages; never the password. */
import { Client } from 'pg'

export interface Target {
  /** Host and port, or the folder of a socket. */
  readonly server: string
  readonly database: string
  /** Undefined if neither the URL nor the environment names a user. */
  readonly user: string | undefined
  /** Whether the URL itself names the user; otherwise the driver uses PGUSER or USER. */
  readonly namesUser: boolean
}

/** Undefined if the text is not a URL. */
export const targetOf = (connectionString: string): Target | undefined => {
  if (!URL.canParse(connectionString)) return undefined
  const url = new URL(connectionString)
  // The driver would read these files in its constructor.
  for (const file of ['sslcert', 'sslkey', 'sslrootcert']) url.searchParams.delete(file)
  try {
    // The driver fills in from the environment what the URL leaves out. This does not connect.
    const { host, port, user, database } = new Client({ connectionString: url.href })
    return {
      server: host.startsWith('/') ? `the socket in ${host}` : `${host.includes(':') ? `[${host}]` : host}:${port}`,
      database: database ?? '',
      user: user || undefined,
      namesUser: url.username !== '',
    }
  } catch {
    return undefined
  }
}
