import { product } from '../api-constants.ts'
import type { Operation, PathItem } from './document.ts'
import { headerRef, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'
import { responseHeaders, sharedResponse } from './shared-responses.ts'

export const systemTag = { name: 'System', description: 'Index and health of the service.' }

export const systemPaths = (examples: Examples): Readonly<Record<string, PathItem>> => ({
  '/': { get: getIndex(examples) },
  '/v1/health': { get: getHealth(examples) },
  '/v1/session': { get: getSession(examples) },
})

const getIndex = ({ operations }: Examples): Operation => ({
  operationId: 'getIndex',
  tags: [systemTag.name],
  summary: 'Get the index',
  description: `Describes ${product} and links to every resource, to this document and to the health check. Works without a database.`,
  security: [],
  responses: {
    200: {
      description: 'The index.',
      headers: responseHeaders({
        ETag: headerRef('EntityTag'),
        'Cache-Control': headerRef('Revalidate'),
        Vary: headerRef('VariesByEncoding'),
        'Content-Encoding': headerRef('ContentEncoding'),
      }),
      content: jsonContent(schemaRef('Index'), { index: operations.getIndex?.answers[200] }),
    },
    304: {
      description: 'Not modified: the ETag in `If-None-Match` is current, so no body is sent.',
      headers: responseHeaders({
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
  summary: 'Check the health of the service',
  description:
    'Always returns 200. `status` shows whether the database is available, `writes_enabled` whether creates are enabled.',
  security: [],
  responses: {
    200: {
      description: 'Health of the service.',
      headers: responseHeaders({ 'Cache-Control': headerRef('NoStore') }),
      content: jsonContent(schemaRef('Health'), { health: operations.getHealth?.answers[200] }),
    },
  },
})

const getSession = ({ operations }: Examples): Operation => ({
  operationId: 'getSession',
  tags: [systemTag.name],
  summary: 'Get what the token of the request may do',
  description:
    'Always returns 200, also without a token and with one that is wrong or expired. Works without a database.',
  security: [],
  responses: {
    200: {
      description: 'Who sends the request, and what this caller may read and create.',
      headers: responseHeaders({ 'Cache-Control': headerRef('NoStore') }),
      content: jsonContent(schemaRef('Session'), { session: operations.getSession?.answers[200] }),
    },
    429: sharedResponse('TooManyRequests'),
  },
})
