import type { ReadMode } from '../api-constants.ts'
import { basePath, contentEncodings, maxBodyBytes, strictHandling } from '../api-constants.ts'
import { errorCodes } from '../error-codes.ts'
import type { Header, Response, Schema } from './document.ts'
import { headerRef, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'

const retryAfterDescription = 'Seconds to wait before retrying.'

export const sharedHeaders = (reads: ReadMode): Readonly<Record<string, Header>> => ({
  RequestId: {
    description: 'Id of this request in the log of the service.',
    required: true,
    schema: { type: 'string', minLength: 1, examples: ['vT9sUu1mXq0c-1'] },
  },
  NoStore: {
    description: '`no-store`: do not cache the response.',
    required: true,
    schema: { type: 'string', examples: ['no-store'] },
  },
  EntityTag: {
    description:
      'Strong validator of this response. Send it in `If-None-Match` to receive 304 as long as the response is unchanged.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' },
  },
  VariesByEncoding: {
    description: '`accept-encoding`: each encoding has its own body and ETag.',
    required: true,
    schema: { type: 'string', examples: ['accept-encoding'] },
  },
  ContentEncoding: {
    description: 'The encoding of the body; absent if it is not compressed. Short bodies are never compressed.',
    required: false,
    schema: { type: 'string', enum: contentEncodings },
  },
  PageLinks: {
    description:
      'Paths of the `first`, `prev`, `next` and `last` page, with all other parameters unchanged. The last page has no `next`. If the header would be very long, it has only `next`.',
    required: false,
    schema: { type: 'string', examples: [`<${basePath}/v1/leave?limit=2&offset=2>; rel="next"`] },
  },
  Revalidate:
    reads === 'public'
      ? {
          description: '`no-cache`: may be cached, but must be revalidated with its ETag before use.',
          required: true,
          schema: { type: 'string', examples: ['no-cache'] },
        }
      : {
          description: '`private, no-store`: the response is for this client only and must not be cached.',
          required: true,
          schema: { type: 'string', examples: ['private, no-store'] },
        },
  PreferenceApplied: {
    description: `\`${strictHandling.value}\` if \`${strictHandling.header}\` requested it.`,
    required: false,
    schema: { type: 'string', enum: [strictHandling.value] },
  },
  TotalCount: {
    description: 'Number of matching records, from the same snapshot as the records. Sent only with files.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
  },
  ChangesAfter: {
    description:
      'Cursor of the change feed at the snapshot of the file: every later change of the records comes after it. Sent only with files.',
    required: false,
    schema: { type: 'string' },
  },
  NoBuffering: {
    description: '`no`: reverse proxies must pass events on at once. Sent only with event streams.',
    required: false,
    schema: { type: 'string', enum: ['no'] },
  },
  ContentDisposition: {
    description: 'Suggested file name. Sent only with files.',
    required: false,
    schema: { type: 'string', examples: ['attachment; filename="employees.csv"'] },
  },
  IdempotentReplayed: {
    description: '`true` if the record was created by an earlier request with the same `Idempotency-Key`.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: { description: retryAfterDescription, required: true, schema: { type: 'integer', minimum: 1 } },
  RetryAfterOrNone: {
    description: `${retryAfterDescription} Absent if the deployment has no write token, because waiting would not help.`,
    required: false,
    schema: { type: 'integer', minimum: 1 },
  },
  Authenticate: {
    description: '`Bearer`: the authentication scheme.',
    required: true,
    schema: { type: 'string', examples: ['Bearer'] },
  },
})

/** Returns the headers that every response has, and those in `extraHeaders`. */
export const responseHeaders = (extraHeaders: Readonly<Record<string, Header>> = {}): Record<string, Header> => ({
  'X-Request-Id': headerRef('RequestId'),
  ...extraHeaders,
})

export const notModifiedHeaders = (): Record<string, Header> =>
  responseHeaders({
    ETag: headerRef('EntityTag'),
    'Cache-Control': headerRef('Revalidate'),
    Vary: headerRef('VariesByEncoding'),
    [strictHandling.applied]: headerRef('PreferenceApplied'),
  })

export const readHeaders = (): Record<string, Header> => ({
  ...notModifiedHeaders(),
  'Content-Encoding': headerRef('ContentEncoding'),
})

export const errorHeaders = (extraHeaders: Readonly<Record<string, Header>> = {}): Record<string, Header> =>
  responseHeaders({ 'Cache-Control': headerRef('NoStore'), ...extraHeaders })

interface SharedResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly schema?: Schema
}

const unavailableDescription = `\`database_unavailable\`, \`query_timeout\` or \`overloaded\`: ${lowerFirst(errorCodes.overloaded.message)}`

const responseDefinitions = {
  InvalidQuery: {
    description:
      'A parameter is invalid; the response lists every error. This is not the error envelope: see “Errors”.',
    headers: { [strictHandling.applied]: headerRef('PreferenceApplied') },
    schema: schemaRef('ValidationDetail'),
  },
  InvalidItemId: {
    description:
      'The `item_id` is too long or not UTF-8, or a parameter is invalid. This is not the error envelope: see “Errors”.',
    headers: { [strictHandling.applied]: headerRef('PreferenceApplied') },
    schema: schemaRef('ValidationDetail'),
  },
  NotFound: {
    description: '`not_found`: no record has this `item_id`.',
    headers: { [strictHandling.applied]: headerRef('PreferenceApplied') },
  },
  NoCareerSite: {
    description: '`not_found`: this deployment serves no career sites, or none has this `item_id`.',
    headers: { [strictHandling.applied]: headerRef('PreferenceApplied') },
  },
  CursorGone: {
    description:
      '`cursor_gone`: the cursor is older than the changes that are kept, or the database was restored since. Copy the records again.',
    headers: { [strictHandling.applied]: headerRef('PreferenceApplied') },
  },
  Unauthorized: {
    description:
      '`unauthorized`: the token is missing, wrong, expired or sent twice, or is the read token. The request body was not read.',
    headers: { 'WWW-Authenticate': headerRef('Authenticate') },
  },
  Forbidden: {
    description:
      '`forbidden`: the token has no right to this; `error.details.missing` names the right. The request body was not read.',
  },
  TooManyRequests: {
    description: '`rate_limited`: too many requests from one client. Occurs only in deployments with a rate limit.',
    headers: { 'Retry-After': headerRef('RetryAfter') },
  },
  PayloadTooLarge: { description: `\`payload_too_large\`: the request body has more than ${maxBodyBytes} bytes.` },
  InternalError: { description: `\`internal_error\`: ${lowerFirst(errorCodes.internal_error.message)}` },
  Unavailable: { description: unavailableDescription, headers: { 'Retry-After': headerRef('RetryAfter') } },
  WritesUnavailable: {
    description: `\`writes_disabled\`: ${lowerFirst(errorCodes.writes_disabled.message)} Or ${unavailableDescription}`,
    headers: { 'Retry-After': headerRef('RetryAfterOrNone') },
  },
} satisfies Readonly<Record<string, SharedResponse>>

/** These responses exist only in deployments where every read needs a token. */
const readRefusals = {
  ReadUnauthorized: {
    description: '`unauthorized`: the token is missing, wrong, expired or sent twice.',
    headers: { 'WWW-Authenticate': headerRef('Authenticate') },
  },
  ReadForbidden: {
    description: '`forbidden`: the token has no right to something that this reads; `error.details.missing` names it.',
  },
} satisfies Readonly<Record<string, SharedResponse>>

export const sharedResponse = (name: keyof typeof responseDefinitions | keyof typeof readRefusals): Response => ({
  $ref: `#/components/responses/${name}`,
})

export const sharedResponses = (examples: Examples, reads: ReadMode): Record<string, Response> =>
  Object.fromEntries(
    Object.entries<SharedResponse>(
      reads === 'token' ? { ...responseDefinitions, ...readRefusals } : responseDefinitions,
    ).map(([name, { description, headers, schema = schemaRef('ErrorEnvelope') }]) => [
      name,
      { description, headers: errorHeaders(headers), content: jsonContent(schema, examples.responses[name]) },
    ]),
  )

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}
