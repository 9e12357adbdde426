import type { FastifyReply } from 'fastify'
import type { Counts, GroupWindow } from '../../queries/count.ts'
import type { ListQuery, Page } from '../../queries/list/query.ts'
import { jsonType } from '../request/media-type.ts'
import { percentDecode } from '../request/query-string.ts'

interface Window {
  readonly limit?: number | undefined
  readonly offset: bigint
}

/** Sends bytes: Fastify would add a charset to a string, but application/json defines none (RFC 8259, section 11). */
export const sendJson = (reply: FastifyReply, body: string | Buffer): FastifyReply =>
  reply.header('content-type', jsonType).send(typeof body === 'string' ? Buffer.from(body) : body)

/** The number of records on a page or in an export. */
export const rowsOnPage = ({ total }: Pick<Page, 'total'>, { limit = total, offset }: Window): number =>
  Math.min(Math.max(total - Number(offset), 0), limit)

export const countsJson = ({ groupsJson, total, groups }: Counts, window: GroupWindow | undefined): string => {
  const position = window === undefined ? '' : `,"limit":${window.limit},"offset":${window.offset}`
  return `{"data":[${groupsJson}],"meta":{"total":${total},"groups":${groups}${position}}}`
}

export const pageStart = '{"data":['

/** The offset is a bigint, because valid offsets of up to thirty digits exceed a JavaScript number. */
export const pageEnd = ({ total }: Pick<Page, 'total'>, { limit, offset }: ListQuery): string =>
  `],"meta":{"total":${total},"limit":${limit},"offset":${offset}}}`

/** Proxies limit the size of response headers; nginx buffers 4 or 8 KB by default. */
const maxLinkLength = 2_000

/** The URL of the request. */
export interface PageUrl {
  readonly path: string
  /** As sent, not decoded. */
  readonly query: string
  /**
   * Names of the route's parameters. Unknown parameters are not repeated in the links, because they may contain
   * anything.
   */
  readonly known: readonly string[]
}

/**
 * The Link header: the URL of the request with other offsets. Contains only `next` if all links together are too long.
 */
export const pageLinks = (
  { path, query, known }: PageUrl,
  { limit, offset }: Pick<ListQuery, 'limit' | 'offset'>,
  total: number,
): string | undefined => {
  const repeatedParts = query.split('&').filter((part) => isRepeated(nameOf(part), known))
  const formatLink = (rel: string, start: bigint): string =>
    `<${path}?${[...repeatedParts.map(escapeForLink), `offset=${start}`].join('&')}>; rel="${rel}"`
  const pageSize = BigInt(limit)
  const lastOffset = ((BigInt(Math.max(total, 1)) - 1n) / pageSize) * pageSize
  const previousOffset = offset - pageSize < lastOffset ? offset - pageSize : lastOffset
  const nextLinks = offset + pageSize < total ? [formatLink('next', offset + pageSize)] : []
  const previousLinks = offset > 0n ? [formatLink('prev', previousOffset > 0n ? previousOffset : 0n)] : []
  const allLinks = [formatLink('first', 0n), ...previousLinks, ...nextLinks, formatLink('last', lastOffset)].join(', ')
  if (allLinks.length <= maxLinkLength) return allLinks
  // `next` is sent whatever its length, because clients take a missing `next` for the end of the list.
  return nextLinks[0]
}

const isRepeated = (name: string, known: readonly string[]): boolean => name !== 'offset' && known.includes(name)

const nameOf = (part: string): string => percentDecode((part.split('=', 1)[0] ?? '').replaceAll('+', ' ')).text

/** Node's parser accepts characters in a URL that are not allowed in a Link header. */
const escapeForLink = (part: string): string => part.replace(/[^\w!#-,./:;=?@[\]~%-]/g, encodeURIComponent)
