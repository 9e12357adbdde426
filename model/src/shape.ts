/** In charge of the shape of an answer: which of its fields a record holds, and which related records stand beside their ids. */
import { resourceAt } from './registry.ts'
import type { NamedField, Relation, Resource } from './resource.ts'

/** What a reader named, in declared order. */
export interface AskedShape {
  /** Undefined where no choice was made among them. */
  readonly fields: readonly NamedField[] | undefined
  readonly relations: readonly Relation[]
}

/** The resource with answers of that shape. */
export const shaped = (resource: Resource, { fields, relations }: AskedShape): Resource =>
  fields === undefined && relations.length === 0
    ? resource
    : {
        ...resource,
        shape: {
          fields,
          expansions: relations.map((relation) => ({ relation, resource: resourceAt(relation.resource) })),
        },
      }
