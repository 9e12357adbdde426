/** Whose data the personal fields of a record are. */
import { DeclarationError } from './declaration-error.ts'
import type { PersonKind, Resource } from './resource.ts'
import { personKindAt } from './resource.ts'

/** The field `personOf` of a resource. */
export interface PersonReference {
  readonly resource: Resource
  readonly field: string
}

export interface PersonPath {
  readonly kind: PersonKind
  /** References to follow one after the other. The first is a field of the record, the last names the person. */
  readonly references: readonly PersonReference[]
}

/** How a record leads to its person by `personOf`. Undefined without that option. Throws if it leads to nobody. */
export const personPath = (resource: Resource, resourceAt: (path: string) => Resource): PersonPath | undefined => {
  const references: PersonReference[] = []
  for (let current = resource; current.personOf !== undefined; ) {
    const { personOf: field } = current
    if (references.some((reference) => reference.resource.path === current.path)) break
    references.push({ resource: current, field })
    const target = current.fields[field]?.references?.resource ?? ''
    const kind = personKindAt(target)
    if (kind !== undefined) return { kind, references }
    current = resourceAt(target)
  }
  if (references.length === 0) return undefined
  throw new DeclarationError(
    `${resource.path}.personOf leads to no person: ${references.map(({ resource: { path }, field }) => `${path}.${field}`).join(', ')}`,
  )
}
