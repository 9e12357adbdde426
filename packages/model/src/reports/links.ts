/** URLs of the lists behind the figures of a report. */
import { basePath } from '../api-constants.ts'
import { isLongerThan } from '../validation/value.ts'

export type ListParameters = Readonly<Record<string, string | null>>

/** The URL of a list with these parameters. Parameters that are null are left out. */
export const listUrl = (path: string, ...parameters: readonly ListParameters[]): string => {
  const pairs = parameters
    .flatMap((part) => Object.entries(part))
    .filter((pair): pair is [string, string] => pair[1] !== null)
  const query = String(new URLSearchParams(pairs))
  return query === '' ? `${basePath}/v1/${path}` : `${basePath}/v1/${path}?${query}`
}

/** A value in a filter that takes several values separated by commas. */
export const filterValue = (text: string): string => text.replaceAll(',', ',,')

/** The key of a longer text, as `muster_key` computes it, ends with a hash and selects nothing as the value of a filter. */
const maxKeyLength = 200

/** Whether a filter by this text selects the records whose text has this key. Blank values are ignored. */
export const isSelectable = (key: string): boolean => key.trim() !== '' && !isLongerThan(key, maxKeyLength)

/**
 * The filter that selects the records of one group. Undefined if no filter can: related records cannot be filtered by
 * null, and some texts not by their key.
 */
export const groupFilter = (by: string, group: string | null): ListParameters | undefined => {
  if (group === null) return by.includes('.') ? undefined : { [`${by}_is_null`]: 'true' }
  return isSelectable(group) ? { [by]: filterValue(group) } : undefined
}
