import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { NamedField, Resource, StoredValue } from '@muster/model'
import { columnType } from '@muster/model'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { quoteIdentifier } from '../postgres/sql/statement.ts'
import { copyLine } from './copy-text.ts'
import type { RowError, RowErrors } from './row-error.ts'
import { collectRowErrors } from './row-error.ts'
import type { InputRow, RowReader } from './row-reader.ts'
import { openRowReader } from './row-reader.ts'
import type { Source, TextSource } from './source.ts'
import type { Defaults } from './validate-row.ts'
import { openRowValidator } from './validate-row.ts'

export interface StagedSource {
  readonly source: Source
  readonly lines: number
  readonly errors: RowErrors
  /** The stored fields that the first line names; undefined if the format has no such line. */
  readonly headerFields: readonly string[] | undefined
  /** What the reader decided or left out, for the output. */
  readonly notes: readonly string[]
  /** Adds to an error where the file contains the field, and writes the value as the file does. */
  readonly locate: (error: RowError) => RowError
}

export type ReadProgress =
  | { readonly phase: 'reading'; readonly source: Source; readonly lines: number }
  | { readonly phase: 'checking' | 'storing'; readonly lines: number }

/** How the lines of a source become staged rows. */
export interface StagingRules {
  /** Whether a line may omit any field. The column `given` then has a bit for each field that the line contains. */
  readonly partial: boolean
  /** Whether an empty cell counts as omitted. */
  readonly emptyIsOmitted: boolean
  /** Whether errors of the same reason become one message. */
  readonly groupErrors: boolean
  /** Fields whose record is looked up by another field. Each has a text column, named by `lookupColumn`. */
  readonly lookupFields: readonly string[]
  readonly openReader: (optionalFields: ReadonlySet<string>) => RowReader
}

export const importRules = (source: TextSource): StagingRules => ({
  partial: false,
  emptyIsOmitted: false,
  groupErrors: false,
  lookupFields: [],
  openReader: (optionalFields) => openRowReader(source, optionalFields),
})

export const lookupColumn = (field: string): string => quoteIdentifier(`lookup_${field}`)

/** The bit of a field in the column `given`. Numbers are exact up to 53 stored fields. */
export const givenBit = ({ storedFields }: Resource, name: string): string =>
  String(1n << BigInt(storedFields.findIndex((field) => field.name === name)))

export const stagingTable = ({ table }: Resource): string => `pg_temp.${quoteIdentifier(`import_${table}`)}`

/** Reads a source into a temporary table. Invalid lines are stored too, marked as bad. */
export const stageSource = async (
  client: Client,
  source: Source,
  rules: StagingRules,
  onLines: (lines: number) => void,
): Promise<StagedSource> => {
  const { resource } = source
  await client.query(
    `create temporary table ${quoteIdentifier(`import_${resource.table}`)} (${stagingColumns(resource, rules)})`,
  )
  const defaults = await readDefaults(client, resource)
  const allNames = resource.storedFields.map((field) => field.name)
  const reader = rules.openReader(new Set(rules.partial ? allNames : defaults.keys()))
  const errors = collectRowErrors({ isGrouped: rules.groupErrors })
  let lines = 0
  const rows = stagedRows(resource, rules, { reader, defaults, errors }, (newLines) => {
    lines += newLines
    onLines(lines)
  })
  await pipeline(
    Readable.from(rows, { highWaterMark: 2 }),
    client.query(copyFrom(`copy ${stagingTable(resource)} from stdin`)),
  )
  await client.query(`analyze ${stagingTable(resource)}`)
  return {
    source,
    lines,
    errors,
    headerFields: reader.headerFields(),
    notes: reader.notes?.() ?? [],
    locate: (error) => reader.locate?.(error) ?? error,
  }
}

const stagingColumns = (resource: Resource, { partial, lookupFields }: StagingRules): string =>
  [
    'line bigint not null',
    'bad boolean not null',
    ...resource.storedFields.map((field) => `${quoteIdentifier(field.name)} ${stagedType(field)}`),
    ...(partial ? ['given bigint not null'] : []),
    ...lookupFields.map((name) => `${lookupColumn(name)} text collate "C"`),
  ].join(', ')

/**
 * Texts are sorted and grouped by code point, which is faster. Names in the tables have the collation of the database, but
 * texts are equal under both only if their bytes are, so the checks find the duplicates that the unique constraints would.
 */
const stagedType = (field: NamedField): string => {
  const type = columnType(field)
  return type === 'text' ? 'text collate "C"' : type
}

async function* stagedRows(
  resource: Resource,
  rules: StagingRules,
  { reader, defaults, errors }: { readonly reader: RowReader; readonly defaults: Defaults; readonly errors: RowErrors },
  onRead: (lines: number) => void,
): AsyncGenerator<Buffer, void, void> {
  const validateRow = openRowValidator(resource, defaults, rules)
  const extraValuesOf = rules.partial ? openExtraValues(resource, rules) : () => []
  for await (const rows of reader.rows) {
    let text = ''
    for (const readRow of rows) {
      const row = rules.emptyIsOmitted ? withoutEmpty(readRow) : readRow
      const validated = validateRow(row)
      for (const error of validated.errors) errors.add(reader.locate?.(error, row) ?? error)
      text += copyLine(row.line, validated.errors.length > 0, [...validated.values, ...extraValuesOf(row)])
    }
    if (text !== '') yield Buffer.from(text)
    onRead(rows.length)
  }
}

const withoutEmpty = (row: InputRow): InputRow => ({
  ...row,
  inputs: row.inputs.map((input) => input ?? undefined),
  ...(row.lookups === undefined ? {} : { lookups: row.lookups.map((value) => value ?? undefined) }),
})

/** Returns a function that gives the values of the column `given` and of the lookup columns. */
const openExtraValues = (resource: Resource, { lookupFields }: StagingRules): ((row: InputRow) => StoredValue[]) => {
  const bits = resource.storedFields.map((_, index) => 2 ** index)
  const lookupBits = lookupFields.map((name) => Number(givenBit(resource, name)))
  return ({ inputs, lookups = [], newOnly = [] }) => {
    let given = 0
    for (const [index, input] of inputs.entries())
      if (input !== undefined && !newOnly.includes(index)) given += bits[index] as number
    for (const [index, value] of lookups.entries()) if (value !== undefined) given += lookupBits[index] as number
    return [given, ...lookupFields.map((_, index) => lookups[index] ?? null)]
  }
}

/**
 * The current values of the column defaults, as text. The defaults are read once, so that all rows get the same values.
 */
const readDefaults = async (client: Client, { table, storedFields: stored }: Resource): Promise<Defaults> => {
  const { rows } = await client.query<{ name: string; expression: string }>(
    `select attname as name, pg_get_expr(adbin, adrelid) as expression from pg_attrdef
     join pg_attribute on attrelid = adrelid and attnum = adnum
     where adrelid = $1::regclass and attgenerated = ''`,
    [`public.${quoteIdentifier(table)}`],
  )
  const names = new Set(stored.map(({ name }) => name))
  const columnsWithDefault = rows.filter(({ name }) => names.has(name))
  if (columnsWithDefault.length === 0) return new Map()
  const values = await client.query<string[]>({
    text: `select ${columnsWithDefault.map(({ expression }) => `(${expression})::text`).join(', ')}`,
    rowMode: 'array',
  })
  return new Map(columnsWithDefault.map(({ name }, index) => [name, values.rows[0]?.[index] as string]))
}
