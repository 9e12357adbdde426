/** In charge of the generated files under contract/: what each holds, written or compared. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Examples, OpenapiDocument } from '@muster/model'
import { breakingChanges, openapiDocument, swaggerDocument, withoutProse } from '@muster/model'
import { statementsText } from './statements.ts'

export const contractFolder = new URL('../../../contract/', import.meta.url)
const publishedFile = 'published.json'

/** The text of every generated file, by its name. */
export const contractFiles = (examples: Examples): ReadonlyMap<string, string> => {
  const openapi = openapiDocument(examples)
  return new Map([
    ['examples.json', jsonText(examples)],
    ['openapi.json', jsonText(openapi)],
    ['swagger.json', jsonText(swaggerDocument(openapi))],
    ['statements.sql', statementsText()],
  ])
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Writes what differs and returns the names of those files. */
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

/** What in the description of today would break a client of the one that was last published; undefined where none was. */
export const changesSincePublished = async (examples: Examples): Promise<string[] | undefined> => {
  const published = await readText(publishedFile)
  if (published === undefined) return undefined
  return breakingChanges(JSON.parse(published) as OpenapiDocument, openapiDocument(examples))
}

/** Makes the description of today the one that later ones are measured by. */
export const publish = (examples: Examples): Promise<void> =>
  writeFile(new URL(publishedFile, contractFolder), jsonText(withoutProse(openapiDocument(examples))))

/** A checkout with other line ends holds the same file. */
const readText = async (name: string): Promise<string | undefined> => {
  try {
    return (await readFile(new URL(name, contractFolder), 'utf8')).replaceAll('\r\n', '\n')
  } catch {
    return undefined
  }
}
