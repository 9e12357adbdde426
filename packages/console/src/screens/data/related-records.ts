import type { NamedField, Resource } from '@muster/model'
import { resources } from '@muster/model'

/** A field of another resource, or of the same one, that refers to a record. */
interface BackReference {
  readonly resource: Resource
  readonly field: NamedField
}

export const backReferences = (path: string, all: readonly Resource[] = resources): readonly BackReference[] =>
  all.flatMap((resource) =>
    resource.allFields.filter(({ references }) => references?.resource === path).map((field) => ({ resource, field })),
  )
