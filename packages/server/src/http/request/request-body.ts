import type { ErrorContext, ErrorType, ValidationError } from '@muster/model'
import { errorAt, maxJsonItems, readFlatJson } from '@muster/model'
import { invalidBody, type Problem } from '../../errors.ts'

export interface ReceivedBody {
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly bytes: Uint8Array | undefined
}

export type BodyObject = Readonly<Record<string, unknown>>

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const readBody = ({ contentType, contentEncoding, bytes }: ReceivedBody): BodyObject => {
  if (bytes === undefined || bytes.length === 0) throw bodyError('body_missing')
  if (contentType === undefined || !isJson(contentType)) throw bodyError('content_type')
  if (contentEncoding !== undefined || !isUtf8(contentType)) throw bodyError('encoding')
  const parsed = readFlatJson(decodeUtf8(bytes))
  if (parsed === 'not_an_object') throw bodyError('model_type')
  if (parsed === 'too_many_items') throw bodyError('too_many_items', { max_items: maxJsonItems })
  if ('invalidAt' in parsed) throw bodyError('json_invalid', { error: `unexpected at position ${parsed.invalidAt}` })
  if (parsed.duplicates.length > 0) throw invalidBody(parsed.duplicates.map(duplicateKey))
  return parsed.members
}

export const unsupportedContentType = (): Problem => bodyError('content_type')

const bodyError = (type: ErrorType, ctx?: ErrorContext): Problem =>
  invalidBody([errorAt(['body'], ctx === undefined ? { type } : { type, ctx })])

const duplicateKey = (key: string): ValidationError => errorAt(['body', key], { type: 'duplicate_key' })

const isJson = (contentType: string): boolean =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'

/** A charset other than UTF-8 means that the body is not UTF-8, even if its bytes happen to be valid UTF-8. */
const isUtf8 = (contentType: string): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]?.toLowerCase()
  return charset === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(charset)
}

const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    const text = strictUtf8.decode(bytes)
    if (!text.startsWith('\uFEFF')) return text
  } catch {
    // The body is not valid UTF-8: reported below, like a byte order mark.
  }
  throw bodyError('encoding')
}
