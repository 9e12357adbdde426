/** In charge of entity tags: one for each encoding of what was found, and which of them a client holds. */
import { hash } from 'node:crypto'
import type { Encoding } from './encodings.ts'

/** What all tags of one sequence of bytes have in common, from whatever the bytes follow from. */
export const tagName = (origin: string | Buffer): string => hash('sha256', origin, 'base64url').slice(0, 27)

/** Strong: one encoding of one sequence of bytes is one sequence of bytes again. */
export const tagOf = (name: string, encoding: Encoding): string =>
  encoding === 'identity' ? `"${name}"` : `"${name}-${encoding}"`

/**
 * The tag a client holds of what it would be given, or of the same as it is, which everybody takes. Compared weakly, as
 * If-None-Match is: a front that compressed the answer may have marked the tag as weak.
 */
export const heldTag = (held: string, name: string, encoding: Encoding): string | undefined => {
  const tag = tagOf(name, encoding)
  if (isStar(held)) return tag
  const tags = held.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return [tag, tagOf(name, 'identity')].find((each) => tags.includes(each))
}

/** Whoever says so holds anything that is there at all. */
export const isStar = (held: string): boolean => held.trim() === '*'
