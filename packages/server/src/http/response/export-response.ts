import type { FileFormat, Resource } from '@muster/model'
import { changesAfterHeader, fileTypes, totalHeader } from '@muster/model'
import type { FastifyReply } from 'fastify'
import { databaseUnavailable } from '../../errors.ts'
import type { Copy } from '../../postgres/connection/copy-stream.ts'
import type { Database } from '../../postgres/connection/database.ts'
import { encodeCursor } from '../../queries/change-cursor.ts'
import { cursorOf } from '../../queries/changes.ts'
import type { ExportQuery } from '../../queries/export.ts'
import { exportRows } from '../../queries/export.ts'
import { allowSlowReader } from '../connection/shutdown-and-slow-clients.ts'
import { contextOf } from '../request/context.ts'
import { rowsOnPage } from './json-response.ts'

/** Starts an export and sets its headers. The query is cancelled if the client disconnects. */
export const openExport = async (
  reply: FastifyReply,
  { database, client }: { database: Database; client: string | undefined },
  resource: Resource,
  query: ExportQuery,
): Promise<Copy> => {
  const disconnection = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnection.abort()
  })
  const copy = await exportRows(database, resource, query, { client, signal: disconnection.signal }).catch(
    (error: unknown) => {
      // The query was cancelled because the client disconnected. An error without a cause is not logged.
      throw disconnection.signal.aborted ? databaseUnavailable() : error
    },
  )
  allowSlowReader(reply.raw)
  contextOf(reply.request.raw).log = { cache: 'none', rows: rowsOnPage(copy, query) }
  reply
    .header('content-type', contentTypes[query.format])
    .header('content-disposition', `attachment; filename="${resource.path}.${query.format}"`)
    .header(totalHeader, String(copy.total))
  const cursor = cursorOf(copy.changePosition)
  if (cursor !== undefined) reply.header(changesAfterHeader, encodeCursor(cursor))
  return copy
}

export const csvContentType = `${fileTypes.csv}; charset=utf-8; header=present`

const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: csvContentType,
  ndjson: fileTypes.ndjson,
}
