import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { didYouMean } from '@muster/model'
import { OperatorError } from '../errors.ts'
import type { FieldMap } from '../sync/field-map.ts'
import { parseFieldMap } from '../sync/field-map.ts'

/** The maps that this release contains, one JSON file each. */
const mapsFolder = new URL('../../maps/', import.meta.url)

/** Reads a map of this release by its name, or any other by the path of its file. */
export const readMap = async (nameOrFile: string): Promise<FieldMap> => {
  if (/[/\\]|\.json$/.test(nameOrFile)) return parseFieldMap(await readMapFile(nameOrFile), basename(nameOrFile))
  const names = await mapNames()
  if (!names.includes(nameOrFile))
    throw new OperatorError(
      `There is no map "${nameOrFile}"${didYouMean(nameOrFile, names)} This release has ${names.join(', ')}; name any other by the path of its JSON file.`,
    )
  return parseFieldMap(await readFile(new URL(`${nameOrFile}.json`, mapsFolder), 'utf8'), nameOrFile)
}

export const mapNames = async (): Promise<string[]> =>
  (await readdir(mapsFolder)).map((file) => basename(file, '.json')).sort()

const readMapFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new OperatorError(`There is no file ${file}.`)
  })
