/** In charge of the record of what was published: an OpenAPI document without its prose and examples. */
import type { OpenapiDocument } from '../derive/document.ts'

const prose = new Set(['description', 'summary', 'example', 'examples', 'license', 'tags', 'x-tagGroups'])

/** Below these the keys are names, and a field may well be called `description`. */
const namings = new Set([
  'paths',
  'properties',
  'responses',
  'headers',
  'schemas',
  'securitySchemes',
  'content',
  'links',
])

/** What a client can depend on, and nothing else: a change of wording leaves it as it is. */
export const withoutProse = (document: OpenapiDocument): OpenapiDocument => stripped(document, false) as OpenapiDocument

const stripped = (node: unknown, keysAreNames: boolean): unknown => {
  if (Array.isArray(node)) return node.map((entry) => stripped(entry, false))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => keysAreNames || !prose.has(key))
      .map(([key, value]) => [key, stripped(value, !keysAreNames && namings.has(key))]),
  )
}
