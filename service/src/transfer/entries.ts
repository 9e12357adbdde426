/** In charge of what a file gives for the fields of a resource: its header, its cells or members, field by field. */
import type { FileFormat, NamedField, Resource } from '@muster/model'
import { didYouMean, numberIn } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { Cell, CsvRecord } from './csv.ts'
import { csvReader } from './csv.ts'
import type { JsonRecord } from './ndjson.ts'
import { ndjsonReader } from './ndjson.ts'
import type { Refusal } from './refusal.ts'
import { refusalOf } from './refusal.ts'

export interface Entry {
  readonly line: number
  /** One value per stored field, in declared order; undefined where the file says nothing of the field. */
  readonly given: readonly unknown[]
  /** What is wrong with the entry itself, whatever its values are. */
  readonly refusals: readonly Refusal[]
}

export interface EntryReader {
  read(block: string): Entry[]
  end(): void
}

/** `defaulted` names the fields that the database fills where nothing is said. */
export const entryReader = (resource: Resource, format: FileFormat, defaulted: ReadonlySet<string>): EntryReader =>
  format === 'csv' ? csvEntries(resource, defaulted) : ndjsonEntries(resource)

const none: readonly Refusal[] = []

const csvEntries = (resource: Resource, defaulted: ReadonlySet<string>): EntryReader => {
  const reader = csvReader()
  let columns: Columns | undefined
  return {
    read(block) {
      const records = reader.read(block)
      const header = columns === undefined ? records.shift() : undefined
      if (header !== undefined) columns = readHeader(resource, header, defaulted)
      const known = columns
      return known === undefined ? [] : records.map((record) => csvEntry(resource, known, record))
    },
    end() {
      reader.end()
      if (columns === undefined)
        throw new OperatorError(`The file is empty: its first line should name fields of ${resource.titles}.`)
    },
  }
}

interface Columns {
  readonly width: number
  /** For each stored field the column it stands in; -1 where it stands in none. */
  readonly places: readonly number[]
  /** Columns of fields that are part of the published shape and of no table. */
  readonly withheld: ReadonlyMap<string, number>
}

const readHeader = (resource: Resource, { cells, flaw }: CsvRecord, defaulted: ReadonlySet<string>): Columns => {
  const names = flaw === undefined ? cells.map((cell) => cell?.trim() ?? '') : []
  refuseHeader(resource, names, defaulted)
  const withheld = resource.all.filter(({ kind, name }) => kind === 'withheld' && names.includes(name))
  return {
    width: names.length,
    places: resource.stored.map(({ name }) => names.indexOf(name)),
    withheld: new Map(withheld.map(({ name }) => [name, names.indexOf(name)])),
  }
}

const refuseHeader = (resource: Resource, names: readonly string[], defaulted: ReadonlySet<string>): void => {
  if (names.length <= 1 && /[;\t]/.test(names[0] ?? ''))
    throw new OperatorError('The columns of the first line should be separated by commas.')
  const known = resource.all.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined || names.length === 0)
    throw new OperatorError(
      `The first line names a column "${unknown ?? ''}", which ${resource.titles} do not have${didYouMean(unknown ?? '', known)}`,
    )
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new OperatorError(`The first line names the column "${twice}" twice: keep one of them.`)
  const absent = resource.stored.find(({ name, required }) => required && !names.includes(name) && !defaulted.has(name))
  if (absent !== undefined)
    throw new OperatorError(`The first line lacks the column "${absent.name}", which every ${resource.title} needs.`)
}

const csvEntry = (resource: Resource, { width, places, withheld }: Columns, record: CsvRecord): Entry => {
  const { line, cells, flaw } = record
  if (flaw !== undefined) return unreadable(line, flaw)
  if (cells.length !== width)
    return unreadable(line, `The line should have ${width} cells like the first line, and has ${cells.length}`)
  const given = places.map((place, index) =>
    place === -1 ? undefined : readCell(resource.stored[index] as NamedField, cells[place] as Cell),
  )
  if (withheld.size === 0) return { line, given, refusals: none }
  const members = Object.fromEntries([...withheld].map(([name, place]) => [name, cells[place] as Cell]))
  return { line, given, refusals: notStored(line, members) }
}

const unreadable = (line: number, reason: string): Entry => ({ line, given: [], refusals: [{ line, reason }] })

const numberShape = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A cell has no type of its own: where a number is wanted and one is written, it is one. */
const readCell = ({ kind }: NamedField, cell: Cell): unknown => {
  if (cell === null || (kind !== 'id' && kind !== 'reference' && kind !== 'integer' && kind !== 'number')) return cell
  return numberShape.test(cell) ? numberIn(cell) : cell
}

const ndjsonEntries = (resource: Resource): EntryReader => {
  const reader = ndjsonReader()
  const stored = new Set(resource.stored.map(({ name }) => name))
  return {
    read: (block) => reader.read(block).map((record) => ndjsonEntry(resource, stored, record)),
    end() {},
  }
}

const ndjsonEntry = (resource: Resource, stored: ReadonlySet<string>, record: JsonRecord): Entry => {
  const { line, members, flaw } = record
  if (flaw !== undefined) return unreadable(line, flaw)
  const names = Object.keys(members)
  const others = names.filter((name) => !stored.has(name))
  return {
    line,
    given: resource.stored.map(({ name }) => (Object.hasOwn(members, name) ? members[name] : undefined)),
    refusals: others.length === 0 ? none : otherMembers(resource, line, members, others),
  }
}

const otherMembers = (
  resource: Resource,
  line: number,
  members: JsonRecord['members'],
  others: string[],
): Refusal[] => {
  const declared = others.filter((name) => Object.hasOwn(resource.fields, name))
  const unknown = others.filter((name) => !Object.hasOwn(resource.fields, name))
  return [
    ...notStored(line, Object.fromEntries(declared.map((name) => [name, members[name]]))),
    ...unknown.map((name) => refusalOf(line, name, { type: 'extra_forbidden' })),
  ]
}

/** A record as the service answers it names such a field with null, and may come in again. */
const notStored = (line: number, members: Readonly<Record<string, unknown>>): Refusal[] =>
  Object.entries(members)
    .filter(([, value]) => value !== null)
    .map(([name]) => refusalOf(line, name, { type: 'extra_forbidden' }))
