/** Requests pages of all resources from services and compares them with SQL results. */
import { resources } from '@muster/model'
import type { Client as SqlClient } from 'pg'
import { withClient } from '../support/postgres-cluster.ts'
import type { Client } from './client.ts'
import { sendUntilServed } from './client.ts'

export interface Page {
  readonly path: string
  readonly table: string
  readonly limit: number
  readonly offset: number
}

export const pages: readonly Page[] = resources.flatMap(({ path, table }) =>
  [0, 10].map((offset) => ({ path: `/api/v1/${path}?limit=10&offset=${offset}`, table, limit: 10, offset })),
)

/** Every response body that one client received, by path and then by ETag. The newest ETag of a path comes last. */
export type ClientCache = Map<string, Map<string, string>>

/** Requests a page and returns the status. Half of the requests send the newest cached ETag. */
export const pollPage = async (service: Client, { path }: Page, cache: ClientCache): Promise<number> => {
  const bodies = cache.get(path) ?? new Map<string, string>()
  cache.set(path, bodies)
  const newestEtag = [...bodies.keys()].at(-1)
  const headers = newestEtag === undefined || Math.random() < 0.5 ? {} : { 'if-none-match': newestEtag }
  const { status, headers: responseHeaders, text } = await service.send(path, { headers })
  const etag = responseHeaders.etag
  if (status === 200 && etag !== undefined) {
    bodies.delete(etag)
    bodies.set(etag, text)
  }
  return status
}

/** Requests every page without an ETag and with each cached ETag, and returns the differences from the SQL result. */
const comparePages = async (service: Client, database: SqlClient, cache: ClientCache): Promise<string[]> => {
  const differences: string[] = []
  for (const page of pages) {
    const expected = await expectedContent(database, page)
    for (const etag of [undefined, ...(cache.get(page.path)?.keys() ?? [])]) {
      const response = await sendUntilServed(service, page.path, etag === undefined ? {} : { 'if-none-match': etag })
      const text = response.status === 304 ? cache.get(page.path)?.get(etag ?? '') : response.text
      if ((response.status !== 200 && response.status !== 304) || contentOfBody(text) !== expected)
        differences.push(
          `${page.path} responded ${response.status}${etag === undefined ? '' : ' to an ETag'}: ${text?.slice(0, 80)}`,
        )
    }
  }
  return differences
}

/** Compares every page from every service with the SQL result. */
export const compareAllServices = async (
  services: readonly Client[],
  caches: readonly ClientCache[],
  url: string,
): Promise<string[]> =>
  withClient(url, async (database) => {
    const differences: string[] = []
    for (const [index, service] of services.entries())
      differences.push(...(await comparePages(service, database, caches[index] as ClientCache)))
    return differences
  })

/** Requests every page twice from every service, so that the services have cached the responses. */
export const pollAllServices = async (
  services: readonly Client[],
  caches: readonly ClientCache[],
  polledPages = pages,
): Promise<void> => {
  for (const [index, service] of services.entries())
    for (const page of [...polledPages, ...polledPages]) await pollPage(service, page, caches[index] as ClientCache)
}

const expectedContent = async (database: SqlClient, { table, limit, offset }: Page): Promise<string> => {
  const { rows } = await database.query(
    `select (select count(*)::int from ${table}) as total,
            array(select record_json from ${table} order by id limit ${limit} offset ${offset}) as records`,
  )
  const { total, records } = rows[0] as { total: number; records: string[] }
  return JSON.stringify([total, records.map((record) => JSON.parse(record))])
}

const contentOfBody = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const { data, meta } = JSON.parse(text) as { data?: unknown; meta?: { total: number } }
  return JSON.stringify([meta?.total, data])
}
