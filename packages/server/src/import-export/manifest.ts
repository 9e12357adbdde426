/**
 * The file that makes a folder a complete copy of all records: the number of records in each file. An export writes it
 * last, so a copy that was interrupted has none.
 */
import { pipeline } from 'node:stream/promises'
import { OperatorError } from '../errors.ts'
import type { Output } from './output.ts'

export const manifestFile = 'manifest.json'

/** Number of records by file name. */
export type Manifest = ReadonlyMap<string, number>

export const writeManifest = async ({ open, close }: Output, manifest: Manifest): Promise<void> => {
  const output = await open()
  await pipeline([`${JSON.stringify({ records: Object.fromEntries(manifest) }, null, 2)}\n`], output)
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
    const { records } = JSON.parse(text)
    const entries = Object.entries<unknown>(records)
    return entries.every((entry): entry is [string, number] => Number.isSafeInteger(entry[1]))
      ? new Map(entries)
      : undefined
  } catch {
    return undefined
  }
}

const remedy = `copy all files of the export again, or delete ${manifestFile} to import what is there.`

export const requireFiles = (manifest: Manifest, names: readonly string[]): void => {
  const missingNames = [...manifest.keys()].filter((name) => !names.includes(name))
  if (missingNames.length > 0)
    throw new OperatorError(`${missingNames.join(', ')} of ${manifestFile} is missing: ${remedy}`)
}

export const requireRecords = (manifest: Manifest, counts: Manifest): void => {
  for (const [name, expected] of manifest) {
    const count = counts.get(name)
    if (count !== expected)
      throw new OperatorError(
        `${name} contains ${count} records, but ${expected} according to ${manifestFile}. Nothing was stored: ${remedy}`,
      )
  }
}
