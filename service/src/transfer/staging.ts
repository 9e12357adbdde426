/** In charge of the staging tables: temporary ones that hold a file's rows as judged, out of everybody's sight and gone with the session. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileFormat, NamedField, Resource } from '@muster/model'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { columnType, quoted } from '../database/statement.ts'
import { copyLine } from './copy-text.ts'
import { entryReader } from './entries.ts'
import type { Defaults } from './judgement.ts'
import { entryJudge } from './judgement.ts'
import type { Refusals } from './refusal.ts'
import { collectRefusals } from './refusal.ts'
import { textBlocks } from './text-blocks.ts'

export interface Source {
  readonly resource: Resource
  readonly format: FileFormat
  /** What the report calls it. */
  readonly name: string
  readonly bytes: () => AsyncIterable<Uint8Array>
}

export interface Staged {
  readonly source: Source
  readonly lines: number
  readonly refusals: Refusals
}

export const stagingTable = ({ table }: Resource): string => `pg_temp.${quoted(`import_${table}`)}`

/** Reads a whole source into its staging table; a line that is refused stands there too, marked as bad. */
export const stage = async (client: Client, source: Source, onLines: (lines: number) => void): Promise<Staged> => {
  const { resource } = source
  await client.query(`create temporary table ${quoted(`import_${resource.table}`)} (${stagingColumns(resource)})`)
  const refusals = collectRefusals()
  let lines = 0
  const rows = stagedRows(source, await readDefaults(client, resource), refusals, (read) => {
    lines += read
    onLines(lines)
  })
  await pipeline(
    Readable.from(rows, { highWaterMark: 2 }),
    client.query(copyFrom(`copy ${stagingTable(resource)} from stdin`)),
  )
  await client.query(`analyze ${stagingTable(resource)}`)
  return { source, lines, refusals }
}

/** Compared by code point, as the columns that unique rules are about. */
const stagingColumns = (resource: Resource): string =>
  [
    'line bigint not null',
    'bad boolean not null',
    ...resource.stored.map((field) => `${quoted(field.name)} ${stagedType(field)}`),
  ].join(', ')

/** Compared by code point while it is checked, as the tables themselves do it. */
const stagedType = (field: NamedField): string => {
  const type = columnType(field)
  return type === 'text' ? 'text collate "C"' : type
}

async function* stagedRows(
  { resource, format, name, bytes }: Source,
  defaults: Defaults,
  refusals: Refusals,
  onRead: (lines: number) => void,
): AsyncGenerator<Buffer, void, void> {
  const reader = entryReader(resource, format, new Set(defaults.keys()))
  const judge = entryJudge(resource, defaults)
  for await (const block of textBlocks(bytes(), name)) {
    const entries = reader.read(block)
    let text = ''
    for (const entry of entries) {
      const judged = judge(entry)
      for (const refusal of judged.refusals) refusals.add(refusal)
      text += copyLine(entry.line, judged.refusals.length > 0, judged.values)
    }
    if (text !== '') yield Buffer.from(text)
    onRead(entries.length)
  }
  reader.end()
}

/** What the columns' defaults are worth now, as text: asked once, so that every row of an import gets the same. */
const readDefaults = async (client: Client, { table, stored }: Resource): Promise<Defaults> => {
  const { rows } = await client.query<{ name: string; expression: string }>(
    `select attname as name, pg_get_expr(adbin, adrelid) as expression from pg_attrdef
     join pg_attribute on attrelid = adrelid and attnum = adnum
     where adrelid = $1::regclass and attgenerated = ''`,
    [`public.${quoted(table)}`],
  )
  const names = new Set(stored.map(({ name }) => name))
  const defaulted = rows.filter(({ name }) => names.has(name))
  if (defaulted.length === 0) return new Map()
  const values = await client.query<string[]>({
    text: `select ${defaulted.map(({ expression }) => `(${expression})::text`).join(', ')}`,
    rowMode: 'array',
  })
  return new Map(defaulted.map(({ name }, index) => [name, values.rows[0]?.[index] as string]))
}
