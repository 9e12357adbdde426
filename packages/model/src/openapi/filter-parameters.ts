import { maxListedIds } from '../api-constants.ts'
import type { ComputedFilter } from '../query/computed-filters.ts'
import type { ListFilter } from '../query/list-parameters.ts'
import { isIdList } from '../query/list-parameters.ts'
import type { RelationFilter } from '../query/relation-filters.ts'
import { relationFilters } from '../query/relation-filters.ts'
import type { NamedField } from '../schema/field.ts'
import type { Resource } from '../schema/resource.ts'
import type { Parameter, Schema } from './document.ts'
import { queryParameter } from './document.ts'
import { blankOr, dateTimeTextPattern, monthDayPattern } from './text-patterns.ts'

export const filterParameters = (resource: Resource): Parameter[] => [
  ...[...resource.listFilters, ...relationFilters(resource)].map(filterParameter),
  ...resource.computedFilters.map(computedFilterParameter),
]

const computedFilterParameter = ({ parameter, kind, values, about }: ComputedFilter): Parameter => {
  const description = `${about} A blank value is ignored.`
  switch (kind) {
    case 'date':
      return queryParameter(parameter, description, { type: 'string', pattern: blankOr(dateTimeTextPattern) })
    case 'month-day':
      return queryParameter(parameter, description, { type: 'string', pattern: blankOr(monthDayPattern) })
    case 'id':
      return queryParameter(parameter, description, { type: 'integer' })
    case 'text':
      return queryParameter(parameter, description, { type: 'string' })
    case 'choice':
      return queryParameter(parameter, description, { type: 'string', enum: values ?? [] })
  }
}

export const sortParameter = ({ sortableFields: sortable }: Resource): Parameter => ({
  ...queryParameter(
    'sort',
    'Fields to sort by, most significant first. A leading `-` sorts that field in descending order. Ties are broken by `id`, in the direction of the last field. Strings are compared by code point, ignoring case. Null is greater than every value: it comes last in ascending order and first in descending order. Each field may be named once, in either direction. A blank value is ignored, and records are sorted by `id`.',
    {
      type: 'array',
      items: { type: 'string', enum: sortable.flatMap(({ name }) => [name, `-${name}`]) },
      uniqueItems: true,
    },
  ),
  style: 'form',
  explode: false,
})

/** A field of a related record is described under its full name, such as `employee.dept_id`. */
const filterParameter = ({
  parameter,
  test,
  field: own,
  relation,
}: ListFilter & Partial<RelationFilter>): Parameter => {
  const field = relation === undefined ? own : { ...own, name: `${relation.name}.${own.name}` }
  switch (test) {
    case 'equals':
      return equalityFilter(field)
    case 'not':
      return queryParameter(
        parameter,
        `Only records with another \`${field.name}\`, ignoring case. Separate several values with commas to exclude all of them; double a comma inside a value. A blank value is ignored.`,
        { type: 'string' },
      )
    case 'is_null':
      return queryParameter(
        parameter,
        `\`true\`: only records whose \`${field.name}\` is null. \`false\`: only records whose \`${field.name}\` is not null. A blank value is ignored.`,
        { type: 'boolean' },
      )
    default:
      return queryParameter(parameter, boundDescription(field, test), boundSchema(field))
  }
}

const equalityFilter = (field: NamedField): Parameter => {
  if (isIdList(field)) return idFilter(field)
  return field.kind === 'text'
    ? textFilter(field)
    : queryParameter(field.name, integerDescription(field), { type: 'integer' })
}

const idFilter = (field: NamedField): Parameter => ({
  ...queryParameter(field.name, idDescription(field), {
    type: 'array',
    items: { type: 'integer' },
    maxItems: maxListedIds,
  }),
  style: 'form',
  explode: false,
})

const idDescription = ({ kind, name, about }: NamedField): string =>
  kind === 'id'
    ? `Only records with these ids, separated by commas, up to ${maxListedIds}. Ids that do not exist are ignored. A blank value is ignored.`
    : `Only records with one of these \`${name}\`, separated by commas, up to ${maxListedIds}. ${about} Ids that do not exist are ignored. A blank value is ignored.`

const integerDescription = ({ name, about }: NamedField): string =>
  `Only records with this \`${name}\`. ${about} A blank value is ignored.`

const textFilter = ({ name, about, values }: NamedField): Parameter =>
  queryParameter(
    name,
    `Only records with this \`${name}\`, ignoring case. ${about} Separate several values with commas to match any of them; double a comma inside a value. A blank value is ignored.${suggestedValuesSentence(values)}`,
    { type: 'string' },
  )

/**
 * Returns a sentence that lists suggested values. They are part of the description, because the documentation page
 * would send an `example` as the value of the parameter.
 */
const suggestedValuesSentence = (values: readonly string[] | undefined): string =>
  values === undefined ? '' : ` Common values: ${values.map((value) => `\`${value}\``).join(', ')}.`

const boundSchema = ({ kind }: NamedField): Schema =>
  kind === 'number' ? { type: 'number', format: 'double' } : { type: 'string', pattern: blankOr(dateTimeTextPattern) }

const boundDescription = ({ name, kind }: NamedField, test: 'from' | 'to'): string => {
  const numberComparison = test === 'from' ? 'or more' : 'or less'
  const timeComparison = test === 'from' ? 'or later' : 'or earlier'
  switch (kind) {
    case 'number':
      return `Only records whose \`${name}\` is this number ${numberComparison}. A blank value is ignored.`
    case 'date':
      return `Only records whose \`${name}\` is this day ${timeComparison}: \`YYYY-MM-DD\`, or a date-time, of which only the day is used. A blank value is ignored.`
    default:
      return `Only records whose \`${name}\` is this time ${timeComparison}: an RFC 3339 date-time, in UTC if it has no offset, or \`YYYY-MM-DD\` for ${test === 'from' ? 'midnight' : 'the end of that day'} in UTC. A blank value is ignored.`
  }
}
