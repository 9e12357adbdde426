/** In charge of reading the books: the version of every resource, never older than the moment it was asked for. */
import { overloaded } from '../errors.ts'
import type { Runner } from './database.ts'
import type { Statement } from './statement.ts'
import { eraOfBooks, markedVersion, sourceSeparator, versionIn } from './statement.ts'

export interface Versions {
  /** The version of a source, which is one table or several: changes with every change of any, whoever made it, and never comes back. */
  of(source: string): string
  /** The same as a standby tells it; only of books that were opened for replicas. */
  markedOf(source: string): string
}

export interface Books {
  /** From a statement that starts after this call; one such statement serves everybody who waits. */
  versions(): Promise<Versions>
}

/** All in one row: taking rows apart would cost the service more than finding them costs the database. */
const textOf = (line: string, columns: string): string =>
  `select ${eraOfBooks}, (select string_agg(${line}, ',') from (select resource, ${columns} from muster_ledger group by resource) lines)`
const plain: Statement = {
  pool: 'control',
  name: 'versions',
  text: textOf("resource || ' ' || changes", 'sum(changes) as changes'),
  values: [],
}
const marked: Statement = {
  pool: 'control',
  name: 'versions and marks',
  text: textOf(
    "resource || ' ' || changes || ' ' || mark",
    'sum(changes) as changes, bit_xor(hashint8extended(changes, session)) as mark',
  ),
  values: [],
}

/** A bound on memory: only a client that sends without waiting for answers, over a database that hangs, comes near it. */
const maxWaiting = 10_000
/** A turn takes no time where there is nothing to do, and a fraction of a millisecond where there is much. */
const maxTurns = 6

export const openBooks = (database: Runner, forReplicas = false): Books => {
  const statement = forReplicas ? marked : plain
  let reading = false
  let next: PromiseWithResolvers<Versions> | undefined
  let waitingCount = 0
  let last = readVersions('', '')

  const read = async (): Promise<Versions> => {
    const [row] = await database.run(statement)
    const [era, lines] = row as readonly [string, string | null]
    if (last.era !== era || last.lines !== lines) last = readVersions(era, lines)
    return last
  }
  const serve = async (waiting: PromiseWithResolvers<Versions>): Promise<void> => {
    next = undefined
    waitingCount = 0
    await read().then(waiting.resolve, waiting.reject)
    reading = false
    if (next !== undefined) gather(next)
  }
  /** While every turn of the loop brings more who ask, one read may serve them all: it is put off by some turns. */
  const gather = (waiting: PromiseWithResolvers<Versions>, seen = 0, turn = 0): void => {
    reading = true
    if (seen === waitingCount || turn === maxTurns) {
      void serve(waiting)
      return
    }
    const now = waitingCount
    setImmediate(() => gather(waiting, now, turn + 1))
  }
  return {
    versions() {
      if (waitingCount >= maxWaiting) return Promise.reject(overloaded())
      waitingCount += 1
      // A read under way may have begun before a change that the caller knows of: the next one serves him.
      const waiting = next ?? Promise.withResolvers<Versions>()
      next = waiting
      if (!reading) gather(waiting)
      return waiting.promise
    },
  }
}

/** The books as they were read, kept to see at a glance that nothing has changed. */
const readVersions = (era: string, lines: string | null): Versions & { era: string; lines: string | null } => {
  const books = new Map(lines?.split(',').map((line) => [line.slice(0, line.indexOf(' ')), line.split(' ')]))
  const versions = new Map<string, string>()
  const column = (source: string, index: number) =>
    source.split(sourceSeparator).map((table) => books.get(table)?.[index])
  return {
    era,
    lines,
    of(source) {
      const known = versions.get(source)
      if (known !== undefined) return known
      const version = versionIn(era, column(source, 1))
      versions.set(source, version)
      return version
    },
    markedOf(source) {
      return markedVersion(this.of(source), column(source, 2))
    },
  }
}
