/** In charge of opening what requests are served with, and of closing it again. */
import { openBooks } from './database/books.ts'
import { openDatabase } from './database/database.ts'
import { readMigrationFiles } from './database/migrate.ts'
import { keepUp } from './database/upkeep.ts'
import type { WatchOptions } from './database/watch.ts'
import { watchDatabase } from './database/watch.ts'
import { openFreshAnswers } from './http/fresh-answers.ts'
import type { Services } from './http/routes.ts'
import { writeAccess } from './http/write-access.ts'
import { openPlaces } from './operations/places.ts'
import { openSelections } from './operations/selections.ts'

export interface ServicesOptions {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly cacheBytes: number
  readonly tokens: readonly string[]
}

export interface OpenServices extends Services {
  /** Begins to look after the database; the promise ends when `close` has been called. */
  watch(onChange: WatchOptions['onChange']): Promise<void>
  close(): Promise<void>
}

/** Matching ids are small beside the pages they lead to. */
const selectionShare = 0.25

export const openServices = ({ databaseUrl, poolSize, cacheBytes, tokens }: ServicesOptions): OpenServices => {
  const database = openDatabase({ url: databaseUrl, poolSize })
  const books = openBooks(database)
  const stop = new AbortController()
  let watching = Promise.resolve()
  return {
    database,
    access: writeAccess(tokens),
    places: openPlaces(database),
    selections: openSelections(database, books, cacheBytes * selectionShare),
    answers: openFreshAnswers(books, cacheBytes * (1 - selectionShare)),
    watch(onChange) {
      watching = (async () => {
        const files = await readMigrationFiles()
        const { signal } = stop
        await Promise.all([
          watchDatabase({ database, url: databaseUrl, files, onChange, signal }),
          keepUp(database, signal),
        ])
      })()
      return watching
    },
    async close() {
      stop.abort()
      database.setReady(false)
      await watching
      await database.close()
    },
  }
}
