/**
 * The file that makes a folder a complete copy of all records: the number of records in each file, and from which day on
 * their history is complete. An export writes it last, so a copy that was interrupted has none.
 */
import { pipeline } from 'node:stream/promises'
import { parseDateTime } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { HistoryStarts } from './copied-history.ts'
import type { Output } from './output.ts'

export const manifestFile = 'manifest.json'

/** Number of records by file name. */
type RecordCounts = ReadonlyMap<string, number>

export interface Manifest {
  readonly records: RecordCounts
  /** Empty in copies of releases without a history. */
  readonly historyFrom: HistoryStarts
}

export const writeManifest = async ({ open, close }: Output, { records, historyFrom }: Manifest): Promise<void> => {
  const output = await open()
  const content = { records: Object.fromEntries(records), history_from: Object.fromEntries(historyFrom) }
  await pipeline([`${JSON.stringify(content, null, 2)}\n`], output)
  await close?.()
}

export const parseManifest = (text: string): Manifest => {
  const manifest = readJson(text)
  if (manifest === undefined)
    throw new OperatorError(`${manifestFile} is not as "muster export --all" writes it: ${remedy}`)
  return manifest
}

const readJson = (text: string): Manifest | undefined => {
  try {
    const { records, history_from: historyFrom = {} } = JSON.parse(text)
    const counts = Object.entries<unknown>(records)
    const days = Object.entries<unknown>(historyFrom)
    return counts.every((entry): entry is [string, number] => Number.isSafeInteger(entry[1])) &&
      days.every((entry): entry is [string, string] => isDay(entry[1]))
      ? { records: new Map(counts), historyFrom: new Map(days) }
      : undefined
  } catch {
    return undefined
  }
}

const isDay = (value: unknown): boolean => typeof value === 'string' && parseDateTime(value)?.day === value

const remedy = `copy all files of the export again, or delete ${manifestFile} to import what is there.`

export const requireFiles = ({ records }: Manifest, names: readonly string[]): void => {
  const missingNames = [...records.keys()].filter((name) => !names.includes(name))
  if (missingNames.length > 0)
    throw new OperatorError(`${missingNames.join(', ')} of ${manifestFile} is missing: ${remedy}`)
}

export const requireRecords = ({ records }: Manifest, counts: RecordCounts): void => {
  for (const [name, expected] of records) {
    const count = counts.get(name)
    if (count !== expected)
      throw new OperatorError(
        `${name} contains ${count} records, but ${expected} according to ${manifestFile}. Nothing was stored: ${remedy}`,
      )
  }
}
