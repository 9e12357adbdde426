/** In charge of an export: whole tables in the form that an import reads, all of one and the same moment. */
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileFormat, Resource } from '@muster/model'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { copyStatement } from '../database/copy-statement.ts'
import { requireSchema } from '../database/migrate.ts'
import { withSession } from '../database/session.ts'
import { answerColumns, quoted } from '../database/statement.ts'

export interface Sink {
  readonly resource: Resource
  readonly format: FileFormat
  /** Opened when the rows are about to come. */
  readonly open: () => Promise<Writable>
  /** Called once all rows are written. */
  readonly close?: () => Promise<void>
}

export interface ExportOptions {
  readonly connectionString: string
  readonly sinks: readonly Sink[]
  readonly onProgress?: (progress: { readonly resource: Resource; readonly rows: number }) => void
}

export const exportTo = ({ connectionString, sinks, onProgress }: ExportOptions): Promise<void> =>
  withSession(connectionString, 'export', async (client) => {
    await client.query(
      `begin isolation level repeatable read read only; set local statement_timeout = 0;
       set local idle_in_transaction_session_timeout = 0; set local extra_float_digits = 1;
       set local client_encoding = 'UTF8'; set local search_path = public`,
    )
    await requireSchema(client)
    for (const sink of sinks) {
      const rows = await exportOne(client, sink)
      onProgress?.({ resource: sink.resource, rows })
    }
    await client.query('commit')
  })

const exportOne = async (client: Client, { resource, format, open, close }: Sink): Promise<number> => {
  const out = await open()
  const rows = client.query(copyTo(wholeTable(resource, format)))
  await pipeline(rows, out)
  await close?.()
  return rows.rowCount
}

/** Fields as the interface answers them, and only those that have a column: texts as they are, since they come in again. */
const wholeTable = (resource: Resource, format: FileFormat): string => {
  const columns = answerColumns({ ...resource, all: resource.stored }, 'stored')
  const rows = `select ${columns} from public.${quoted(resource.table)} as stored order by stored.id`
  return copyStatement(format === 'csv' ? rows : `select row_to_json(line) from (${rows}) as line`, format)
}
