/** URLs of the lists behind the figures of a report. */
import { basePath } from '../api-constants.ts'
import { isLongerThan } from '../validation/value.ts'

export type ListParameters = Readonly<Record<string, string | null>>

/** The URL of a list with these parameters. Parameters that are null are left out. */
export const listUrl = (path: string, ...parameters: readonly ListParameters[]): string => {
  const pairs = parameters
    .flatMap((part) => Object.entries(part))
    .filter((pair): pair is [string, string] => pair[1] !== null)
  return `${basePath}/v1/${path}?${new URLSearchParams(pairs)}`
}

/** A value in a filter that takes several values separated by commas. */
export const filterValue = (text: string): string => text.replaceAll(',', ',,')

/** Longer text is grouped by a key that ends with a hash (`muster_key`), and a filter does not find that key. */
const maxKeyLength = 200

/**
 * The filter that selects the records of one group. Undefined if no filter can: blank values are ignored, long text is
 * known only by its hash, and related records cannot be filtered by null.
 */
export const groupFilter = (by: string, group: string | null): ListParameters | undefined => {
  if (group === null) return by.includes('.') ? undefined : { [`${by}_is_null`]: 'true' }
  return group.trim() === '' || isLongerThan(group, maxKeyLength) ? undefined : { [by]: filterValue(group) }
}
