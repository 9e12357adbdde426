/** In charge of opening what requests are served with, and of closing it again. */
import type { ReadMode } from '@muster/model'
import type { Config, TokenLists } from './config.ts'
import { openBooks } from './database/books.ts'
import type { DatabaseObserver } from './database/database.ts'
import { openDatabase } from './database/database.ts'
import { readMigrationFiles } from './database/migrate.ts'
import type { ReplicaState } from './database/replicas.ts'
import { openReplicas } from './database/replicas.ts'
import { keepUp } from './database/upkeep.ts'
import type { WatchOptions } from './database/watch.ts'
import { watchDatabase } from './database/watch.ts'
import { openAdmission } from './http/admission.ts'
import { openFreshAnswers } from './http/fresh-answers.ts'
import type { LimitSettings } from './http/rate-limits.ts'
import { readAccess } from './http/read-access.ts'
import type { Services } from './http/routes.ts'
import { openTokens } from './http/tokens.ts'
import { writeAccess } from './http/write-access.ts'
import { openPlaces } from './operations/places.ts'
import { openSelections } from './operations/selections.ts'

export interface ServicesOptions {
  readonly databaseUrl: string
  readonly readUrl?: string
  readonly replicaUrls?: readonly string[]
  readonly pooler?: Config['pooler']
  readonly poolSize: number
  readonly cacheBytes: number
  readonly reads: ReadMode
  readonly tokens: TokenLists
  readonly limits?: LimitSettings
  readonly trustedProxies?: readonly string[]
  readonly corsOrigins?: readonly string[]
  readonly observer?: DatabaseObserver | undefined
}

export interface OpenServices extends Services {
  readonly replicas: readonly ReplicaState[]
  /** Begins to look after the database; what goes wrong in its upkeep is told, and stops nothing. */
  watch(onChange: WatchOptions['onChange'], onFault: (error: unknown) => void): void
  /** Says not ready from now on, while the requests in hand are still served. */
  drain(): void
  /** Takes other tokens into use. */
  replaceTokens(tokens: TokenLists): void
  close(): Promise<void>
}

/** Matching ids are small beside the pages they lead to. */
const selectionShare = 0.25

export const openServices = ({
  databaseUrl,
  readUrl = databaseUrl,
  replicaUrls = [],
  pooler,
  poolSize,
  cacheBytes,
  reads,
  tokens,
  limits = {},
  trustedProxies = [],
  corsOrigins = [],
  observer,
}: ServicesOptions): OpenServices => {
  const database = openDatabase({ url: databaseUrl, readUrl, pooler, poolSize, observer })
  const books = openBooks(database, replicaUrls.length > 0)
  const replicas =
    replicaUrls.length === 0
      ? undefined
      : openReplicas({ urls: replicaUrls, primary: database, books, pooler, poolSize, observer })
  const reader = replicas ?? database
  const writers = openTokens(tokens.write)
  const readers = openTokens([...tokens.write, ...tokens.read])
  const stop = new AbortController()
  let watching = Promise.resolve()
  let draining = false
  return {
    database,
    reader,
    replicas: replicas?.states ?? [],
    access: writeAccess(writers),
    readers: readAccess(reads, readers),
    limits,
    trustedProxies,
    admission: openAdmission(trustedProxies),
    corsOrigins,
    places: openPlaces(),
    selections: openSelections(cacheBytes * selectionShare),
    answers: openFreshAnswers(books, cacheBytes * (1 - selectionShare), reads),
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
        await watchDatabase({ database, url: databaseUrl, readUrl, files, onChange, signal })
      }
      const works = [watchSchema(), keepUp(database, signal, onFault), replicas?.watch(signal)]
      watching = Promise.all(works).then(() => {}, onFault)
    },
    replaceTokens({ write, read }) {
      writers.replace(write)
      readers.replace([...write, ...read])
    },
    async close() {
      stop.abort()
      database.setReady(false)
      await watching
      await replicas?.close()
      await database.close()
    },
  }
}
