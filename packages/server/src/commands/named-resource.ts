import type { FileFormat, Resource } from '@muster/model'
import { didYouMean, fileFormats, resources } from '@muster/model'
import { UsageError } from './command.ts'

export const resourcePaths = resources.map(({ path }) => path)

export const findResource = (name: string | undefined): Resource => {
  if (name === undefined) throw new UsageError(`Name a resource: ${resourcePaths.join(', ')}.`)
  const resource = resources.find(({ path }) => path === name)
  if (resource === undefined) throw new UsageError(`There is no resource "${name}"${didYouMean(name, resourcePaths)}`)
  return resource
}

/** The format that the extension of the file name indicates. */
export const formatOf = (file: string): FileFormat | undefined =>
  fileFormats.find((format) => file.endsWith(`.${format}`))
