/** Which fields of a record the list shows, and how wide they are. All of it follows from the declaration. */
import type { NamedField, Relation, Resource } from '@muster/model'
import { maxLengths } from '@muster/model'
import { splitValues } from '../../search-parameters.ts'
import type { Parameters } from './list-query.ts'
import { labelFields } from './record-label.ts'
import { sortedFields } from './sort.ts'

/** More columns than this are chosen by the reader. The width, in rem, is that of a window of 1,440 pixels. */
const maxDefaultColumns = 8
const maxDefaultWidth = 69

/** The lower, the sooner a field is shown without being chosen. Undefined: never. */
const priority = (resource: Resource, field: NamedField): number | undefined => {
  if (field.kind === 'id') return 0
  if (labelFields(resource).includes(field.name)) return 1
  if (field.state || (field.kind === 'reference' && field.required)) return 2
  if (field.kind === 'date' && field.required) return 2
  switch (field.kind) {
    case 'reference':
      return resource.relations.findIndex((relation) => relation.field.name === field.name) < 2 ? 3 : 5
    case 'date':
    case 'timestamp':
    case 'integer':
    case 'number':
      return field.personal ? undefined : 4
    case 'text':
      return field.filter || (field.maxLength ?? 0) <= maxLengths.name ? 4 : 5
    default:
      return undefined
  }
}

export const defaultColumns = (resource: Resource): readonly NamedField[] => {
  const ranked = resource.allFields
    .flatMap((field) => {
      const rank = priority(resource, field)
      return rank === undefined ? [] : [{ field, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
  const chosen: NamedField[] = []
  let width = 0
  for (const { field } of ranked) {
    if (chosen.length === maxDefaultColumns || width + columnWidth(field) > maxDefaultWidth) continue
    chosen.push(field)
    width += columnWidth(field)
  }
  return resource.allFields.filter((field) => chosen.includes(field))
}

/**
 * The columns of the parameter `fields`, in the order of the declaration, as in responses of the API. Without it, the
 * usual columns and those by which the list is sorted.
 */
export const shownColumns = (resource: Resource, { fields, sort }: Parameters): readonly NamedField[] => {
  const names =
    fields === undefined
      ? [...defaultColumns(resource).map(({ name }) => name), ...sortedFields(sort)]
      : splitValues(fields)
  return resource.allFields.filter(({ name }) => names.includes(name))
}

/** The columns of an export: those of the list, apart from fields that never have a value. */
export const exportedFields = (resource: Resource, parameters: Parameters): string =>
  shownColumns(resource, parameters)
    .filter(({ kind }) => kind !== 'withheld')
    .map(({ name }) => name)
    .join(',') || 'id'

export const relationOf = ({ relations }: Resource, field: NamedField): Relation | undefined =>
  relations.find((relation) => relation.field.name === field.name)

/** The parameters that make the list contain what the columns show: their fields and the related records. */
export const columnParameters = (resource: Resource, parameters: Parameters): Parameters => {
  const columns = shownColumns(resource, parameters)
  const fields = [
    'id',
    ...labelFields(resource),
    ...(parameters.fields === undefined ? columns.map(({ name }) => name) : splitValues(parameters.fields)),
  ]
  const relations = [
    ...columns.flatMap((field) => relationOf(resource, field)?.name ?? []),
    ...splitValues(parameters.expand),
  ]
  return {
    fields: [...new Set(fields)].join(','),
    ...(relations.length === 0 ? {} : { expand: [...new Set(relations)].join(',') }),
  }
}

/** In rem. */
const columnWidth = (field: NamedField): number => Math.max(kindWidth(field), 1.75 + field.name.length * 0.47)

const kindWidth = (field: NamedField): number => {
  switch (field.kind) {
    case 'id':
      return 6
    case 'reference':
      return 12.5
    case 'integer':
    case 'color':
      return 5.5
    case 'number':
      return 6.5
    case 'date':
      return 7.25
    case 'timestamp':
      return 12
    case 'text':
      if (field.state) return 8.5
      return (field.maxLength ?? Infinity) > maxLengths.name ? 12 : 9
    default:
      return 12
  }
}

/** Values of a fixed length get no more room than they need. */
const hasFixedWidth = (field: NamedField): boolean => !['text', 'reference', 'url', 'json'].includes(field.kind)

/** The columns of all rows of the table, and of the filters above it, as the value of `grid-template-columns`. */
export const columnTemplate = (columns: readonly NamedField[]): string => {
  const isFixed = columns.every(hasFixedWidth)
  return columns
    .map((field) => {
      const width = columnWidth(field)
      return hasFixedWidth(field) && !isFixed ? `${width}rem` : `minmax(${width}rem, ${width}fr)`
    })
    .join(' ')
}

/** In rem. */
export const totalWidth = (columns: readonly NamedField[]): number =>
  columns.reduce((sum, field) => sum + columnWidth(field), 0)

export const isNumeric = ({ kind }: NamedField): boolean => kind === 'id' || kind === 'integer' || kind === 'number'
