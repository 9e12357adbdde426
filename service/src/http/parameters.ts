/** In charge of what a read may ask for: turns parameters into a list query or an id, or refuses them all at once. */
import type { AskedShape, Fault, FileFormat, Flaw, Resource } from '@muster/model'
import { expandParameter, faultAt, isLongerThan, maxItemIdLength, maxSearchLength, page } from '@muster/model'
import { ParameterProblem } from '../errors.ts'
import type { Narrowing } from '../operations/conditions.ts'
import type { ExportQuery } from '../operations/export.ts'
import type { ListQuery } from '../operations/list.ts'
import type { SortKey } from '../operations/order.ts'
import { formatFlaw } from './file-format.ts'
import { readFilter } from './filter-value.ts'
import type { Bounds } from './integer-parameter.ts'
import { readInteger } from './integer-parameter.ts'
import type { Parameter, Parameters } from './query-string.ts'
import { readShape } from './shape-parameters.ts'
import { readSort } from './sort-parameter.ts'

/** Says that the parameter of this name cannot be taken, and why. */
export type Refuse = (name: string, flaw: Flaw) => void

/** Lets `read` take what it needs and refuse what it cannot take, then throws every refusal at once. */
export const readParameters = <T>(parameters: Parameters, read: (refuse: Refuse) => T): T => {
  const faults: Fault[] = []
  const query = read((name, flaw) => faults.push(faultAt(['query', name], flaw, parameters.get(name)?.text)))
  if (faults.length > 0) throw new ParameterProblem(faults)
  return query
}

/** A list, and what its records are to hold. */
export interface AskedList extends ListQuery {
  readonly shape: AskedShape
}

export const readListQuery = (resource: Resource, parameters: Parameters): AskedList =>
  readParameters(parameters, (refuse) => readList(resource, parameters, refuse))

const readList = (resource: Resource, parameters: Parameters, refuse: Refuse): AskedList => {
  const query = {
    ...readWindow(parameters, refuse),
    ...readNarrowing(resource, parameters, refuse),
    sort: readOrder(resource, parameters, refuse),
    shape: readShape(resource, parameters, refuse),
  }
  const flaw = formatFlaw(parameters)
  if (flaw !== undefined) refuse('format', flaw)
  return query
}

/** What a list would be asked for, and all of it unless a limit is given. */
export interface AskedExport extends ExportQuery {
  readonly shape: AskedShape
}

export const readExportQuery = (resource: Resource, parameters: Parameters, format: FileFormat): AskedExport =>
  readParameters(parameters, (refuse) => {
    const { limit, ...query } = readList(resource, parameters, refuse)
    if (format === 'csv' && query.shape.relations.length > 0) refuse(expandParameter, { type: 'relation_in_csv' })
    return { ...query, format, limit: parameters.has('limit') ? limit : undefined }
  })

export const readItemShape = (resource: Resource, parameters: Parameters): AskedShape =>
  readParameters(parameters, (refuse) => readShape(resource, parameters, refuse))

const readWindow = (parameters: Parameters, refuse: Refuse): Pick<ListQuery, 'limit' | 'offset'> => {
  const bounded = (name: string, fallback: number, bounds: Bounds): bigint => {
    const read = readInteger(parameters.get(name)?.text ?? String(fallback), bounds)
    if ('value' in read) return read.value
    refuse(name, read.flaw)
    return 0n
  }
  const limit = bounded('limit', page.defaultLimit, { ge: page.minLimit, le: page.maxLimit })
  return { limit: Number(limit), offset: bounded('offset', 0, { ge: page.minOffset }) }
}

const readOrder = (resource: Resource, parameters: Parameters, refuse: Refuse): readonly SortKey[] => {
  const parameter = parameters.get('sort')
  const read = parameter === undefined ? { sort: [] } : readSort(resource, parameter)
  if ('sort' in read) return read.sort
  refuse('sort', read.flaw)
  return []
}

/** What is asked of the records themselves, apart from how many of them are wanted and in which order. */
export const readNarrowing = (resource: Resource, parameters: Parameters, refuse: Refuse): Narrowing => ({
  terms: readTerms(parameters.get('q'), (flaw) => refuse('q', flaw)),
  filters: resource.listFilters.flatMap((asked) => {
    const parameter = parameters.get(asked.parameter)
    const read = parameter === undefined ? {} : readFilter(asked, parameter)
    const isRedacted = asked.field.personal && resource.redacted
    if ('flaw' in read) refuse(asked.parameter, isRedacted ? { type: 'field_redacted' } : read.flaw)
    if (!('filter' in read)) return []
    if (isRedacted) refuse(asked.parameter, { type: 'field_redacted' })
    return [read.filter]
  }),
})

type RefuseOne = (flaw: Flaw) => void

const readTerms = (parameter: Parameter | undefined, refuse: RefuseOne): string[] => {
  if (parameter === undefined) return []
  if (!parameter.isUnicode) refuse({ type: 'string_unicode' })
  else if (isLongerThan(parameter.text, maxSearchLength))
    refuse({ type: 'string_too_long', ctx: { max_length: maxSearchLength } })
  return [...new Set(parameter.text.split(/\s+/u).filter((term) => term !== ''))]
}

/** The id that the path names; undefined where no record can have it. */
export const readItemId = (text: string): bigint | undefined => {
  if (isLongerThan(text, maxItemIdLength))
    throw new ParameterProblem([
      faultAt(['path', 'item_id'], { type: 'string_too_long', ctx: { max_length: maxItemIdLength } }, text),
    ])
  if (!/^\d+$/.test(text)) return undefined
  const id = BigInt(text)
  return id < 2n ** 63n ? id : undefined
}

export const itemIdNotUnicode = (text: string): ParameterProblem =>
  new ParameterProblem([faultAt(['path', 'item_id'], { type: 'string_unicode' }, text)])
