/** Pages of several resources, polled through services and compared with what SQL finds in the tables. */
import { resources } from '@muster/model'
import type { Client as SqlClient } from 'pg'
import type { Client } from './client.ts'
import { withClient } from './cluster.ts'

export interface Page {
  readonly path: string
  readonly table: string
  readonly limit: number
  readonly offset: number
}

export const pages: readonly Page[] = resources.flatMap(({ path, table }) =>
  [0, 10].map((offset) => ({ path: `/api/v1/${path}?limit=10&offset=${offset}`, table, limit: 10, offset })),
)

/** A client's cache: every body it was sent, by path and ETag. */
export type Held = Map<string, Map<string, string>>

/** Requests a page, half of the time with the newest ETag in the client's cache; returns the status. */
export const poll = async (service: Client, { path }: Page, held: Held): Promise<number> => {
  const known = held.get(path) ?? new Map<string, string>()
  held.set(path, known)
  const newest = [...known.keys()].at(-1)
  const headers = newest === undefined || Math.random() < 0.5 ? {} : { 'if-none-match': newest }
  const { status, headers: received, text } = await service.ask(path, { headers })
  const etag = received.etag
  if (status === 200 && etag !== undefined) {
    known.delete(etag)
    known.set(etag, text)
  }
  return status
}

/** Compares every page with SQL, requested without an ETag and with each cached one; returns the differences. */
const differences = async (service: Client, database: SqlClient, held: Held): Promise<string[]> => {
  const wrong: string[] = []
  for (const page of pages) {
    const expected = await inTables(database, page)
    for (const etag of [undefined, ...(held.get(page.path)?.keys() ?? [])]) {
      const answer = await service.ask(page.path, { headers: etag === undefined ? {} : { 'if-none-match': etag } })
      const text = answer.status === 304 ? held.get(page.path)?.get(etag ?? '') : answer.text
      if ((answer.status !== 200 && answer.status !== 304) || contentOf(text) !== expected)
        wrong.push(
          `${page.path} responded ${answer.status}${etag === undefined ? '' : ' to an ETag'}: ${text?.slice(0, 80)}`,
        )
    }
  }
  return wrong
}

/** The same through every service, each with the cache of its client. */
export const differencesThrough = async (
  services: readonly Client[],
  caches: readonly Held[],
  url: string,
): Promise<string[]> =>
  withClient(url, async (database) => {
    const wrong: string[] = []
    for (const [index, service] of services.entries())
      wrong.push(...(await differences(service, database, caches[index] as Held)))
    return wrong
  })

/** Every page through every service, so often that it is served from memory. */
export const pollAll = async (services: readonly Client[], caches: readonly Held[], polled = pages): Promise<void> => {
  for (const [index, service] of services.entries())
    for (const page of [...polled, ...polled]) await poll(service, page, caches[index] as Held)
}

const inTables = async (database: SqlClient, { table, limit, offset }: Page): Promise<string> => {
  const { rows } = await database.query(
    `select (select count(*)::int from ${table}) as total,
            array(select record_json from ${table} order by id limit ${limit} offset ${offset}) as records`,
  )
  const { total, records } = rows[0] as { total: number; records: string[] }
  return JSON.stringify([total, records.map((record) => JSON.parse(record))])
}

const contentOf = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const { data, meta } = JSON.parse(text) as { data?: unknown; meta?: { total: number } }
  return JSON.stringify([meta?.total, data])
}
