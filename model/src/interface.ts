/** In charge of the fixed facts of the published interface: names, paths and limits that belong to no single resource. */

export const product = 'Muster'
export const version = '1.0.0'
/** Every path of the interface stands under this one. */
export const basePath = '/api'

export const page = { defaultLimit: 50, minLimit: 1, maxLimit: 200, minOffset: 0 } as const
/** Decimal digits an integer parameter may have before it is refused for its size alone. */
export const maxIntegerDigits = 4_300
/** Forms in which records are written to files, each with its media type. */
export const fileTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
export type FileFormat = keyof typeof fileTypes
export const fileFormats = Object.keys(fileTypes) as readonly FileFormat[]
/** What a list may be answered as: a page of JSON, or a file. */
export const listFormats = ['json', ...fileFormats] as const
/** The header that says how many records match, where the answer is the records alone. */
export const totalHeader = 'X-Total-Count'
export const maxSearchLength = 200
/** Ids that one list may be asked for by name. */
export const maxListedIds = 200
/** The parameters that say what records hold. */
export const fieldsParameter = 'fields'
export const expandParameter = 'expand'
export const maxItemIdLength = 255
export const maxBodyBytes = 1_048_576
/** The header by which a create can be repeated: visible ASCII, bare or in quotes, which are not a part of the key. */
export const idempotencyKey = { header: 'Idempotency-Key', pattern: '^(?:"[!-~]{1,255}"|[!-~]{1,255})$' } as const
/** The header of an answer that repeats an earlier one. */
export const replayedHeader = 'Idempotent-Replayed'

/** What answers are compressed by, in the order in which they are given to whoever takes several alike. */
export const encodings = ['br', 'gzip'] as const

/** By which a client asks that nothing it says be overlooked, and by which it is told that nothing was. */
export const strictHandling = { header: 'Prefer', value: 'handling=strict', applied: 'Preference-Applied' } as const
/** Names that nobody knows are told up to this many at once. */
export const maxUnknownNames = 20

/** What scripts of any page may see of an answer beside its body. */
export const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'X-Request-Id',
  'X-Total-Count',
  replayedHeader,
  strictHandling.applied,
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
] as const
/** What scripts of other origins may send beside what every page may. */
export const crossOriginHeaders = [
  'authorization',
  'content-type',
  idempotencyKey.header.toLowerCase(),
  'if-none-match',
  strictHandling.header.toLowerCase(),
] as const

/** Who may read: everybody everything, everybody what is not personal, or holders of a token alone. */
export const readModes = ['public', 'redacted', 'token'] as const
export type ReadMode = (typeof readModes)[number]
