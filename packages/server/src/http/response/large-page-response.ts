/** Sends pages that are too large to be held in memory: streamed, and never cached. */
import { Readable } from 'node:stream'
import type { Resource } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openLargePage } from '../../queries/list/large-page.ts'
import type { ListPlan } from '../../queries/list/list.ts'
import type { ListQuery, Page } from '../../queries/list/query.ts'
import type { Dependencies } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import { jsonType } from '../request/media-type.ts'
import { encodedStream } from './compression.ts'
import { startCopy } from './copy-response.ts'
import { etagNameAt, etagOf, matchingEtag } from './etag.ts'
import { pageEnd, pageStart, rowsOnPage } from './json-response.ts'
import { notModified, sendReply, setHeaders } from './reply.ts'

/** Thrown instead of rendering a page whose records exceed `maxPageBytes`, so that nothing of it is cached. */
export class LargePage extends Error {
  readonly page: Page

  constructor(page: Page) {
    super('The page must be streamed.')
    this.page = page
  }
}

export interface LargePageRequest {
  /** The cache key that the page would have if it were smaller, which determines its ETag. */
  readonly key: string
  readonly plan: ListPlan
  readonly source: Resource
  readonly query: ListQuery
  /** The Link header of a page with this total. */
  readonly linksOf: (total: number) => string | undefined
}

/** Sends the bytes and the headers of a small page, except that it has no Content-Length. */
export const sendLargePage = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { database, searches, cache, admission }: Dependencies,
  { page }: LargePage,
  { key, plan, source, query, linksOf }: LargePageRequest,
): Promise<FastifyReply> => {
  const context = contextOf(request.raw)
  const { encoding, ifNoneMatch } = context
  const etag =
    ifNoneMatch === undefined ? undefined : matchingEtag(ifNoneMatch, etagNameAt(page.version, key), encoding)
  if (etag !== undefined) {
    context.log = { cache: 'not_modified', rows: 0 }
    return sendReply(reply, notModified(etag, cache.cacheControl))
  }
  const setPageHeaders = ({ version, total }: Pick<Page, 'version' | 'total'>): void => {
    context.log = { cache: 'none', rows: rowsOnPage({ total }, query) }
    const link = linksOf(total)
    setHeaders(reply, notModified(etagOf(etagNameAt(version, key), encoding), cache.cacheControl).fields)
    reply.header('content-type', jsonType)
    if (link !== undefined) reply.header('link', link)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
  }
  if (request.method === 'HEAD') {
    setPageHeaders(page)
    return reply.send(Readable.from([]))
  }
  const { head, rows } = await startCopy(reply, admission, (client) =>
    openLargePage(database, { plan, searches }, source, query, client),
  )
  setPageHeaders(head)
  return reply.send(encodedStream(pageBytes(rows, pageEnd(head, query)), encoding))
}

async function* pageBytes(rows: AsyncIterable<Buffer>, end: string): AsyncGenerator<string | Buffer> {
  yield pageStart
  yield* joinLines(rows)
  yield end
}

const [newline, comma] = [0x0a, 0x2c]

/** Replaces the line ends between records by commas, in place, and removes the last one. JSON text has no others. */
async function* joinLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | Buffer> {
  let isAtLineEnd = false
  for await (const chunk of chunks) {
    if (isAtLineEnd) yield ','
    isAtLineEnd = chunk.at(-1) === newline
    const text = isAtLineEnd ? chunk.subarray(0, -1) : chunk
    for (let at = text.indexOf(newline); at !== -1; at = text.indexOf(newline, at + 1)) text[at] = comma
    if (text.length > 0) yield text
  }
}
