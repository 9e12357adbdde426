/** In charge of the addresses that are measured. */
import { pageRows } from './statements.ts'

/** No parameter of the interface: it makes an address new, and the answer cannot have been kept. */
const fresh = '_={n}'

export const list = (resource: string, offset: string, more = ''): string =>
  `/v1/${resource}?limit=${pageRows}&offset=${offset}${more}`

export const hotList = (resource: string): string => list(resource, '0')

/** Pages near the beginning, each address used once. */
export const freshList = (resource: string): string => list(resource, '{0..250}', `&${fresh}`)

export const freshListAt = (resource: string, from: number, to: number, more = ''): string =>
  list(resource, `{${Math.floor(from)}..${Math.floor(to)}}`, `${more}&${fresh}`)

export const search = (resource: string, term: string, offset = '0'): string =>
  list(resource, offset, `&q=${term}&${fresh}`)

export const hotItem = (resource: string, id: number): string => `/v1/${resource}/${id}`

export const freshItem = (resource: string, rows: number): string => `/v1/${resource}/{1..${rows}}?${fresh}`

/** The record that is asked for again and again. */
export const hotId = 1_234
