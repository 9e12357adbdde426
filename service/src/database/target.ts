/** Which server, database and user a database URL leads to, for messages; never the password. */
import { Client } from 'pg'

export interface Target {
  /** Host and port, or the folder of a socket. */
  readonly server: string
  readonly database: string
  /** Undefined where neither the URL nor the environment names one. */
  readonly user: string | undefined
  /** Whether the URL itself names the user; else the driver takes PGUSER or USER. */
  readonly namesUser: boolean
}

/** Undefined where the text is not a URL. */
export const targetOf = (connectionString: string): Target | undefined => {
  if (!URL.canParse(connectionString)) return undefined
  const url = new URL(connectionString)
  // The driver would read these files here.
  for (const file of ['sslcert', 'sslkey', 'sslrootcert']) url.searchParams.delete(file)
  try {
    // Asked of the driver, which takes what the URL leaves out from the environment. It connects to nothing yet.
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
