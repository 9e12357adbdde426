/** In charge of what a count may ask for: what to count by, and which records. */
import type { Flaw, Grouping, Resource } from '@muster/model'
import { faultAt, groupingsOf, maxGroupings, maxGroups } from '@muster/model'
import { ParameterProblem } from '../errors.ts'
import type { CountQuery } from '../operations/count.ts'
import { readNarrowing, readParameters } from './parameters.ts'
import type { Parameter, Parameters } from './query-string.ts'

export const readCountQuery = (resource: Resource, parameters: Parameters): CountQuery =>
  readParameters(parameters, (refuse) => ({
    groupings: readGroupings(resource, parameters.get('by'), (flaw) => refuse('by', flaw)),
    ...readNarrowing(resource, parameters, refuse),
  }))

const readGroupings = (resource: Resource, by: Parameter | undefined, refuse: (flaw: Flaw) => void): Grouping[] => {
  const known = groupingsOf(resource)
  const names = [...new Set(by?.text.split(','))].filter((name) => name.trim() !== '')
  const groupings = known.filter(({ name }) => names.includes(name))
  if (by?.isUnicode === false) refuse({ type: 'string_unicode' })
  else if (names.length === 0) refuse({ type: 'missing' })
  else if (groupings.length < names.length)
    refuse({ type: 'literal_error', ctx: { expected: known.map(({ name }) => name).join(', ') } })
  else if (names.length > maxGroupings) refuse({ type: 'too_long', ctx: { max_length: maxGroupings } })
  else if (resource.redacted && groupings.some(({ field }) => field.personal)) refuse({ type: 'field_redacted' })
  // In the order they were asked for.
  return groupings.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
}

/** Known only when they were counted. */
export const tooManyGroups = (parameters: Parameters): ParameterProblem =>
  new ParameterProblem([
    faultAt(['query', 'by'], { type: 'too_many_groups', ctx: { max_groups: maxGroups } }, parameters.get('by')?.text),
  ])
