/** In charge of what answers are made of: JSON sent as bytes, and pages put together from records and their meta. */
import type { FastifyReply } from 'fastify'
import type { Counts } from '../operations/count.ts'
import type { ListQuery, Page } from '../operations/list.ts'

interface Window {
  readonly limit?: number | undefined
  readonly offset: bigint
}

export const jsonType = 'application/json'

/** Sent as bytes: to a string Fastify would add a charset, which JSON has none of. */
export const sendJson = (reply: FastifyReply, body: string | Buffer): FastifyReply =>
  reply.header('content-type', jsonType).send(typeof body === 'string' ? Buffer.from(body) : body)

/** How many records a page or a file holds. */
export const rowsOn = ({ total }: Pick<Page, 'total'>, { limit = total, offset }: Window): number =>
  Math.min(Math.max(total - Number(offset), 0), limit)

export const countsText = ({ texts, total, groups }: Counts): string =>
  `{"data":[${texts}],"meta":{"total":${total},"groups":${groups}}}`

/** The offset is written digit for digit: a number of thirty digits is valid, and no JavaScript number. */
export const pagePieces = ({ records, total }: Page, { limit, offset }: ListQuery): readonly string[] => [
  '{"data":[',
  records,
  `],"meta":{"total":${total},"limit":${limit},"offset":${offset}}}`,
]
