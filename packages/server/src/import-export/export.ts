import { pipeline } from 'node:stream/promises'
import type { FileFormat, Resource } from '@muster/model'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { withSession } from '../postgres/connection/session.ts'
import { requireSchema } from '../postgres/schema/migrate.ts'
import { copyStatement } from '../postgres/sql/copy-statement.ts'
import { quoteIdentifier, responseColumns } from '../postgres/sql/statement.ts'
import { readHistoryStarts } from './copied-history.ts'
import { erasedKeysFile, erasedKeysName, exportErasedKeys, requireErasedKeysPermission } from './erased-keys-file.ts'
import { writeManifest } from './manifest.ts'
import type { Output } from './output.ts'

export interface Sink extends Output {
  readonly resource: Resource
  readonly format: FileFormat
}

export interface ExportOptions {
  readonly connectionString: string
  readonly sinks: readonly Sink[]
  /** What a copy of all records contains besides them. */
  readonly copy?: { readonly erasedKeys: Output; readonly manifest: Output }
  /** Called after each file with the name of what it contains. */
  readonly onProgress?: (progress: { readonly name: string; readonly rows: number }) => void
}

/** The name of a file in a copy of all records. */
export const copyFileName = ({ resource, format }: Pick<Sink, 'resource' | 'format'>): string =>
  `${resource.path}.${format}`

/** Writes the rows of each resource to its sink, all from one snapshot, in the format that an import reads. */
export const exportTo = ({ connectionString, sinks, copy, onProgress }: ExportOptions): Promise<void> =>
  withSession(connectionString, 'export', async (client) => {
    await client.query(
      `begin isolation level repeatable read read only; set local statement_timeout = 0;
       set local idle_in_transaction_session_timeout = 0; set local extra_float_digits = 1;
       set local client_encoding = 'UTF8'; set local search_path = public`,
    )
    await requireSchema(client)
    if (copy !== undefined) await requireErasedKeysPermission(client)
    const counts = new Map<string, number>()
    for (const sink of sinks) {
      const rows = await exportResource(client, sink)
      counts.set(copyFileName(sink), rows)
      onProgress?.({ name: sink.resource.path, rows })
    }
    if (copy !== undefined) {
      const rows = await exportErasedKeys(client, copy.erasedKeys)
      onProgress?.({ name: erasedKeysName, rows })
      const historyFrom = await readHistoryStarts(client)
      await writeManifest(copy.manifest, { records: counts.set(erasedKeysFile, rows), historyFrom })
    }
    await client.query('commit')
  })

const exportResource = async (client: Client, { resource, format, open, close }: Sink): Promise<number> => {
  const output = await open()
  const rows = client.query(copyTo(exportStatement(resource, format)))
  await pipeline(rows, output)
  await close?.()
  return rows.rowCount
}

/**
 * Selects all fields that have a database column, as the API returns them. Text is not escaped for spreadsheets,
 * because imports must read back the same text.
 */
const exportStatement = (resource: Resource, format: FileFormat): string => {
  const columns = responseColumns({ ...resource, allFields: resource.storedFields }, 'stored')
  const rows = `select ${columns} from public.${quoteIdentifier(resource.table)} as stored order by stored.id`
  return copyStatement(format === 'csv' ? rows : `select row_to_json(line) from (${rows}) as line`, format)
}
