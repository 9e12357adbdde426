import { resourceAt } from '../registry.ts'
import type { NamedField } from '../schema/field.ts'
import type { Relation, Resource } from '../schema/resource.ts'

/** The fields and related records that a request selects, in declaration order. */
export interface RequestedProjection {
  /** Undefined means all fields. */
  readonly fields: readonly NamedField[] | undefined
  readonly relations: readonly Relation[]
}

/** Returns the resource, limited to the fields and related records that the request selects. */
export const withProjection = (resource: Resource, { fields, relations }: RequestedProjection): Resource =>
  fields === undefined && relations.length === 0
    ? resource
    : {
        ...resource,
        projection: {
          fields,
          expansions: relations.map((relation) => ({ relation, resource: resourceAt(relation.resource) })),
        },
      }
