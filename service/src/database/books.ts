/** In charge of reading the books: the version of every resource, never older than the moment it was asked for. */
import type { Database } from './database.ts'

export interface Versions {
  /** The version of a table: changes with every change of it, whoever made it, and never comes back. */
  of(table: string): string
}

export interface Books {
  /** From a statement that starts after this call; one such statement serves everybody who waits. */
  versions(): Promise<Versions>
  /** The version that belongs to a count of changes read in the snapshot of some other statement, which has ended. */
  versionOf(changes: number): Promise<string>
}

const text =
  'select resource, sum(changes)::bigint, extract(epoch from pg_postmaster_start_time())::text from muster_ledger group by resource'

export const openBooks = (database: Database): Books => {
  let running: Promise<Versions> | undefined
  let waiting: Promise<Versions> | undefined
  /** Counts start over in a database made anew and go back in a restored one; neither happens behind an open connection. */
  let era = ''
  let eraConnections = -1

  const read = async (): Promise<Versions> => {
    const connections = database.connectionsMade
    const rows = await database.look({ name: 'versions', text, values: [] })
    const identity = rows.find(([resource]) => resource === '')
    const now = `${identity?.[1]}.${identity?.[2]}`
    const changes = new Map(rows.map(([resource, count]) => [resource, count]))
    era = now
    eraConnections = connections
    return { of: (table) => `${now}.${changes.get(table) ?? 0}` }
  }
  const start = (): Promise<Versions> => {
    running = read().finally(() => {
      running = undefined
    })
    return running
  }
  const versions = (): Promise<Versions> => {
    if (running === undefined) return start()
    // The read under way may have begun before a change that the caller knows of: wait for the next one.
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined
        return start()
      })
    return waiting
  }
  return {
    versions,
    async versionOf(changes) {
      if (eraConnections !== database.connectionsMade) await versions()
      return `${era}.${changes}`
    },
  }
}
