/** In charge of the JSON text of answers: records with their fields in declared order, pages with their meta. */
import type { Resource } from '@muster/model'
import type { FastifyReply } from 'fastify'
import type { Row } from '../database/database.ts'
import type { ListQuery, Page } from '../operations/list.ts'

const jsonType = 'application/json'

/** Sent as bytes: to a string Fastify would add a charset, which JSON has none of. */
export const sendJson = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', jsonType).send(Buffer.from(text))

export const recordText = (resource: Resource, row: Row): string => {
  const record: Record<string, unknown> = {}
  for (const [index, { name }] of resource.all.entries()) record[name] = row[index]
  return JSON.stringify(record)
}

/** The offset is written digit for digit: a number of thirty digits is valid, and no JavaScript number. */
export const pageText = (resource: Resource, { rows, total }: Page, { limit, offset }: ListQuery): string =>
  `{"data":[${rows.map((row) => recordText(resource, row)).join(',')}],"meta":{"total":${total},"limit":${limit},"offset":${offset}}}`
