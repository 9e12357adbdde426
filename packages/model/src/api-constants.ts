import { changesAfterHeader, lastEventIdHeader } from './changes.ts'

/** Names, paths and limits that apply to the whole HTTP API, not to a single resource. */

export const product = 'Muster'
export const version = '1.0.0'
/** All API paths begin with this prefix. */
export const basePath = '/api'

export const pageLimits = { defaultLimit: 50, minLimit: 1, maxLimit: 200, minOffset: 0 } as const
/** Integer parameters with more decimal digits than this are rejected without parsing. */
export const maxIntegerDigits = 4_300
/** Export formats and their media types. */
export const fileTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
export type FileFormat = keyof typeof fileTypes
export const fileFormats = Object.keys(fileTypes) as readonly FileFormat[]
/** Values of the `format` parameter of a list: `json` returns a page, the others return a file. */
export const listFormats = ['json', ...fileFormats] as const
/** Response header with the number of matching records. Exports need this header, because their body has no `meta`. */
export const totalHeader = 'X-Total-Count'
export const maxSearchLength = 200
/** Maximum number of ids in a filter by id or by a reference. */
export const maxListedIds = 200
export const fieldsParameter = 'fields'
export const expandParameter = 'expand'
export const maxItemIdLength = 255
export const maxBodyBytes = 1_048_576
/** An idempotency key consists of visible ASCII characters. It may be quoted; the quotes are not part of the key. */
export const idempotencyKey = { header: 'Idempotency-Key', pattern: '^(?:"[!-~]{1,255}"|[!-~]{1,255})$' } as const
/** Marks a response that only repeats the response to an earlier create request with the same idempotency key. */
export const replayedHeader = 'Idempotent-Replayed'

/** Supported content encodings. If a client accepts several encodings equally, the service uses the first of them. */
export const contentEncodings = ['br', 'gzip'] as const

/**
 * With this request header (RFC 7240), the service rejects unknown parameters. The response header in `applied`
 * confirms that it understood the request header.
 */
export const strictHandling = { header: 'Prefer', value: 'handling=strict', applied: 'Preference-Applied' } as const
/** Maximum number of unknown parameters or properties that one error response reports. */
export const maxUnknownNames = 20

/** Value of the CORS header `Access-Control-Expose-Headers`. */
export const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'X-Request-Id',
  'X-Total-Count',
  changesAfterHeader,
  replayedHeader,
  strictHandling.applied,
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
] as const
/** Value of the CORS header `Access-Control-Allow-Headers`. */
export const corsRequestHeaders = [
  'authorization',
  'content-type',
  idempotencyKey.header.toLowerCase(),
  'if-none-match',
  lastEventIdHeader.toLowerCase(),
  strictHandling.header.toLowerCase(),
] as const

/**
 * What happens to reads without a token: `public` allows them, `redacted` withholds personal values, `token` rejects them.
 */
export const readModes = ['public', 'redacted', 'token'] as const
export type ReadMode = (typeof readModes)[number]
