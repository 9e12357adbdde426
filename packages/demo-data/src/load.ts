import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { escapeIdentifier } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Table } from './company/table.ts'

export interface LoadProgress {
  readonly table: string
  readonly rows: number
  readonly done: boolean
}

/**
 * Number of rows loaded by one COPY statement. PostgreSQL checks foreign keys when a COPY ends, and until then keeps a
 * pending check for every row in memory. Several COPY statements for one large table bound that memory.
 */
const ROWS_PER_COPY = 500_000

/** Loads one table, sets its sequence to the id after the last row, and returns the number of rows. */
export async function loadTable(
  client: Client,
  table: Table,
  onProgress: (progress: LoadProgress) => void,
): Promise<number> {
  const chunks = table.chunks()[Symbol.iterator]()
  const maxRows = table.refersToItself ? Number.POSITIVE_INFINITY : ROWS_PER_COPY
  const columns = table.columns.map(escapeIdentifier).join(', ')
  const statement = `copy ${escapeIdentifier(table.name)} (${columns}) from stdin`
  let rows = 0
  let hasMore = true
  function* readNextPart(): Generator<Buffer, void, void> {
    for (const endRow = rows + maxRows; rows < endRow; ) {
      const { value, done } = chunks.next()
      if (done) {
        hasMore = false
        return
      }
      yield value.bytes
      rows += value.rows
      onProgress({ table: table.name, rows, done: false })
    }
  }
  while (hasMore) await pipeline(Readable.from(readNextPart(), { highWaterMark: 2 }), client.query(copyFrom(statement)))
  await startSequenceAfter(client, table.name, rows)
  onProgress({ table: table.name, rows, done: true })
  return rows
}

/** Sets the sequence with `alter sequence` because, unlike setval(), it is undone if the transaction rolls back. */
async function startSequenceAfter(client: Client, table: string, rows: number): Promise<void> {
  const { rows: sequences } = await client.query<{ sequence: string }>(
    `select pg_get_serial_sequence($1, 'id') as sequence`,
    [table],
  )
  await client.query(`alter sequence ${sequences[0]?.sequence} restart with ${rows + 1}`)
}
