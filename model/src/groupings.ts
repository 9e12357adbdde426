/** In charge of what the records of a resource can be counted by, as it follows from its declaration. */
import type { NamedField, Resource } from './resource.ts'

/** Parts of time by which dates and moments are put together. */
export const spans = ['year', 'month', 'day'] as const
export type Span = (typeof spans)[number]

export interface Grouping {
  /** As it is asked for and answered: the field's own name, or `month(created)`. */
  readonly name: string
  readonly field: NamedField
  readonly span?: Span
}

/** What a list can be narrowed by is what its records can be counted by; and moments, by the time they fall into. */
export const groupingsOf = ({ stored }: Resource): Grouping[] =>
  stored.flatMap((field): Grouping[] => {
    if (field.kind === 'date' || field.kind === 'timestamp')
      return spans.map((span) => ({ name: `${span}(${field.name})`, field, span }))
    return field.filter ? [{ name: field.name, field }] : []
  })

/** One that leads to few groups, to show what a count is: a state, else a year, else what is declared last. */
export const exampleGrouping = (resource: Resource): string => {
  const groupings = groupingsOf(resource)
  const chosen =
    groupings.find(({ field }) => field.state) ?? groupings.find(({ span }) => span === 'year') ?? groupings.at(-1)
  return chosen?.name ?? ''
}

/** Departments have a name and nothing else. */
export const isCountable = (resource: Resource): boolean => groupingsOf(resource).length > 0

/** How many may be asked for at once, and into how many groups they may lead. */
export const maxGroupings = 2
export const maxGroups = 1_000
