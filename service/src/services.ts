/** In charge of opening what requests are served with, and of closing it again. */
import type { Config } from './config.ts'
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
  readonly pooler?: Config['pooler']
  readonly poolSize: number
  readonly cacheBytes: number
  readonly tokens: readonly string[]
}

export interface OpenServices extends Services {
  /** Begins to look after the database; what goes wrong in its upkeep is told, and stops nothing. */
  watch(onChange: WatchOptions['onChange'], onFault: (error: unknown) => void): void
  /** Says not ready from now on, while the requests in hand are still served. */
  drain(): void
  close(): Promise<void>
}

/** Matching ids are small beside the pages they lead to. */
const selectionShare = 0.25

export const openServices = ({ databaseUrl, pooler, poolSize, cacheBytes, tokens }: ServicesOptions): OpenServices => {
  const database = openDatabase({ url: databaseUrl, pooler, poolSize })
  const books = openBooks(database)
  const stop = new AbortController()
  let watching = Promise.resolve()
  let draining = false
  return {
    database,
    access: writeAccess(tokens),
    places: openPlaces(database),
    selections: openSelections(database, cacheBytes * selectionShare),
    answers: openFreshAnswers(books, cacheBytes * (1 - selectionShare)),
    get draining() {
      return draining
    },
    drain() {
      draining = true
    },
    watch(onChange, onFault) {
      const { signal } = stop
      const watchSchema = async () => {
        const files = await readMigrationFiles()
        await watchDatabase({ database, url: databaseUrl, files, onChange, signal })
      }
      watching = Promise.all([watchSchema(), keepUp(database, signal, onFault)]).then(() => {}, onFault)
    },
    async close() {
      stop.abort()
      database.setReady(false)
      await watching
      await database.close()
    },
  }
}
