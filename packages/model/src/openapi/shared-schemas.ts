import { product, version } from '../api-constants.ts'
import { errorCodes } from '../error-codes.ts'
import { errorTypes } from '../validation/violation.ts'
import type { Schema } from './document.ts'
import { schemaRef } from './document.ts'

const paginationMeta: Schema = {
  type: 'object',
  description: 'Position of the page in the whole list.',
  required: ['total', 'limit', 'offset'],
  properties: {
    total: {
      type: 'integer',
      minimum: 0,
      description: 'Number of matching records, from the same snapshot as the page.',
    },
    limit: { type: 'integer', minimum: 1, description: 'The page size that was applied.' },
    offset: { type: 'integer', minimum: 0, description: 'Number of records skipped.' },
  },
}

const countMeta: Schema = {
  type: 'object',
  description: 'Totals over all groups.',
  required: ['total', 'groups'],
  properties: {
    total: { type: 'integer', minimum: 0, description: 'Number of matching records: the sum of the counts.' },
    groups: { type: 'integer', minimum: 0, description: 'Number of groups, on all pages.' },
    limit: { type: 'integer', minimum: 1, description: 'The page size that was applied; only in a page of groups.' },
    offset: { type: 'integer', minimum: 0, description: 'Number of groups skipped; only in a page of groups.' },
  },
}

const health: Schema = {
  type: 'object',
  description: 'Health of the service.',
  required: ['status', 'product', 'version', 'writes_enabled'],
  properties: {
    status: {
      type: 'string',
      description: '`ok`, or `degraded` while the database is unavailable.',
      examples: ['ok', 'degraded'],
    },
    product: { type: 'string', description: 'Name of the service.', examples: [product] },
    version: { type: 'string', description: 'Version of this API.', examples: [version] },
    writes_enabled: {
      type: 'boolean',
      description: 'Whether this deployment has a token for creates; without one, creates are disabled.',
    },
  },
}

const session: Schema = {
  type: 'object',
  description: 'What the caller may do.',
  required: ['name', 'by', 'reads', 'read', 'create', 'expires'],
  properties: {
    name: { type: ['string', 'null'], description: 'Name of the token; null without a valid one.' },
    by: { type: 'string', description: 'What the name is from.', examples: ['token', 'none'] },
    reads: {
      type: 'string',
      description: 'How the caller sees what is in `read`: with or without personal fields, or not at all.',
      examples: ['full', 'redacted', 'none'],
    },
    read: {
      type: 'array',
      description:
        'Resources and reports that the caller may read in this way. A report needs the right to everything that it reads, unless it is named here. If reads are redacted, everything else is shown without personal fields.',
      items: { type: 'string', examples: ['employees', 'headcount'] },
    },
    create: {
      type: 'array',
      description: 'Resources of which the caller may create records.',
      items: { type: 'string', examples: ['leave'] },
    },
    expires: {
      type: ['string', 'null'],
      description: 'Last day on which the token is valid, in UTC; null if it does not expire. YYYY-MM-DD.',
    },
  },
}

const index: Schema = {
  type: 'object',
  description: 'Entry point for programs, with links to everything else. Properties may be added.',
  additionalProperties: true,
}

const fault: Schema = {
  type: 'object',
  description: 'One validation error of a request.',
  required: ['type', 'loc', 'msg'],
  properties: {
    type: { type: 'string', description: 'Type of the error, for programs.', examples: errorTypes },
    loc: {
      type: 'array',
      description: 'Location of the error: `query`, `path` or `body`, then the name of the parameter or field.',
      items: { type: ['string', 'integer'] },
      examples: [
        ['query', 'limit'],
        ['body', 'status'],
      ],
    },
    msg: { type: 'string', description: 'Description of the error, for people.' },
    input: { description: 'The rejected value, if it is short.' },
    ctx: {
      type: 'object',
      description: 'Values used in the message, such as the limit that was exceeded.',
      additionalProperties: true,
    },
  },
}

const validationDetail: Schema = {
  type: 'object',
  description: 'Validation errors in the parameters of a read.',
  required: ['detail'],
  properties: { detail: { type: 'array', description: 'All errors.', items: schemaRef('Fault') } },
}

/**
 * The schema lists error codes as examples and not as an enum, because codes may be added. Clients handle an unknown
 * code by the HTTP status.
 */
const errorEnvelope: Schema = {
  type: 'object',
  description: 'Every error except invalid parameters of a read.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      description: 'The error.',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'Error code, for programs.', examples: Object.keys(errorCodes) },
        message: { type: 'string', description: 'Description of the error, for people.' },
        details: {
          type: 'object',
          description: 'Further information.',
          additionalProperties: true,
          properties: {
            errors: {
              type: 'array',
              description: 'All errors of an invalid body, in the order of the declared fields.',
              items: schemaRef('Fault'),
            },
            request_id: {
              type: 'string',
              description: 'The `X-Request-Id` of this response, to quote in support requests.',
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
  Session: session,
  Index: index,
  ErrorEnvelope: errorEnvelope,
  ValidationDetail: validationDetail,
  Fault: fault,
}
