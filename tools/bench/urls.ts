import { pageRows } from './statements.ts'

/** A query parameter that the API ignores. It makes each URL different, so that no cached response matches. */
const uniqueParameter = '_={n}'

export const listPath = (resource: string, offset: string, extraParameters = ''): string =>
  `/v1/${resource}?limit=${pageRows}&offset=${offset}${extraParameters}`

export const hotListPath = (resource: string): string => listPath(resource, '0')

/** Path of a page with a random offset up to 250. */
export const uniqueListPath = (resource: string): string => listPath(resource, '{0..250}', `&${uniqueParameter}`)

export const uniqueListPathBetween = (resource: string, from: number, to: number, more = ''): string =>
  listPath(resource, `{${Math.floor(from)}..${Math.floor(to)}}`, `${more}&${uniqueParameter}`)

export const searchPath = (resource: string, term: string, offset = '0'): string =>
  listPath(resource, offset, `&q=${term}&${uniqueParameter}`)

export const hotItemPath = (resource: string, id: number): string => `/v1/${resource}/${id}`

export const uniqueItemPath = (resource: string, rows: number): string =>
  `/v1/${resource}/{1..${rows}}?${uniqueParameter}`

/** Id of the record that is requested again and again. */
export const hotRecordId = 1_234
