/** In charge of knowing whether the database can serve: asks it time and again, and says so once when that changes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './database.ts'
import type { MigrationFile, SchemaState } from './migrate.ts'
import { schemaState } from './migrate.ts'
import { explainDatabaseFault } from './operator-error.ts'

export interface WatchOptions {
  readonly database: Database
  readonly url: string
  readonly readUrl: string
  readonly files: readonly MigrationFile[]
  readonly onChange: (change: { ready: boolean; sentence: string }) => void
  readonly signal: AbortSignal
}

/** While it is away the pause varies, so that not all services knock at once when it comes back. */
const pauseMs = (ready: boolean): number => (ready ? 1_000 : 250 + Math.random() * 750)

/** Runs until the signal says stop; the first look is made at once. */
export const watchDatabase = async ({
  database,
  url,
  readUrl,
  files,
  onChange,
  signal,
}: WatchOptions): Promise<void> => {
  let said = ''
  let served = false
  while (!signal.aborted) {
    // Once it has served, creates themselves find out what is wrong with them, and reads go on without them.
    const unwritable: string | undefined = served ? undefined : await lookAtWriting(database, url)
    const { ready, sentence }: Look =
      unwritable === undefined ? await look(database, readUrl, files) : { ready: false, sentence: unwritable }
    if (signal.aborted) return
    database.setReady(ready)
    served ||= ready
    if (sentence !== said) onChange({ ready, sentence })
    said = sentence
    await pause(pauseMs(ready), undefined, { signal }).catch(() => {})
  }
}

interface Look {
  readonly ready: boolean
  readonly sentence: string
}

const lookAtWriting = async (database: Database, url: string): Promise<string | undefined> => {
  if (database.writers === database.pool) return undefined
  try {
    await database.writers.query('select')
    return undefined
  } catch (error) {
    return sentenceFor(error, url)
  }
}

const look = async (database: Database, url: string, files: readonly MigrationFile[]): Promise<Look> => {
  try {
    const found = await schemaState(database.lookout, files)
    return { ready: found.state === 'current' || found.state === 'expanded', sentence: schemaSentence(found) }
  } catch (error) {
    return { ready: false, sentence: sentenceFor(error, url) }
  }
}

const schemaSentence = ({ state, names }: SchemaState): string => {
  switch (state) {
    case 'current':
      return 'The database answers and its schema is this release’s.'
    case 'expanded':
      return `The database answers; a newer release expanded its schema by ${names.join(', ')}, which this one can serve with.`
    case 'missing':
      return `The database lacks ${names.length} of this release’s migrations: run "npm run migrate".`
    case 'newer':
      return `The database has migrations this release does not know (${names.join(', ')}): run the release that brought them.`
    case 'changed':
      return `The database was migrated with other versions of ${names.join(', ')}: run the release that did it.`
  }
}

const sentenceFor = (error: unknown, url: string): string => {
  try {
    const explained = explainDatabaseFault(error, url)
    if (explained !== undefined) return explained.message
  } catch (unreadable) {
    if (unreadable instanceof Error) return unreadable.message
  }
  return 'The database does not answer: start it, or correct DATABASE_URL.'
}
