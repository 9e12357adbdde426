import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Resource } from '@muster/model'
import { didYouMean } from '@muster/model'
import { OperatorError } from '../errors.ts'
import { UnknownColumnError } from '../import-export/row-reader.ts'
import type { FieldMap } from '../sync/field-map.ts'
import { parseFieldMap } from '../sync/field-map.ts'
import { UsageError } from './command.ts'

/** The maps that this release contains, one JSON file each. */
const mapsFolder = new URL('../../maps/', import.meta.url)

/** Reads a map of this release by its name, or any other by the path of its file. */
export const readMap = async (nameOrFile: string, kinds?: readonly Resource[]): Promise<FieldMap> => {
  if (/[/\\]|\.json$/.test(nameOrFile)) return parseFieldMap(await readMapFile(nameOrFile), basename(nameOrFile), kinds)
  const names = await mapNames()
  if (!names.includes(nameOrFile))
    throw new OperatorError(
      `There is no map "${nameOrFile}"${didYouMean(nameOrFile, names)} This release has ${names.join(', ')}; name any other by the path of its JSON file.`,
    )
  return parseFieldMap(await readFile(new URL(`${nameOrFile}.json`, mapsFolder), 'utf8'), nameOrFile, kinds)
}

export const mapNames = async (): Promise<string[]> =>
  (await readdir(mapsFolder)).map((file) => basename(file, '.json')).sort()

/** The maps of this release that have all these columns. */
export const mapsWithColumns = async (resource: Resource, columns: readonly string[]): Promise<string[]> =>
  (await mapsOf(resource)).filter((map) => columns.every((column) => map.columns.has(column))).map(({ name }) => name)

const mapsOf = async (resource: Resource): Promise<FieldMap[]> =>
  (await Promise.all((await mapNames()).map((name) => readMap(name)))).filter(
    (map) => map.resource.path === resource.path,
  )

export const requireMapFor = (map: FieldMap, { path }: Resource): void => {
  if (map.resource.path !== path)
    throw new UsageError(`The map ${map.name} is for ${map.resource.path}, not for ${path}.`)
}

/** Adds to the message about an unknown column that a map could translate it. */
export const adviseMap = (error: unknown, advice: string): unknown =>
  error instanceof UnknownColumnError
    ? new OperatorError(`${error.message} If the file comes from another product, ${advice}.`, { cause: error })
    : error

/** The same with the maps for the resource. */
export const suggestMaps = async (error: unknown, resource: Resource): Promise<unknown> => {
  if (!(error instanceof UnknownColumnError)) return error
  const names = (await mapsOf(resource)).map(({ name }) => name)
  const advice =
    names.length === 0
      ? 'draft a map with --make-map and name it with --map'
      : `name a map with --map: ${names.join(', ')}; or draft one with --make-map`
  return adviseMap(error, advice)
}

const readMapFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new OperatorError(`There is no file ${file}.`)
  })
