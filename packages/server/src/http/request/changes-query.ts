import type { Resource } from '@muster/model'
import {
  changesLimits,
  errorAt,
  eventStreamType,
  lastEventIdHeader,
  listedResources,
  parseDateTime,
} from '@muster/model'
import { ParameterProblem } from '../../errors.ts'
import type { ChangeCursor } from '../../queries/change-cursor.ts'
import { decodeCursor } from '../../queries/change-cursor.ts'
import type { ChangesQuery } from '../../queries/changes.ts'
import { namesType } from './list-query.ts'
import type { Parameters, ReportViolation } from './query-string.ts'
import { readInteger, readParameters } from './query-string.ts'

export interface ChangesParameters extends ChangesQuery {
  /** An instant, as `parseDateTime` returns it; undefined if `after` is defined. */
  readonly since: string | undefined
}

export const readChangesQuery = (parameters: Parameters): ChangesParameters =>
  readParameters(parameters, (report) => ({
    after: readAfter(parameters, report),
    since: readSince(parameters, report),
    resources: readResources(parameters, report),
    limit: readLimit(parameters, report),
  }))

export const wantsEventStream = (accept: string | undefined): boolean => namesType(accept, eventStreamType)

/** The cursor in the header Last-Event-ID; undefined without the header. */
export const readLastEventId = (header: string | string[] | undefined): ChangeCursor | undefined => {
  if (header === undefined) return undefined
  const cursor = decodeCursor(String(header))
  if (cursor !== undefined) return cursor
  throw new ParameterProblem([
    errorAt(['header', lastEventIdHeader.toLowerCase()], { type: 'cursor_parsing' }, String(header)),
  ])
}

const readAfter = (parameters: Parameters, report: ReportViolation): ChangeCursor | undefined => {
  const parameter = parameters.get('after')
  if (parameter === undefined) return undefined
  // A blank cursor is an error too: it would skip all changes since the one that the client has lost.
  const cursor = decodeCursor(parameter.text)
  if (cursor === undefined) report('after', { type: 'cursor_parsing' })
  return cursor
}

const isBlank = (parameters: Parameters, name: string): boolean => (parameters.get(name)?.text ?? '').trim() === ''

const readSince = (parameters: Parameters, report: ReportViolation): string | undefined => {
  const parameter = parameters.get('since')
  if (parameter === undefined || isBlank(parameters, 'since')) return undefined
  const instant = parseDateTime(parameter.text)?.instant
  if (!parameter.isUnicode) report('since', { type: 'string_unicode' })
  else if (instant === undefined) report('since', { type: 'datetime_parsing' })
  else if (parameters.get('after') !== undefined)
    report('since', { type: 'parameter_conflict', ctx: { other: 'after' } })
  return instant
}

const expectedPaths = listedResources.map(({ path }) => path).join(', ')

const readResources = (parameters: Parameters, report: ReportViolation): readonly Resource[] | undefined => {
  const parameter = parameters.get('resource')
  if (parameter === undefined || isBlank(parameters, 'resource')) return undefined
  const paths = new Set(parameter.text.split(','))
  const named = listedResources.filter(({ path }) => paths.has(path))
  if (!parameter.isUnicode) report('resource', { type: 'string_unicode' })
  else if (named.length < paths.size) report('resource', { type: 'literal_error', ctx: { expected: expectedPaths } })
  return named
}

const readLimit = (parameters: Parameters, report: ReportViolation): number => {
  const { defaultLimit, minLimit, maxLimit } = changesLimits
  const limit = readInteger(parameters.get('limit')?.text ?? String(defaultLimit), { ge: minLimit, le: maxLimit })
  if ('value' in limit) return Number(limit.value)
  report('limit', limit.violation)
  return defaultLimit
}
