/** Reads the rows of a file through a map. */
import type { FileFormat } from '@muster/model'
import { didYouMean, suggestion } from '@muster/model'
import { OperatorError } from '../errors.ts'
import { csvReader } from '../import-export/csv.ts'
import { ndjsonReader } from '../import-export/ndjson.ts'
import type { RowError } from '../import-export/row-error.ts'
import type { InputRow, RowReader } from '../import-export/row-reader.ts'
import { isNumeric, readCell, readColumnNames, recordProblem, unreadableRow } from '../import-export/row-reader.ts'
import type { ColumnRule, FieldMap, MappedValue } from './field-map.ts'

export const openMappedReader = (map: FieldMap, format: FileFormat): RowReader =>
  format === 'csv' ? mappedCsvReader(map) : mappedNdjsonReader(map)

const mappedCsvReader = (map: FieldMap): RowReader => {
  const reader = csvReader()
  let names: readonly string[] | undefined
  return {
    read(block) {
      const records = reader.read(block)
      const header = names === undefined ? records.shift() : undefined
      if (header !== undefined) names = readHeader(map, readColumnNames(header))
      const columns = names
      if (columns === undefined) return []
      return records.map((record) => {
        const { line, cells } = record
        const problem = recordProblem(record, columns.length)
        if (problem !== undefined) return unreadableRow(line, problem)
        return mappedRow(map, line, new Map(columns.map((name, index) => [name, cells[index] ?? null])))
      })
    },
    end() {
      reader.end()
      if (names === undefined) throw new OperatorError('The file is empty: its first line should name columns.')
    },
    headerFields: () => [
      ...map.constants.keys(),
      ...(names ?? []).flatMap((name) => map.columns.get(name) ?? []).map(({ field }) => field.name),
    ],
  }
}

const mappedNdjsonReader = (map: FieldMap): RowReader => {
  const reader = ndjsonReader()
  return {
    read: (block) =>
      reader.read(block).map(({ line, members, error }) => {
        if (error !== undefined) return unreadableRow(line, error)
        rejectUnknown(map, Object.keys(members))
        rejectSharedFields(map, Object.keys(members))
        return mappedRow(map, line, new Map(Object.entries(members)))
      }),
    end() {},
    headerFields: () => undefined,
  }
}

const readHeader = (map: FieldMap, names: readonly string[]): readonly string[] => {
  rejectUnknown(map, names)
  rejectSharedFields(map, names)
  return names
}

/** Of two columns that are mapped to the same field, one would be lost. */
const rejectSharedFields = (map: FieldMap, names: readonly string[]): void => {
  const columnOf = new Map<string, string>()
  for (const name of names) {
    for (const { field } of map.columns.get(name) ?? []) {
      const other = columnOf.get(field.name)
      if (other !== undefined)
        throw new OperatorError(
          `The columns "${other}" and "${name}" are both mapped to ${field.name}: remove one of them from the file.`,
        )
      columnOf.set(field.name, name)
    }
  }
}

/** Names all unknown columns at once, each with the nearest known one. */
const rejectUnknown = ({ name, columns }: FieldMap, names: readonly string[]): void => {
  const knownNames = [...columns.keys()]
  const unknownNames = names.filter((column) => !columns.has(column))
  if (unknownNames.length === 0) return
  const list = unknownNames.map((column) => {
    const nearest = suggestion(column, knownNames)
    return nearest === undefined ? `"${column}"` : `"${column}" (did you mean "${nearest}"?)`
  })
  throw new OperatorError(
    `The map ${name} has no rule for the ${unknownNames.length === 1 ? 'column' : 'columns'} ${list.join(', ')}: copy the map, add each column with its field or "ignore", and pass the copy with --map.`,
  )
}

const mappedRow = (map: FieldMap, line: number, cells: ReadonlyMap<string, unknown>): InputRow => {
  const { resource, constants, lookups: lookupList } = map
  const values = new Map<string, unknown>(constants)
  const lookups = new Map<string, string | null>()
  const errors: RowError[] = []
  for (const [column, cell] of cells) {
    for (const rule of map.columns.get(column) ?? []) {
      const result = readMapped(rule, cell)
      if ('reason' in result) errors.push({ line, field: rule.field.name, reason: result.reason, input: cell })
      else if (rule.lookup === undefined) values.set(rule.field.name, result.value)
      else lookups.set(rule.field.name, result.value === null ? null : String(result.value))
    }
  }
  const isDefault = (name: string): boolean => !values.has(name) && map.defaults.has(name)
  return {
    line,
    inputs: resource.storedFields.map(({ name }) => (isDefault(name) ? map.defaults.get(name) : values.get(name))),
    newOnly: resource.storedFields.flatMap(({ name }, index) => (isDefault(name) ? [index] : [])),
    lookups: lookupList.map(({ field }) => lookups.get(field)),
    errors,
  }
}

type MappedResult = { readonly value: unknown } | { readonly reason: string }

/** Files of other products quote empty cells too, so a blank cell is always null. */
const readMapped = (rule: ColumnRule, cell: unknown): MappedResult => {
  if (cell === null || cell === undefined) return { value: null }
  if (typeof cell !== 'string') return { value: cell }
  const text = cell.trim()
  if (text === '') return { value: null }
  const translated = rule.values?.get(text.toLowerCase())
  if (translated !== undefined) return { value: translated }
  if (rule.date !== undefined) return readDate(rule.date, text)
  if (rule.values !== undefined) return { reason: unknownValue(rule.values, text) }
  // A code such as "0101" looks like a number, but is another code than "101".
  if (rule.lookup !== undefined) return { value: text }
  if (isNumeric(rule.field) && ambiguousNumber.test(text)) return { reason: ambiguousNumberReason(text) }
  return { value: readCell(rule.field, text) }
}

/** One separator, followed by three digits: a decimal sign in some countries, and a thousands separator in others. */
const ambiguousNumber = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

const ambiguousNumberReason = (text: string): string => {
  const decimal = Number(text.replace(',', '.'))
  const integer = Number(text.replace(/[.,]/, ''))
  // With a fourth decimal, it can only be a decimal number.
  const decimalText = Number.isInteger(decimal) ? String(decimal) : `${text.replace(',', '.')}0`
  return `This number can be read as ${decimal} or as ${integer}: write ${decimalText} or ${integer}`
}

const readDate = (format: NonNullable<ColumnRule['date']>, text: string): MappedResult => {
  const date = format.read(text)
  return date === undefined ? { reason: `Input should be a valid date of the form ${format.text}` } : { value: date }
}

const unknownValue = (values: ReadonlyMap<string, MappedValue>, text: string): string =>
  `The map has no translation of this value${didYouMean(text.toLowerCase(), [...values.keys()])}`.replace(/\.$/, '')
