/** In charge of describing the operations that speak of the service itself: the index and the health check. */
import { product } from '../interface.ts'
import type { Operation, PathItem } from './document.ts'
import { headerRef, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'
import { answerHeaders } from './shared-responses.ts'

export const systemTag = { name: 'System', description: 'The service itself: what it is and how it is.' }

export const systemPaths = (examples: Examples): Readonly<Record<string, PathItem>> => ({
  '/': { get: getIndex(examples) },
  '/v1/health': { get: getHealth(examples) },
})

const getIndex = ({ operations }: Examples): Operation => ({
  operationId: 'getIndex',
  tags: [systemTag.name],
  summary: 'Find the way around',
  description: `Says what ${product} is and links to every resource, to this description and to the health check. Always answers, with or without a database.`,
  security: [],
  responses: {
    200: {
      description: 'The index.',
      headers: answerHeaders({
        ETag: headerRef('EntityTag'),
        'Cache-Control': headerRef('Revalidate'),
        Vary: headerRef('VariesByEncoding'),
        'Content-Encoding': headerRef('ContentEncoding'),
      }),
      content: jsonContent(schemaRef('Index'), { index: operations.getIndex?.answers[200] }),
    },
    304: {
      description: 'The tag in `If-None-Match` is the one of the index: nothing is sent again.',
      headers: answerHeaders({
        ETag: headerRef('EntityTag'),
        'Cache-Control': headerRef('Revalidate'),
        Vary: headerRef('VariesByEncoding'),
      }),
    },
  },
})

const getHealth = ({ operations }: Examples): Operation => ({
  operationId: 'getHealth',
  tags: [systemTag.name],
  summary: 'Ask how the service is',
  description:
    'Always answers 200: `status` says whether the database answers, `writes_enabled` whether creates are possible here.',
  security: [],
  responses: {
    200: {
      description: 'How the service is.',
      headers: answerHeaders({ 'Cache-Control': headerRef('NoStore') }),
      content: jsonContent(schemaRef('Health'), { health: operations.getHealth?.answers[200] }),
    },
  },
})
