import { resourceAt } from '../registry.ts'
import type { NamedField } from '../schema/field.ts'
import type { Relation, Resource } from '../schema/resource.ts'

/** Units of time by which dates and timestamps can be grouped. Weeks are those of ISO 8601: they begin on Monday. */
export const timeUnits = ['year', 'month', 'week', 'day'] as const
export type TimeUnit = (typeof timeUnits)[number]

export interface Grouping {
  /**
   * Name of the grouping in requests and responses: the name of the field, the unit and the field as in
   * `month(created)`, or the relation and its field as in `employee.dept_id`.
   */
  readonly name: string
  readonly field: NamedField
  readonly unit?: TimeUnit
  /** Present if the field belongs to a related record. */
  readonly relation?: Relation
}

export const groupingsOf = (resource: Resource): Grouping[] => [
  ...ownGroupings(resource),
  ...relatedGroupings(resource),
]

/** Fields of related records with an equality filter. */
const relatedGroupings = ({ relations }: Resource): Grouping[] =>
  relations.flatMap((relation) =>
    resourceAt(relation.resource).filterableFields.map((field) => ({
      name: `${relation.name}.${field.name}`,
      field,
      relation,
    })),
  )

/** Records can be grouped by fields with an equality filter, and by the year, month, week or day of dates and timestamps. */
const ownGroupings = ({ storedFields: stored }: Resource): Grouping[] =>
  stored.flatMap((field): Grouping[] => {
    if (field.kind === 'date' || field.kind === 'timestamp')
      return timeUnits.map((unit) => ({ name: `${unit}(${field.name})`, field, unit }))
    return field.filter ? [{ name: field.name, field }] : []
  })

/** Returns a grouping with few groups for use in examples: a status, or else a year, or else the last grouping. */
export const exampleGrouping = (resource: Resource): string => {
  const groupings = ownGroupings(resource)
  const chosen =
    groupings.find(({ field }) => field.state) ?? groupings.find(({ unit }) => unit === 'year') ?? groupings.at(-1)
  return chosen?.name ?? ''
}

/** Whether records of the resource can be counted by group. */
export const isCountable = (resource: Resource): boolean => groupingsOf(resource).length > 0

/** Maximum number of fields by which one request can group. */
export const maxGroupings = 2
/** Maximum number of groups in one response. */
export const maxGroups = 1_000
