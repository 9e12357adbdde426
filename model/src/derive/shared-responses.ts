/** In charge of the answers and header fields that many operations share, each said once. */
import { errorCodes } from '../error-codes.ts'
import type { ReadMode } from '../interface.ts'
import { basePath, encodings, maxBodyBytes, strictHandling } from '../interface.ts'
import type { Header, Response, Schema } from './document.ts'
import { headerRef, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'

const retryAfter = 'Seconds to wait before the next try.'

export const sharedHeaders = (reads: ReadMode): Readonly<Record<string, Header>> => ({
  RequestId: {
    description: 'Names this request in the log of the service.',
    required: true,
    schema: { type: 'string', minLength: 1, examples: ['vT9sUu1mXq0c-1'] },
  },
  NoStore: {
    description: '`no-store`: the answer speaks of this moment and is not to be kept.',
    required: true,
    schema: { type: 'string', examples: ['no-store'] },
  },
  EntityTag: {
    description:
      'Stands for these very bytes; send it back in `If-None-Match` to be told when they are still the same.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' },
  },
  VariesByEncoding: {
    description: '`accept-encoding`: whoever takes other encodings is given other bytes, under another tag.',
    required: true,
    schema: { type: 'string', examples: ['accept-encoding'] },
  },
  ContentEncoding: {
    description: 'The encoding of the body; absent where it is sent as it is, as every short one is.',
    required: false,
    schema: { type: 'string', enum: encodings },
  },
  PageLinks: {
    description:
      'Paths of the `first`, `prev`, `next` and `last` page, with all other parameters as they were sent. Without a `next` the list ends here. Where they are very long together, `next` alone is there.',
    required: false,
    schema: { type: 'string', examples: [`<${basePath}/v1/leave?limit=2&offset=2>; rel="next"`] },
  },
  Revalidate:
    reads === 'public'
      ? {
          description: '`no-cache`: may be kept, and is to be asked for again by its tag before it is used.',
          required: true,
          schema: { type: 'string', examples: ['no-cache'] },
        }
      : {
          description: '`private, no-store`: for the caller alone, and not to be kept.',
          required: true,
          schema: { type: 'string', examples: ['private, no-store'] },
        },
  PreferenceApplied: {
    description: `\`${strictHandling.value}\` where \`${strictHandling.header}\` asked for it.`,
    required: false,
    schema: { type: 'string', enum: [strictHandling.value] },
  },
  TotalCount: {
    description: 'How many records match, where the answer is a file: of the same moment as the records in it.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
  },
  ContentDisposition: {
    description: 'A name for the file, where the answer is one.',
    required: false,
    schema: { type: 'string', examples: ['attachment; filename="employees.csv"'] },
  },
  IdempotentReplayed: {
    description: '`true` where the record had been created before, by a request with the same `Idempotency-Key`.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: { description: retryAfter, required: true, schema: { type: 'integer', minimum: 1 } },
  RetryAfterOrNone: {
    description: `${retryAfter} Absent where waiting does not help, because writes are not configured.`,
    required: false,
    schema: { type: 'integer', minimum: 1 },
  },
  Authenticate: {
    description: '`Bearer`: the scheme to use.',
    required: true,
    schema: { type: 'string', examples: ['Bearer'] },
  },
})

/** Header fields of every answer, then those of one. */
export const answerHeaders = (more: Readonly<Record<string, Header>> = {}): Record<string, Header> => ({
  'X-Request-Id': headerRef('RequestId'),
  ...more,
})

/** Header fields of an answer that says that nothing has changed. */
export const unchangedHeaders = (): Record<string, Header> =>
  answerHeaders({
    ETag: headerRef('EntityTag'),
    'Cache-Control': headerRef('Revalidate'),
    Vary: headerRef('VariesByEncoding'),
    [strictHandling.applied]: headerRef('PreferenceApplied'),
  })

/** Header fields of what a read found. */
export const readHeaders = (): Record<string, Header> => ({
  ...unchangedHeaders(),
  'Content-Encoding': headerRef('ContentEncoding'),
})

export const errorHeaders = (more: Readonly<Record<string, Header>> = {}): Record<string, Header> =>
  answerHeaders({ 'Cache-Control': headerRef('NoStore'), ...more })

interface SharedResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly schema?: Schema
}

const unavailable = `\`database_unavailable\` or \`overloaded\`: ${lowerFirst(errorCodes.overloaded.message)}`

const shared = {
  InvalidQuery: {
    description: 'A parameter is not acceptable; every fault is told at once. Not the error envelope: see “Errors”.',
    headers: { [strictHandling.applied]: headerRef('PreferenceApplied') },
    schema: schemaRef('ValidationDetail'),
  },
  InvalidItemId: {
    description:
      'The `item_id` is too long or not UTF-8, or a parameter is not acceptable. Not the error envelope: see “Errors”.',
    headers: { [strictHandling.applied]: headerRef('PreferenceApplied') },
    schema: schemaRef('ValidationDetail'),
  },
  NotFound: {
    description: '`not_found`: no record has this `item_id`.',
    headers: { [strictHandling.applied]: headerRef('PreferenceApplied') },
  },
  Unauthorized: {
    description: '`unauthorized`: the write token is missing, wrong or sent twice. The body was not read.',
    headers: { 'WWW-Authenticate': headerRef('Authenticate') },
  },
  TooManyRequests: {
    description: '`rate_limited`: only where the deployment limits how often one caller may ask.',
    headers: { 'Retry-After': headerRef('RetryAfter') },
  },
  PayloadTooLarge: { description: `\`payload_too_large\`: the body has more than ${maxBodyBytes} bytes.` },
  InternalError: { description: `\`internal_error\`: ${lowerFirst(errorCodes.internal_error.message)}` },
  Unavailable: { description: unavailable, headers: { 'Retry-After': headerRef('RetryAfter') } },
  WritesUnavailable: {
    description: `\`writes_disabled\`: ${lowerFirst(errorCodes.writes_disabled.message)} Or ${unavailable}`,
    headers: { 'Retry-After': headerRef('RetryAfterOrNone') },
  },
} satisfies Readonly<Record<string, SharedResponse>>

/** The answer of a deployment that lets nobody read without a token. */
const readUnauthorized: SharedResponse = {
  description: '`unauthorized`: the token is missing, wrong or sent twice.',
  headers: { 'WWW-Authenticate': headerRef('Authenticate') },
}

/** The answer of that name, by reference. */
export const sharedResponse = (name: keyof typeof shared | 'ReadUnauthorized'): Response => ({
  $ref: `#/components/responses/${name}`,
})

export const sharedResponses = (examples: Examples, reads: ReadMode): Record<string, Response> =>
  Object.fromEntries(
    Object.entries<SharedResponse>(reads === 'token' ? { ...shared, ReadUnauthorized: readUnauthorized } : shared).map(
      ([name, { description, headers, schema = schemaRef('ErrorEnvelope') }]) => [
        name,
        { description, headers: errorHeaders(headers), content: jsonContent(schema, examples.responses[name]) },
      ],
    ),
  )

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}
