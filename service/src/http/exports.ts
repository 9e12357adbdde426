/** In charge of answering with a file: the rows as they come from the database, as fast as the client takes them. */
import type { FileFormat, Resource } from '@muster/model'
import { fileTypes, totalHeader } from '@muster/model'
import type { FastifyReply } from 'fastify'
import type { Copy } from '../database/copy-out.ts'
import type { Database } from '../database/database.ts'
import { databaseUnavailable } from '../errors.ts'
import type { ExportQuery } from '../operations/export.ts'
import { exportRows } from '../operations/export.ts'
import { rowsOn } from './answers.ts'
import { letReadSlowly } from './connections.ts'
import { noteOutcome } from './outcome.ts'

/** The file itself, its header fields told. Whoever goes away meanwhile ends it. */
export const openExport = async (
  reply: FastifyReply,
  { database, client }: { database: Database; client: string },
  resource: Resource,
  query: ExportQuery,
): Promise<Copy> => {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const copy = await exportRows(database, resource, query, { client, signal: gone.signal }).catch((error: unknown) => {
    // The client has gone and the query was cancelled: not a fault of the database, so it has no cause to log.
    throw gone.signal.aborted ? databaseUnavailable() : error
  })
  letReadSlowly(reply.raw)
  noteOutcome(reply.request.raw, { cache: 'none', rows: rowsOn(copy, query) })
  reply
    .header('content-type', contentTypes[query.format])
    .header('content-disposition', `attachment; filename="${resource.path}.${query.format}"`)
    .header(totalHeader, String(copy.total))
  return copy
}

const contentTypes: Readonly<Record<FileFormat, string>> = {
  csv: `${fileTypes.csv}; charset=utf-8; header=present`,
  ndjson: fileTypes.ndjson,
}
