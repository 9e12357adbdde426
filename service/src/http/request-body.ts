/** In charge of turning the bytes of a create into an object, or saying which of the rules for a body they break. */
import type { Context, Fault, FaultType } from '@muster/model'
import { faultAt, maxItems, readFlatJson } from '@muster/model'
import { bodyRefused, type Problem } from '../errors.ts'

export interface ReceivedBody {
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly bytes: Uint8Array | undefined
}

export type BodyObject = Readonly<Record<string, unknown>>

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const readBody = ({ contentType, contentEncoding, bytes }: ReceivedBody): BodyObject => {
  if (bytes === undefined || bytes.length === 0) throw refused('body_missing')
  if (contentType === undefined || !isJson(contentType)) throw refused('content_type')
  if (contentEncoding !== undefined || !isUtf8(contentType)) throw refused('encoding')
  const read = readFlatJson(decode(bytes))
  if (read === 'not_an_object') throw refused('model_type')
  if (read === 'too_many_items') throw refused('too_many_items', { max_items: maxItems })
  if ('invalidAt' in read) throw refused('json_invalid', { error: `unexpected at position ${read.invalidAt}` })
  if (read.duplicates.length > 0) throw bodyRefused(read.duplicates.map(duplicate))
  return read.members
}

export const contentTypeRefused = (): Problem => refused('content_type')

const refused = (type: FaultType, ctx?: Context): Problem =>
  bodyRefused([faultAt(['body'], ctx === undefined ? { type } : { type, ctx })])

const duplicate = (key: string): Fault => faultAt(['body', key], { type: 'duplicate_key' })

const isJson = (contentType: string): boolean =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'

/** A charset that is not UTF-8 announces a body that is not, whatever its bytes look like. */
const isUtf8 = (contentType: string): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]?.toLowerCase()
  return charset === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(charset)
}

const decode = (bytes: Uint8Array): string => {
  try {
    const text = strictUtf8.decode(bytes)
    if (!text.startsWith('\uFEFF')) return text
  } catch {
    // Told below, as for the byte order mark.
  }
  throw refused('encoding')
}
