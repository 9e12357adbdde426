import type { NamedField, Resource } from '@muster/model'
import { didYouMean, parseJsonNumber } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { Cell, CsvRecord } from './csv.ts'
import { csvReader } from './csv.ts'
import type { JsonRecord } from './ndjson.ts'
import { ndjsonReader } from './ndjson.ts'
import type { RowError } from './row-error.ts'
import { rowErrorOf } from './row-error.ts'
import type { TextSource } from './source.ts'
import { textBlocks } from './text-blocks.ts'

export interface InputRow {
  readonly line: number
  /** One value per stored field, in declaration order; undefined if the file omits the field. */
  readonly inputs: readonly unknown[]
  /**
   * For each field whose record a map looks up by another field: that field's value, null if the cell is empty, and
   * undefined if the file omits it. `inputs` has no value for such a field.
   */
  readonly lookups?: readonly (string | null | undefined)[]
  /** Indexes of the inputs that apply to new records only. */
  readonly newOnly?: readonly number[]
  /** The cells of the file from which a map took the values. */
  readonly cells?: readonly unknown[]
  /** The names of the cells, if each line names its own. */
  readonly names?: readonly string[]
  /** Errors found while reading the row, such as unknown fields; its values are not validated yet. */
  readonly errors: readonly RowError[]
}

export interface RowReader {
  /** The rows in the order of the file, in blocks. */
  readonly rows: AsyncIterable<readonly InputRow[]>
  /** The stored fields that the first line names; undefined if the format has no such line. */
  headerFields(): readonly string[] | undefined
  /** See StagedSource. */
  notes?(): readonly string[]
  locate?(error: RowError, row?: InputRow): RowError
}

/** `optionalFields` names the fields that the first line of a CSV file may lack although they are never null. */
export const openRowReader = (
  { resource, format, name, bytes }: TextSource,
  optionalFields: ReadonlySet<string>,
): RowReader => {
  const reader = format === 'csv' ? csvRowReader(resource, optionalFields) : ndjsonRowReader(resource)
  return { rows: readBlocks(reader, textBlocks(bytes(), name)), headerFields: reader.headerFields }
}

/** Turns blocks of text into rows. */
export interface BlockReader {
  read(block: string): readonly InputRow[]
  end(): void
  headerFields(): readonly string[] | undefined
}

export async function* readBlocks(
  reader: BlockReader,
  blocks: AsyncIterable<string>,
): AsyncGenerator<readonly InputRow[], void, void> {
  for await (const block of blocks) yield reader.read(block)
  reader.end()
}

const noErrors: readonly RowError[] = []

const csvRowReader = (resource: Resource, optionalFields: ReadonlySet<string>): BlockReader => {
  const reader = csvReader()
  let columns: Columns | undefined
  return {
    read(block) {
      const records = reader.read(block)
      const header = columns === undefined ? records.shift() : undefined
      if (header !== undefined) columns = readHeader(resource, header, optionalFields)
      const headerColumns = columns
      return headerColumns === undefined ? [] : records.map((record) => csvRow(resource, headerColumns, record))
    },
    end() {
      reader.end()
      if (columns === undefined)
        throw new OperatorError(`The file is empty: its first line should name fields of ${resource.titles}.`)
    },
    headerFields: () =>
      resource.storedFields.filter((_, index) => columns?.storedIndexes[index] !== -1).map(({ name }) => name),
  }
}

interface Columns {
  readonly columnCount: number
  /** Column index of each stored field; -1 if the file has no such column. */
  readonly storedIndexes: readonly number[]
  /** Column index by name, for fields of the API that have no database column. */
  readonly notStoredIndexes: ReadonlyMap<string, number>
}

const readHeader = (resource: Resource, header: CsvRecord, optionalFields: ReadonlySet<string>): Columns => {
  const names = readColumnNames(header)
  validateHeader(resource, names, optionalFields)
  const notStoredFields = resource.allFields.filter(({ kind, name }) => kind === 'withheld' && names.includes(name))
  return {
    columnCount: names.length,
    storedIndexes: resource.storedFields.map(({ name }) => names.indexOf(name)),
    notStoredIndexes: new Map(notStoredFields.map(({ name }) => [name, names.indexOf(name)])),
  }
}

const readColumnNames = ({ cells, error: parseError, source }: CsvRecord): string[] => {
  requireCommas(source ?? (cells.length === 1 ? (cells[0] ?? '') : ''))
  if (parseError !== undefined) throw new OperatorError(`The first line cannot be read: ${parseError}.`)
  return cells.map((cell) => cell?.trim() ?? '')
}

const requireCommas = (header: string): void => {
  const textOutsideQuotes = header.replaceAll(/"(?:[^"]|"")*"/g, '')
  const separator = /[;\t]/.exec(textOutsideQuotes)?.[0]
  if (separator !== undefined && !textOutsideQuotes.includes(','))
    throw new OperatorError(
      `The columns of the first line are separated by ${separator === ';' ? 'semicolons' : 'tabs'}: save the file as CSV with commas, or sync it with a map, which reads other delimiters.`,
    )
}

export class UnknownColumnError extends OperatorError {}

const validateHeader = (resource: Resource, names: readonly string[], optionalFields: ReadonlySet<string>): void => {
  const fieldNames = resource.allFields.map(({ name }) => name)
  const unknownColumn = names.find((name) => !fieldNames.includes(name))
  if (unknownColumn !== undefined)
    throw new UnknownColumnError(
      `The first line names a column "${unknownColumn}", which ${resource.titles} do not have${didYouMean(unknownColumn, fieldNames)}`,
    )
  const duplicateName = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicateName !== undefined)
    throw new OperatorError(`The first line names the column "${duplicateName}" twice: keep one of them.`)
  const missingField = resource.storedFields.find(
    ({ name, required }) => required && !names.includes(name) && !optionalFields.has(name),
  )
  if (missingField !== undefined)
    throw new OperatorError(
      `The first line lacks the column "${missingField.name}", which every ${resource.title} needs.`,
    )
}

const csvRow = (
  resource: Resource,
  { columnCount, storedIndexes, notStoredIndexes }: Columns,
  record: CsvRecord,
): InputRow => {
  const { line, cells } = record
  const problem = recordProblem(record, columnCount)
  if (problem !== undefined) return unreadableRow(line, problem)
  const inputs = storedIndexes.map((column, index) =>
    column === -1 ? undefined : readCell(resource.storedFields[index] as NamedField, cells[column] as Cell),
  )
  if (notStoredIndexes.size === 0) return { line, inputs, errors: noErrors }
  const members = Object.fromEntries([...notStoredIndexes].map(([name, column]) => [name, cells[column] as Cell]))
  return { line, inputs, errors: notStoredErrors(line, members) }
}

/** Why a record cannot be a row; undefined if it can. */
const recordProblem = ({ cells, error }: CsvRecord, columnCount: number): string | undefined => {
  if (error !== undefined) return error
  if (cells.length !== columnCount)
    return `The line should have ${columnCount} cells like the first line, but has ${cells.length}`
  return cells.every((cell) => cell === null || cell.trim() === '') ? 'The row is empty' : undefined
}

export const unreadableRow = (line: number, reason: string): InputRow => ({
  line,
  inputs: [],
  errors: [{ line, reason }],
})

const numberPattern = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export const isNumeric = ({ kind }: NamedField): boolean =>
  kind === 'id' || kind === 'reference' || kind === 'integer' || kind === 'number'

/** CSV has no types, so a cell of a numeric field is converted if it looks like a number. */
export const readCell = (field: NamedField, cell: Cell): unknown =>
  cell !== null && isNumeric(field) && numberPattern.test(cell) ? parseJsonNumber(cell) : cell

const ndjsonRowReader = (resource: Resource): BlockReader => {
  const reader = ndjsonReader()
  const storedNames = new Set(resource.storedFields.map(({ name }) => name))
  return {
    read: (block) => reader.read(block).map((record) => ndjsonRow(resource, storedNames, record)),
    end() {},
    headerFields: () => undefined,
  }
}

const ndjsonRow = (resource: Resource, storedNames: ReadonlySet<string>, record: JsonRecord): InputRow => {
  const { line, members, error } = record
  if (error !== undefined) return unreadableRow(line, error)
  const names = Object.keys(members)
  const otherNames = names.filter((name) => !storedNames.has(name))
  return {
    line,
    inputs: resource.storedFields.map(({ name }) => (Object.hasOwn(members, name) ? members[name] : undefined)),
    errors: otherNames.length === 0 ? noErrors : otherMemberErrors(resource, line, members, otherNames),
  }
}

const otherMemberErrors = (
  resource: Resource,
  line: number,
  members: JsonRecord['members'],
  otherNames: string[],
): RowError[] => {
  const declaredNames = otherNames.filter((name) => Object.hasOwn(resource.fields, name))
  const unknownNames = otherNames.filter((name) => !Object.hasOwn(resource.fields, name))
  return [
    ...notStoredErrors(line, Object.fromEntries(declaredNames.map((name) => [name, members[name]]))),
    ...unknownNames.map((name) => rowErrorOf(line, name, { type: 'extra_forbidden' })),
  ]
}

/**
 * Errors for members that are API fields without a database column. Null is allowed, because a response may contain
 * such a field as null and be imported again.
 */
const notStoredErrors = (line: number, members: Readonly<Record<string, unknown>>): RowError[] =>
  Object.entries(members)
    .filter(([, value]) => value !== null)
    .map(([name]) => rowErrorOf(line, name, { type: 'extra_forbidden' }))
