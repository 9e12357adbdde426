import type { Grouping, Resource, Violation } from '@muster/model'
import { errorAt, groupingsOf, maxGroupings, maxGroups } from '@muster/model'
import { ParameterProblem } from '../../errors.ts'
import type { CountQuery } from '../../queries/count.ts'
import { readFilters, readWindow } from './list-query.ts'
import type { Parameter, Parameters, ReportViolation } from './query-string.ts'
import { readParameters } from './query-string.ts'

export const readCountQuery = (resource: Resource, parameters: Parameters): CountQuery =>
  readParameters(parameters, (report) => ({
    groupings: readGroupings(resource, parameters.get('by'), (violation) => report('by', violation)),
    window: readCountWindow(parameters, report),
    ...readFilters(resource, parameters, report),
  }))

/** Undefined if the request sends neither `limit` nor `offset`. */
const readCountWindow = (parameters: Parameters, report: ReportViolation): CountQuery['window'] =>
  parameters.has('limit') || parameters.has('offset')
    ? readWindow(parameters, report, { defaultLimit: maxGroups, maxLimit: maxGroups })
    : undefined

const readGroupings = (
  resource: Resource,
  by: Parameter | undefined,
  report: (violation: Violation) => void,
): Grouping[] => {
  const availableGroupings = groupingsOf(resource)
  const names = [...new Set(by?.text.split(','))].filter((name) => name.trim() !== '')
  const groupings = availableGroupings.filter(({ name }) => names.includes(name))
  if (by?.isUnicode === false) report({ type: 'string_unicode' })
  else if (names.length === 0) report({ type: 'missing' })
  else if (groupings.length < names.length)
    report({ type: 'literal_error', ctx: { expected: availableGroupings.map(({ name }) => name).join(', ') } })
  else if (names.length > maxGroupings) report({ type: 'too_long', ctx: { max_length: maxGroupings } })
  else if (resource.hidesPersonal && groupings.some(({ field }) => field.personal)) report({ type: 'field_redacted' })
  // The groupings are returned in the order in which the parameter names them.
  return groupings.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
}

/**
 * The error for a count with too many groups. Thrown after counting, because the number of groups is not known before.
 */
export const tooManyGroups = (parameters: Parameters): ParameterProblem =>
  new ParameterProblem([
    errorAt(['query', 'by'], { type: 'too_many_groups', ctx: { max_groups: maxGroups } }, parameters.get('by')?.text),
  ])
