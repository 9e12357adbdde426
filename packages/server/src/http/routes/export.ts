/** Sends lists as files, which are streamed as fast as the client reads and never cached. */
import { Readable } from 'node:stream'
import type { FileFormat } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tableKey } from '../../postgres/sql/statement.ts'
import type { Caller } from '../access/callers.ts'
import { cacheKey } from '../cache/response-cache.ts'
import type { Dependencies } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import { readExportQuery } from '../request/list-query.ts'
import type { Handling } from '../request/prefer-header.ts'
import type { Parameters } from '../request/query-string.ts'
import { etagNameAt, etagOf, matchingEtag } from '../response/etag.ts'
import { openExport } from '../response/export-response.ts'
import { notModified, sendReply, setHeaders } from '../response/reply.ts'
import type { ResourceByVisibility } from './read.ts'
import { readListAs } from './read.ts'

export interface ExportRequest {
  readonly dependencies: Dependencies
  readonly resourceViews: ResourceByVisibility
  readonly caller: Caller
  readonly parameters: Parameters
  readonly applyHandling: Handling
  readonly format: FileFormat
}

export const sendExport = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { dependencies, resourceViews, caller, parameters, applyHandling, format }: ExportRequest,
): Promise<FastifyReply> => {
  const { database, cache, admission } = dependencies
  const { query, source, visibility, variant } = readListAs(caller, resourceViews, (visible) =>
    applyHandling(() => readExportQuery(visible, parameters, format)),
  )
  const key = `${format} ${cacheKey(visibility, request.raw.url ?? '', variant)}`
  const context = contextOf(request.raw)
  const { ifNoneMatch } = context
  if (ifNoneMatch !== undefined) {
    const version = await cache.versionOf(tableKey(source))
    const etag = matchingEtag(ifNoneMatch, etagNameAt(version, key), 'identity')
    if (etag !== undefined) {
      context.log = { cache: 'not_modified', rows: 0 }
      return sendReply(reply, notModified(etag, cache.cacheControl))
    }
  }
  const { head, rows } = await openExport(reply, { database, admission }, source, query)
  const { fields } = notModified(etagOf(etagNameAt(head.version, key), 'identity'), cache.cacheControl)
  setHeaders(reply, fields)
  if (request.method !== 'HEAD') return reply.send(rows)
  // Fastify would log the end of an unread stream as an error. Without a stream, Fastify would add `Content-Length: 0`.
  rows.destroy()
  return reply.send(Readable.from([]))
}
