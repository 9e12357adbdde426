import type { OpenapiDocument } from '../openapi/document.ts'

const proseKeywords = new Set(['description', 'summary', 'example', 'examples', 'license', 'tags', 'x-tagGroups'])

/**
 * Keywords whose value is an object with names as keys. Such a key is not itself a keyword: a field of a record may be
 * named `description`.
 */
const keywordsWithNamedEntries = new Set([
  'paths',
  'properties',
  'responses',
  'headers',
  'schemas',
  'securitySchemes',
  'content',
  'links',
])

/**
 * Removes descriptions and other text for people from the OpenAPI document, so that a change of wording is not reported
 * as a change.
 */
export const withoutProse = (document: OpenapiDocument): OpenapiDocument =>
  stripProse(document, false) as OpenapiDocument

const stripProse = (node: unknown, keysAreNames: boolean): unknown => {
  if (Array.isArray(node)) return node.map((entry) => stripProse(entry, false))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => keysAreNames || !proseKeywords.has(key))
      .map(([key, value]) => [key, stripProse(value, !keysAreNames && keywordsWithNamedEntries.has(key))]),
  )
}
