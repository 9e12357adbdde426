import type { FileFormat, Resource } from '@muster/model'
import { changesAfterHeader, fileTypes, totalHeader } from '@muster/model'
import type { FastifyReply } from 'fastify'
import type { Copy } from '../../postgres/connection/copy-stream.ts'
import type { Database } from '../../postgres/connection/database.ts'
import { encodeCursor } from '../../queries/change-cursor.ts'
import { cursorOf } from '../../queries/changes.ts'
import type { ExportHead, ExportQuery } from '../../queries/export.ts'
import { exportRows } from '../../queries/export.ts'
import type { Admission } from '../connection/admission.ts'
import { contextOf } from '../request/context.ts'
import { startCopy } from './copy-response.ts'
import { rowsOnPage } from './json-response.ts'

/** Starts an export and sets its headers. */
export const openExport = async (
  reply: FastifyReply,
  { database, admission }: { readonly database: Database; readonly admission: Admission },
  resource: Resource,
  query: ExportQuery,
): Promise<Copy<ExportHead>> => {
  const copy = await startCopy(reply, admission, (client) => exportRows(database, resource, query, client))
  const { total, changePosition } = copy.head
  contextOf(reply.request.raw).log = { cache: 'none', rows: rowsOnPage({ total }, query) }
  reply
    .header('content-type', contentTypes[query.format])
    .header('content-disposition', `attachment; filename="${resource.path}.${query.format}"`)
    .header(totalHeader, String(total))
  const cursor = cursorOf(changePosition)
  if (cursor !== undefined) reply.header(changesAfterHeader, encodeCursor(cursor))
  return copy
}

export const csvContentType = `${fileTypes.csv}; charset=utf-8; header=present`

const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: csvContentType,
  ndjson: fileTypes.ndjson,
}
