/** Reads records by id. Requests that arrive while a statement runs share the next one, which belongs to no client. */
import type { Resource } from '@muster/model'
import { maxWaitMs } from '../database/admission-queue.ts'
import type { Runner } from '../database/database.ts'
import type { Statement } from '../database/statement.ts'
import { booksOf, named, quoted, recordText } from '../database/statement.ts'
import { overloaded } from '../errors.ts'

export interface Found {
  /** The version of the resource in the snapshot the record was read in. */
  readonly version: string
  /** The JSON text of the record. */
  readonly record: string
}

export type Getter = (id: bigint) => Promise<Found | undefined>

interface Asked extends PromiseWithResolvers<Found | undefined> {
  /** Ends the wait of an id whose turn does not come. */
  readonly patience: NodeJS.Timeout
}

/** Statements under way at once per resource; further ids wait for the next one together. */
const maxStatements = 2
/** Memory bound. One id per connection is at most 8,192. */
const maxWaitingIds = 10_000

export const openGetter = (reader: Runner, resource: Resource): Getter => {
  let running = 0
  let waiting = new Map<bigint, Asked>()

  const runWaiting = async (): Promise<void> => {
    const asked = waiting
    waiting = new Map()
    running += 1
    for (const { patience } of asked.values()) clearTimeout(patience)
    try {
      const found = await read(reader, resource, [...asked.keys()])
      for (const [id, { resolve }] of asked) resolve(found.get(id))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    } finally {
      running -= 1
      if (waiting.size > 0 && running < maxStatements) void runWaiting()
    }
  }

  return (id) => {
    const known = waiting.get(id)
    if (known !== undefined) return known.promise
    if (waiting.size >= maxWaitingIds) return Promise.reject(overloaded())
    const asked = Promise.withResolvers<Found | undefined>()
    const patience = setTimeout(() => {
      waiting.delete(id)
      asked.reject(overloaded())
    }, maxWaitMs)
    waiting.set(id, { ...asked, patience })
    if (running < maxStatements) void runWaiting()
    return asked.promise
  }
}

/** By a statement of its own: what is read in a shape is seldom asked for twice at once. */
export const getOne = async (reader: Runner, resource: Resource, id: bigint): Promise<Found | undefined> =>
  (await read(reader, resource, [id])).get(id)

const read = async (reader: Runner, resource: Resource, ids: readonly bigint[]): Promise<Map<bigint, Found>> => {
  const rows = await reader.run(getStatement(resource, ids))
  return new Map(
    rows
      .filter(([id]) => id !== null)
      .map(([id, version, record]) => [BigInt(id as number), { version: version as string, record: record as string }]),
  )
}

/** The outer join gives the version even if no record is found, so that the "not found" of an up-to-date replica counts. */
export const getStatement = (resource: Resource, ids: readonly bigint[]): Statement => ({
  pool: 'read',
  ...named('get', resource),
  told: { resource, column: 1 },
  text: `select id, books.version, ${recordText(resource)} from ${booksOf(resource)} left join ${quoted(resource.table)} on id = any ($1)`,
  values: [`{${ids.join(',')}}`],
})
