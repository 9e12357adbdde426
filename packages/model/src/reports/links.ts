/** URLs of the lists behind the figures of a report. */
import { basePath } from '../api-constants.ts'

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

/**
 * The filter that selects the records of one group. Undefined if no filter can: blank values are ignored, and related
 * records cannot be filtered by null.
 */
export const groupFilter = (by: string, group: string | null): ListParameters | undefined => {
  if (group === null) return by.includes('.') ? undefined : { [`${by}_is_null`]: 'true' }
  return group.trim() === '' ? undefined : { [by]: filterValue(group) }
}
