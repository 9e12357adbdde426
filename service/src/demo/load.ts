/** In charge of getting tables into the database: each by one COPY, its sequence left standing after the last row. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { escapeIdentifier } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Table } from './company.ts'

export interface Progress {
  readonly table: string
  readonly rows: number
  readonly done: boolean
}

/**
 * PostgreSQL checks the references of a COPY at its end and remembers every row until then: parts of this size
 * keep that memory small however large the table is.
 */
const ROWS_PER_COPY = 500_000

/** Copies one table and returns how many rows it had. */
export async function loadTable(
  client: Client,
  table: Table,
  onProgress: (progress: Progress) => void,
): Promise<number> {
  const chunks = table.chunks()[Symbol.iterator]()
  const most = table.refersToItself ? Number.POSITIVE_INFINITY : ROWS_PER_COPY
  const columns = table.columns.map(escapeIdentifier).join(', ')
  const statement = `copy ${escapeIdentifier(table.name)} (${columns}) from stdin`
  let rows = 0
  let more = true
  function* part(): Generator<Buffer, void, void> {
    for (const end = rows + most; rows < end; ) {
      const { value, done } = chunks.next()
      if (done) {
        more = false
        return
      }
      yield value.bytes
      rows += value.rows
      onProgress({ table: table.name, rows, done: false })
    }
  }
  while (more) await pipeline(Readable.from(part(), { highWaterMark: 2 }), client.query(copyFrom(statement)))
  await startSequenceAfter(client, table.name, rows)
  onProgress({ table: table.name, rows, done: true })
  return rows
}

/** `alter sequence` is undone with the transaction, which setval() is not. */
async function startSequenceAfter(client: Client, table: string, rows: number): Promise<void> {
  const { rows: found } = await client.query<{ sequence: string }>(
    `select pg_get_serial_sequence($1, 'id') as sequence`,
    [table],
  )
  await client.query(`alter sequence ${found[0]?.sequence} restart with ${rows + 1}`)
}
