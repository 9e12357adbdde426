import type { Resource } from '@muster/model'
import { didYouMean, resources } from '@muster/model'
import { UsageError } from './command.ts'

export const resourcePaths = resources.map(({ path }) => path)

export const findResource = (name: string | undefined): Resource => {
  if (name === undefined) throw new UsageError(`Name a resource: ${resourcePaths.join(', ')}.`)
  const resource = resources.find(({ path }) => path === name)
  if (resource === undefined) {
    const hint = didYouMean(name, resourcePaths)
    const list = hint.endsWith('?') ? '' : ` The resources are ${resourcePaths.join(', ')}.`
    throw new UsageError(`There is no resource "${name}"${hint}${list}`)
  }
  return resource
}

/** The format that the extension of the file name indicates. */
export const formatOf = <Format extends string>(file: string, formats: readonly Format[]): Format | undefined =>
  formats.find((format) => file.endsWith(`.${format}`))
