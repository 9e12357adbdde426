/** In charge of the resources as a command line names them, and of the files they stand in. */
import type { FileFormat, Resource } from '@muster/model'
import { didYouMean, fileFormats, resources } from '@muster/model'
import { UsageError } from './command.ts'

export const resourcePaths = resources.map(({ path }) => path)

export const resourceNamed = (name: string | undefined): Resource => {
  if (name === undefined) throw new UsageError(`Say which resource: ${resourcePaths.join(', ')}.`)
  const found = resources.find(({ path }) => path === name)
  if (found === undefined) throw new UsageError(`There is no resource "${name}"${didYouMean(name, resourcePaths)}`)
  return found
}

/** The format a file's name tells; undefined for any other name. */
export const formatOf = (file: string): FileFormat | undefined =>
  fileFormats.find((format) => file.endsWith(`.${format}`))
