/** The line with the column names of a file that is read through a map. */
import { suggestion } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { ColumnPlace } from '../import-export/row-error.ts'
import { describeColumn } from '../import-export/row-error.ts'
import type { ColumnRule, FieldMap } from './field-map.ts'
import type { FileRecord } from './file-record.ts'
import { SheetValue } from './sheet-value.ts'

export interface MappedColumn {
  readonly index: number
  readonly place: ColumnPlace
  readonly rules: readonly ColumnRule[]
}

export interface FileColumns {
  readonly places: readonly ColumnPlace[]
  /** The columns that the map does not ignore. */
  readonly mapped: readonly MappedColumn[]
  readonly skipping: readonly SkippingColumn[]
}

export interface SkippingColumn {
  readonly index: number
  /** The values of rows that are no records, by their lower case. */
  readonly values: ReadonlyMap<string, string>
}

export const skippingColumns = ({ file }: FieldMap, names: readonly string[]): SkippingColumn[] =>
  [...file.skippedValues].flatMap(([column, values]) => {
    const index = names.indexOf(column)
    return index === -1 ? [] : [{ index, values }]
  })

export const readHeader = (map: FieldMap, { line, cells, error, letters }: FileRecord): FileColumns => {
  if (error !== undefined)
    throw new OperatorError(
      `Line ${line} should name the columns, but cannot be read at column ${cells.length + 1}: ${error}.`,
    )
  const places = cells.map((cell, index) => ({
    position: letters?.[index] ?? String(index + 1),
    name: (cell instanceof SheetValue ? cell.text : String(cell ?? '')).trim(),
  }))
  const named = places.filter(({ name }) => name !== '')
  rejectUnknown(
    map,
    named.map(({ name }) => name),
    { line, places },
  )
  rejectRepeated(map, named, line)
  rejectSharedFields(
    map,
    named.map(({ name }) => name),
  )
  const mapped = places.flatMap((place, index) => {
    const rules = map.columns.get(place.name) ?? []
    return rules.length === 0 ? [] : [{ index, place, rules }]
  })
  const skipping = skippingColumns(
    map,
    places.map(({ name }) => name),
  )
  return { places, mapped, skipping }
}

/** Of two columns with the same name, it is unknown which one the map means. */
const rejectRepeated = ({ columns }: FieldMap, places: readonly ColumnPlace[], line: number): void => {
  for (const place of places) {
    const other = places.find(({ name, position }) => name === place.name && position !== place.position)
    if (other !== undefined && columns.get(place.name)?.length !== 0)
      throw new OperatorError(
        `Line ${line} names "${place.name}" twice, in the columns ${place.position} and ${other.position}: remove one of them from the file.`,
      )
  }
}

/** Of two columns that are mapped to the same field, one would be lost. */
export const rejectSharedFields = (map: FieldMap, names: readonly string[]): void => {
  const columnOf = new Map<string, string>()
  for (const name of names) {
    for (const { field } of map.columns.get(name) ?? []) {
      const other = columnOf.get(field.name)
      if (other !== undefined && other !== name)
        throw new OperatorError(
          `The columns "${other}" and "${name}" are both mapped to ${field.name}: remove one of them from the file.`,
        )
      columnOf.set(field.name, name)
    }
  }
}

interface HeaderPlaces {
  readonly line: number
  readonly places: readonly ColumnPlace[]
}

/** Names all unknown columns at once, each with the nearest known one. */
export const rejectUnknown = ({ name, columns }: FieldMap, names: readonly string[], header?: HeaderPlaces): void => {
  const knownNames = [...columns.keys()]
  const unknownNames = names.filter((column) => !columns.has(column))
  if (unknownNames.length === 0) return
  // The names of a record would show personal values.
  if (header !== undefined && unknownNames.length === names.length)
    throw new OperatorError(
      `The map ${name} knows none of the ${names.length} cells of line ${header.line} as the name of a column. The names should be in the first line that "skip_rows" does not skip: check the file, "skip_rows" and "delimiter".`,
    )
  const list = unknownNames.map((column) => {
    const nearest = suggestion(column, knownNames)
    return nearest === undefined ? `"${column}"` : `"${column}" (did you mean "${nearest}"?)`
  })
  const first = header?.places.find((place) => place.name === unknownNames[0])
  const where =
    header === undefined || first === undefined ? '' : ` Line ${header.line}, ${describeColumn(first)} is the first.`
  throw new OperatorError(
    `The map ${name} has no rule for the ${unknownNames.length === 1 ? 'column' : 'columns'} ${list.join(', ')}: copy the map, add each column with its field or "ignore", and pass the copy with --map.${where}`,
  )
}
