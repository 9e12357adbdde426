/** In charge of the schemas that belong to no resource: page information, health, index and the shapes of errors. */
import { errorCodes } from '../error-codes.ts'
import { faultTypes } from '../fault.ts'
import { product, version } from '../interface.ts'
import type { Schema } from './document.ts'
import { schemaRef } from './document.ts'

const paginationMeta: Schema = {
  type: 'object',
  description: 'Where a page stands in the whole list.',
  required: ['total', 'limit', 'offset'],
  properties: {
    total: { type: 'integer', minimum: 0, description: 'How many records match, counted when the page was read.' },
    limit: { type: 'integer', minimum: 1, description: 'The page size that was applied.' },
    offset: { type: 'integer', minimum: 0, description: 'How many records were skipped.' },
  },
}

const countMeta: Schema = {
  type: 'object',
  description: 'All groups together.',
  required: ['total', 'groups'],
  properties: {
    total: { type: 'integer', minimum: 0, description: 'How many records match: the sum of the counts.' },
    groups: { type: 'integer', minimum: 0, description: 'How many groups there are.' },
  },
}

const health: Schema = {
  type: 'object',
  description: 'How the service is.',
  required: ['status', 'product', 'version', 'writes_enabled'],
  properties: {
    status: {
      type: 'string',
      description: '`ok`, or `degraded` while the database does not answer.',
      examples: ['ok', 'degraded'],
    },
    product: { type: 'string', description: 'Name of the service.', examples: [product] },
    version: { type: 'string', description: 'Version of this interface.', examples: [version] },
    writes_enabled: {
      type: 'boolean',
      description: 'Whether this deployment has a write token, so that creates work.',
    },
  },
}

const index: Schema = {
  type: 'object',
  description: 'The front page for programs: what this is and where to go. Its properties may grow.',
  additionalProperties: true,
}

const fault: Schema = {
  type: 'object',
  description: 'One thing that is wrong with a request.',
  required: ['type', 'loc', 'msg'],
  properties: {
    type: { type: 'string', description: 'The kind of fault, for programs.', examples: faultTypes },
    loc: {
      type: 'array',
      description: 'Where the fault is: `query`, `path` or `body`, then the name of the parameter or field.',
      items: { type: ['string', 'integer'] },
      examples: [
        ['query', 'limit'],
        ['body', 'status'],
      ],
    },
    msg: { type: 'string', description: 'The fault in words, for people.' },
    input: { description: 'What was sent, where that is short enough to repeat.' },
    ctx: {
      type: 'object',
      description: 'The figures behind the message, such as the bound that was passed.',
      additionalProperties: true,
    },
  },
}

const validationDetail: Schema = {
  type: 'object',
  description: 'What is wrong with the parameters of a read.',
  required: ['detail'],
  properties: { detail: { type: 'array', description: 'Every fault that was found.', items: schemaRef('Fault') } },
}

/** Codes are examples and no enumeration: the list may grow, and a client should take a new one by its status. */
const errorEnvelope: Schema = {
  type: 'object',
  description: 'Every error but a refused parameter of a read.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      description: 'The error.',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'What happened, for programs.', examples: Object.keys(errorCodes) },
        message: { type: 'string', description: 'What happened, for people.' },
        details: {
          type: 'object',
          description: 'What else is known.',
          additionalProperties: true,
          properties: {
            errors: {
              type: 'array',
              description: 'Every fault of a refused body, in the order of the declared fields.',
              items: schemaRef('Fault'),
            },
            request_id: {
              type: 'string',
              description: 'The `X-Request-Id` of this answer, to quote when asking for help.',
            },
          },
        },
      },
    },
  },
}

export const sharedSchemas: Readonly<Record<string, Schema>> = {
  PaginationMeta: paginationMeta,
  CountMeta: countMeta,
  Health: health,
  Index: index,
  ErrorEnvelope: errorEnvelope,
  ValidationDetail: validationDetail,
  Fault: fault,
}
