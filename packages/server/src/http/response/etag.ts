import { hash } from 'node:crypto'
import { version as release } from '@muster/model'
import type { Encoding } from '../request/accept-encoding.ts'

/** The release, the version of the tables and the cache key together determine the bytes of a response. */
export const etagNameAt = (version: string, key: string): string => etagName(`${release}\n${version}\n${key}`)

/** The part of an ETag that all encodings share. `source` must determine the bytes of the response. */
export const etagName = (source: string | Buffer): string => hash('sha256', source, 'base64url').slice(0, 27)

/** A strong ETag, which is different for each encoding. */
export const etagOf = (name: string, encoding: Encoding): string =>
  encoding === 'identity' ? `"${name}"` : `"${name}-${encoding}"`

/**
 * The ETag in If-None-Match that is current, either for the encoding that the client would get or for the uncompressed
 * response. Compared weakly, as RFC 9110, section 13.1.2 requires: a reverse proxy that compresses a response marks its
 * ETag as weak.
 */
export const matchingEtag = (ifNoneMatch: string, name: string, encoding: Encoding): string | undefined => {
  const etag = etagOf(name, encoding)
  if (isStar(ifNoneMatch)) return etag
  const etags = ifNoneMatch.split(',').map((text) => text.trim().replace(/^W\//, ''))
  return [etag, etagOf(name, 'identity')].find((current) => etags.includes(current))
}

/** `*` matches any current representation (RFC 9110, section 13.1.2). */
export const isStar = (ifNoneMatch: string): boolean => ifNoneMatch.trim() === '*'
