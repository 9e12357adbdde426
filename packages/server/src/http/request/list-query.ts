/** Parameters of lists, exports and gets. All violations are reported in one response. */
import type {
  ComputedFilter,
  ErrorType,
  FileFormat,
  ListFilter,
  RequestedProjection,
  Resource,
  Violation,
} from '@muster/model'
import {
  errorAt,
  expandParameter,
  fieldsParameter,
  fileFormats,
  fileTypes,
  isLongerThan,
  listFormats,
  maxItemIdLength,
  maxSearchLength,
  pageLimits,
  relationFilters,
} from '@muster/model'
import { ParameterProblem } from '../../errors.ts'
import type { ComputedCondition } from '../../queries/computed-filters.ts'
import type { ExportQuery } from '../../queries/export.ts'
import type { FieldFilter, ListFilters, RelatedFilter } from '../../queries/filters.ts'
import type { ListQuery } from '../../queries/list/query.ts'
import type { SortKey } from '../../queries/sort.ts'
import { readComputedFilter, readFilter } from './filter-value.ts'
import { jsonType } from './media-type.ts'
import type { Bounds, Parameter, Parameters, ReportViolation } from './query-string.ts'
import { readInteger, readParameters } from './query-string.ts'
import { readSort } from './sort-parameter.ts'

export interface ListRequest extends ListQuery {
  readonly projection: RequestedProjection
}

export const readListQuery = (resource: Resource, parameters: Parameters): ListRequest =>
  readParameters(parameters, (report) => readList(resource, parameters, report))

const readList = (resource: Resource, parameters: Parameters, report: ReportViolation): ListRequest => {
  const query = {
    ...readWindow(parameters, report, pageLimits),
    ...readFilters(resource, parameters, report),
    sort: readOrder(resource, parameters, report),
    projection: readProjection(resource, parameters, report),
  }
  const violation = formatViolation(parameters)
  if (violation !== undefined) report('format', violation)
  return query
}

/** An export has the parameters of a list. Without a limit, all matching records are exported. */
export interface ExportParameters extends ExportQuery {
  readonly projection: RequestedProjection
}

export const readExportQuery = (resource: Resource, parameters: Parameters, format: FileFormat): ExportParameters =>
  readParameters(parameters, (report) => {
    const { limit, ...query } = readList(resource, parameters, report)
    if (format === 'csv' && query.projection.relations.length > 0) report(expandParameter, { type: 'relation_in_csv' })
    return { ...query, format, limit: parameters.has('limit') ? limit : undefined }
  })

export const readItemProjection = (resource: Resource, parameters: Parameters): RequestedProjection =>
  readParameters(parameters, (report) => readProjection(resource, parameters, report))

/** `limit` and `offset`. */
export const readWindow = (
  parameters: Parameters,
  report: ReportViolation,
  { defaultLimit, maxLimit }: { readonly defaultLimit: number; readonly maxLimit: number },
): Pick<ListQuery, 'limit' | 'offset'> => {
  const readBoundedInteger = (name: string, fallback: number, bounds: Bounds): bigint => {
    const integer = readInteger(parameters.get(name)?.text ?? String(fallback), bounds)
    if ('value' in integer) return integer.value
    report(name, integer.violation)
    return 0n
  }
  const limit = readBoundedInteger('limit', defaultLimit, {
    ge: pageLimits.minLimit,
    le: maxLimit,
  })
  return { limit: Number(limit), offset: readBoundedInteger('offset', 0, { ge: pageLimits.minOffset }) }
}

const readOrder = (resource: Resource, parameters: Parameters, report: ReportViolation): readonly SortKey[] => {
  const parameter = parameters.get('sort')
  const parsed = parameter === undefined ? { sort: [] } : readSort(resource, parameter)
  if ('sort' in parsed) return parsed.sort
  report('sort', parsed.violation)
  return []
}

/** Reads the search terms and filters, which decide what records match; page and order are read elsewhere. */
export const readFilters = (resource: Resource, parameters: Parameters, report: ReportViolation): ListFilters => ({
  terms: readTerms(parameters.get('q'), (violation) => report('q', violation)),
  filters: [
    ...resource.listFilters.flatMap((filter) => readField(resource, filter, parameters, report)),
    ...readRelated(resource, parameters, report),
    ...resource.computedFilters.flatMap((filter) => readComputed(resource, filter, parameters, report)),
  ],
})

/** One filter, or none if the parameter is absent, blank or invalid. */
const readField = (
  { hidesPersonal }: Resource,
  filter: ListFilter,
  parameters: Parameters,
  report: ReportViolation,
): FieldFilter[] => {
  const parameter = parameters.get(filter.parameter)
  const parsed = parameter === undefined ? {} : readFilter(filter, parameter)
  const isRedacted = filter.field.personal && hidesPersonal
  if ('violation' in parsed) report(filter.parameter, isRedacted ? { type: 'field_redacted' } : parsed.violation)
  if (!('filter' in parsed)) return []
  if (isRedacted) report(filter.parameter, { type: 'field_redacted' })
  return [parsed.filter]
}

/** As `readField`. */
const readComputed = (
  { hidesPersonal }: Resource,
  filter: ComputedFilter,
  parameters: Parameters,
  report: ReportViolation,
): ComputedCondition[] => {
  const parameter = parameters.get(filter.parameter)
  if (parameter === undefined || parameter.text.trim() === '') return []
  const isPersonal = filter.personal || filter.personalValues?.includes(parameter.text) === true
  const parsed = readComputedFilter(filter, parameter)
  if (isPersonal && hidesPersonal) report(filter.parameter, { type: 'field_redacted' })
  else if ('violation' in parsed) report(filter.parameter, parsed.violation)
  return 'filter' in parsed && parsed.filter !== undefined ? [parsed.filter] : []
}

/** Filters through relations, all of one relation together. Most requests have none: no name contains a point. */
const readRelated = (resource: Resource, parameters: Parameters, report: ReportViolation): RelatedFilter[] => {
  if (!parameters.keys().some((name) => name.includes('.'))) return []
  const related = relationFilters(resource).flatMap((filter) =>
    readField(resource, filter, parameters, report).map((condition) => ({ relation: filter.relation, condition })),
  )
  return Map.groupBy(related, ({ relation }) => relation)
    .entries()
    .map(([relation, group]) => ({ relation, conditions: group.map(({ condition }) => condition) }))
    .toArray()
}

type Report = (violation: Violation) => void

const readTerms = (parameter: Parameter | undefined, report: Report): string[] => {
  if (parameter === undefined) return []
  if (!parameter.isUnicode) report({ type: 'string_unicode' })
  else if (isLongerThan(parameter.text, maxSearchLength))
    report({ type: 'string_too_long', ctx: { max_length: maxSearchLength } })
  return [...new Set(splitTerms(parameter.text))]
}

export const splitTerms = (text: string): string[] => text.split(/\s+/u).filter((term) => term !== '')

/** The id in the path; undefined if no record can have it, because it is not a 64-bit integer. */
export const readItemId = (text: string): bigint | undefined => {
  if (isLongerThan(text, maxItemIdLength))
    throw new ParameterProblem([
      errorAt(['path', 'item_id'], { type: 'string_too_long', ctx: { max_length: maxItemIdLength } }, text),
    ])
  if (!/^\d+$/.test(text)) return undefined
  const id = BigInt(text)
  return id < 2n ** 63n ? id : undefined
}

export const itemIdNotUnicode = (text: string): ParameterProblem =>
  new ParameterProblem([errorAt(['path', 'item_id'], { type: 'string_unicode' }, text)])

export const readProjection = (
  resource: Resource,
  parameters: Parameters,
  report: ReportViolation,
): RequestedProjection => {
  const readItems = <T extends Named>(name: string, declared: readonly T[], unknownType: ErrorType): T[] | undefined =>
    readNames(parameters.get(name), declared, unknownType, (violation) => report(name, violation))
  const { allFields: all, relations } = resource
  return {
    fields: readItems(fieldsParameter, all, 'field_unknown'),
    // A resource without relations does not declare `expand`, which is then ignored like every unknown parameter.
    relations: (relations.length === 0 ? undefined : readItems(expandParameter, relations, 'relation_unknown')) ?? [],
  }
}

interface Named {
  readonly name: string
}

/** Each violation repeats the whole parameter, so reporting all unknown names would take quadratic space. */
const maxReportedNames = 10

/** The declared items that the parameter names, in declaration order. Undefined if the parameter is blank. */
const readNames = <T extends Named>(
  parameter: Parameter | undefined,
  declared: readonly T[],
  unknownType: ErrorType,
  report: Report,
): T[] | undefined => {
  if (parameter === undefined || parameter.text.trim() === '') return undefined
  if (!parameter.isUnicode) {
    report({ type: 'string_unicode' })
    return undefined
  }
  const names = new Set(parameter.text.split(','))
  const items = declared.filter(({ name }) => names.delete(name))
  for (const name of [...names].slice(0, maxReportedNames)) report({ type: unknownType, ctx: { name } })
  return items
}

/**
 * The file format of the response; undefined for JSON. The `format` parameter takes precedence over the Accept header.
 */
export const readFileFormat = (parameters: Parameters, accept: string | undefined): FileFormat | undefined => {
  const requested = requestedFormat(parameters)
  return requested === undefined ? acceptedFormat(accept) : fileFormats.find((format) => format === requested)
}

export const formatViolation = (parameters: Parameters): Violation | undefined => {
  const requested = requestedFormat(parameters)
  if (parameters.get('format')?.isUnicode === false) return { type: 'string_unicode' }
  const isKnown = requested === undefined || listFormats.some((format) => format === requested)
  return isKnown ? undefined : { type: 'literal_error', ctx: { expected: listFormats.join(', ') } }
}

/** Undefined if the parameter is absent or blank. */
const requestedFormat = (parameters: Parameters): string | undefined => {
  const text = parameters.get('format')?.text
  return text?.trim() === '' ? undefined : text
}

/** Whether the Accept header prefers CSV to JSON. */
export const acceptsCsv = (accept: string | undefined): boolean => acceptedFormat(accept) === 'csv'

/** A cheap check ahead of parsing: a file is sent only if the Accept header names its type. */
export const mayAcceptFile = (accept: string | undefined): boolean =>
  accept !== undefined && /\/csv|ndjson/i.test(accept)

/**
 * The file type with the greatest weight in the Accept header. It must weigh more than JSON if the header names JSON,
 * else at least as much as the wildcard ranges that JSON matches.
 */
const acceptedFormat = (accept = ''): FileFormat | undefined => {
  if (!mayAcceptFile(accept)) return undefined
  const weights = new Map(accept.split(',').map(readRange))
  const weightOf = (type: string): number => weights.get(type) ?? 0
  const preferredFormat = fileFormats.reduce((a, b) => (weightOf(fileTypes[b]) > weightOf(fileTypes[a]) ? b : a))
  const weight = weightOf(fileTypes[preferredFormat])
  const jsonWeight = weights.get(jsonType)
  const isPreferred =
    jsonWeight === undefined ? weight >= Math.max(weightOf('application/*'), weightOf('*/*')) : weight > jsonWeight
  return weight > 0 && isPreferred ? preferredFormat : undefined
}

/** Whether the Accept header names this type, by itself and not by a wildcard, with a weight above 0. */
export const namesType = (accept: string | undefined, type: string): boolean =>
  (accept ?? '')
    .split(',')
    .map(readRange)
    .some(([name, weight]) => name === type && weight > 0)

const readRange = (range: string): [type: string, weight: number] => {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return [type, Number.parseFloat(quality) || 0]
}
