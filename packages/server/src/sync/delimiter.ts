/** Finds the delimiter of a CSV file from its first line. */
import { OperatorError } from '../errors.ts'
import type { CsvRecord } from '../import-export/csv.ts'
import { csvReader, delimiterNames } from '../import-export/csv.ts'

export const delimiters = Object.keys(delimiterNames)

const namesOf = ({ cells }: CsvRecord): string[] =>
  cells.map((cell) => cell?.trim() ?? '').filter((name) => name !== '')

export const pluralOf = (delimiter: string): string =>
  delimiter === '|' ? 'vertical bars' : `${delimiterNames[delimiter]}s`

export interface DelimiterOptions {
  /** The delimiter of the map, or `auto`. */
  readonly delimiter: string
  readonly isSkipped: (line: number) => boolean
  readonly isKnown: (column: string) => boolean
}

/** The delimiter of the file; undefined if the text does not contain the first line yet. */
export const findDelimiter = (
  text: string,
  { delimiter, isSkipped, isKnown }: DelimiterOptions,
): string | undefined => {
  const candidates = delimiters
    .map((candidate) => ({ candidate, header: readFirst(text, candidate, isSkipped) }))
    .flatMap(({ candidate, header }) =>
      header === undefined ? [] : [{ candidate, header, known: namesOf(header).filter(isKnown).length }],
    )
  if (delimiter !== 'auto') return expectDelimiter(delimiter, candidates)
  const withColumns = candidates.filter(({ header }) => header.cells.length > 1)
  if (withColumns.length === 0) return candidates.length === 0 ? undefined : ','
  const complete = withColumns.filter(({ header, known }) => known > 0 && known === namesOf(header).length)
  const best = complete.length > 0 ? complete : withColumns
  const largest = Math.max(...best.map(({ known }) => known))
  const [found, ...others] = best.filter(({ known }) => known === largest)
  if (found !== undefined && others.length === 0) return found.candidate
  const names = best.map(({ candidate }) => pluralOf(candidate)).join(' or ')
  throw new OperatorError(
    `The columns of line ${found?.header.line ?? 1} can be separated by ${names}: name the right "delimiter" in the map.`,
  )
}

const readFirst = (text: string, delimiter: string, isSkipped: (line: number) => boolean): CsvRecord | undefined =>
  csvReader(delimiter)
    .read(text)
    .find(({ line }) => !isSkipped(line))

interface Candidate {
  readonly candidate: string
  readonly header: CsvRecord
  readonly known: number
}

/** With the wrong delimiter, the whole first line would be one unknown column. */
const expectDelimiter = (delimiter: string, candidates: readonly Candidate[]): string | undefined => {
  const own = candidates.find(({ candidate }) => candidate === delimiter)
  const other = candidates.find(
    ({ candidate, header, known }) => candidate !== delimiter && header.cells.length > 1 && known > (own?.known ?? 0),
  )
  if (other !== undefined)
    throw new OperatorError(
      `The columns of line ${other.header.line} are separated by ${pluralOf(other.candidate)}, but the map expects ${pluralOf(delimiter)}: change "delimiter" in the map to ${JSON.stringify(other.candidate)} or "auto".`,
    )
  return own === undefined ? undefined : delimiter
}
