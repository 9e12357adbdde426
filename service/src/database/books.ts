/** In charge of reading the books: the version of every resource, never older than the moment it was asked for. */
import type { Database } from './database.ts'
import { versionOf } from './statement.ts'

export interface Versions {
  /** The version of a table: changes with every change of it, whoever made it, and never comes back. */
  of(table: string): string
}

export interface Books {
  /** From a statement that starts after this call; one such statement serves everybody who waits. */
  versions(): Promise<Versions>
}

/** The line without a name is always there: a table that never changed has none of its own. */
const text = `select resource, ${versionOf("sum(changes) filter (where resource <> '')")} from muster_ledger group by resource`

export const openBooks = (database: Database): Books => {
  let running: Promise<Versions> | undefined
  let waiting: Promise<Versions> | undefined

  const read = async (): Promise<Versions> => {
    const rows = await database.look({ name: 'versions', text, values: [] })
    const versions = new Map(rows as readonly (readonly [string, string])[])
    const unchanged = versions.get('') ?? ''
    return { of: (table) => versions.get(table) ?? unchanged }
  }
  const start = (): Promise<Versions> => {
    running = read().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    versions() {
      if (running === undefined) return start()
      // The read under way may have begun before a change that the caller knows of: wait for the next one.
      waiting ??= running
        .catch(() => undefined)
        .then(() => {
          waiting = undefined
          return start()
        })
      return waiting
    },
  }
}
