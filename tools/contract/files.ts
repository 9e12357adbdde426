/** Writes the generated files in packages/model/contract/, or compares them with the files on disk. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Examples, OpenapiDocument } from '@muster/model'
import { breakingChanges, listedResources, openapiDocument, withoutProse } from '@muster/model'
import { statementsText } from './statements.ts'
import { storageText } from './storage.ts'

export const contractFolder = new URL('../../packages/model/contract/', import.meta.url)
const publishedFile = 'published.json'

/** Returns the content of every generated file, by file name. */
export const contractFiles = (examples: Examples): ReadonlyMap<string, string> => {
  return new Map([
    ['examples.json', jsonText(examples)],
    ['openapi.json', jsonText(openapiDocument(examples))],
    ['statements.sql', statementsText()],
    ['storage.json', storageText(listedResources)],
  ])
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Writes the files whose content differs from that on disk, and returns their names. */
export const writeFiles = async (files: ReadonlyMap<string, string>): Promise<string[]> => {
  const outdated = await outdatedFiles(files)
  for (const name of outdated) await writeFile(new URL(name, contractFolder), files.get(name) ?? '')
  return outdated
}

export const outdatedFiles = async (files: ReadonlyMap<string, string>): Promise<string[]> => {
  const outdated: string[] = []
  for (const [name, text] of files) {
    if ((await readText(name)) !== text) outdated.push(name)
  }
  return outdated
}

/**
 * Returns the changes that would break a client of the published OpenAPI document, or undefined if no document is
 * published.
 */
export const changesSincePublished = async (examples: Examples): Promise<string[] | undefined> => {
  const published = await readText(publishedFile)
  if (published === undefined) return undefined
  return breakingChanges(JSON.parse(published) as OpenapiDocument, openapiDocument(examples))
}

/** Stores the current OpenAPI document as the published one, with which later versions are compared. */
export const publish = (examples: Examples): Promise<void> =>
  writeFile(new URL(publishedFile, contractFolder), jsonText(withoutProse(openapiDocument(examples))))

/** Reads a file and converts CRLF to LF, because git may check files out with CRLF. */
const readText = async (name: string): Promise<string | undefined> => {
  try {
    return (await readFile(new URL(name, contractFolder), 'utf8')).replaceAll('\r\n', '\n')
  } catch {
    return undefined
  }
}
