/** In charge of the Link of a page: where the first, the one before, the next and the last page are. */
import type { ListQuery } from '../operations/list.ts'
import { decode } from './query-string.ts'

/** Longer than that together, and a front may take the answer's header for too large. */
const maxLength = 2_000

/** What is asked of which address, as it is written. */
export interface Asked {
  readonly path: string
  readonly query: string
  /** Parameters the address has: no other is repeated, whatever somebody sent in it by mistake. */
  readonly known: readonly string[]
}

/** The same address with another offset each. */
export const pageLinks = (
  { path, query, known }: Asked,
  { limit, offset }: Pick<ListQuery, 'limit' | 'offset'>,
  total: number,
): string | undefined => {
  const kept = query.split('&').filter((part) => isKept(nameOf(part), known))
  const link = (rel: string, start: bigint): string =>
    `<${path}?${[...kept.map(escaped), `offset=${start}`].join('&')}>; rel="${rel}"`
  const size = BigInt(limit)
  const last = ((BigInt(Math.max(total, 1)) - 1n) / size) * size
  const before = offset - size < last ? offset - size : last
  const next = offset + size < total ? [link('next', offset + size)] : []
  const prev = offset > 0n ? [link('prev', before > 0n ? before : 0n)] : []
  const all = [link('first', 0n), ...prev, ...next, link('last', last)].join(', ')
  if (all.length <= maxLength) return all
  // Said however long it is: a next that is missing would be taken for the end.
  return next[0]
}

const isKept = (name: string, known: readonly string[]): boolean => name !== 'offset' && known.includes(name)

const nameOf = (part: string): string => decode((part.split('=', 1)[0] ?? '').replaceAll('+', ' ')).text

/** Node's parser lets more pass in an address than may stand in a link. */
const escaped = (part: string): string => part.replace(/[^\w!#-,./:;=?@[\]~%-]/g, encodeURIComponent)
