/** In charge of describing the filters and the order of a list: what each parameter takes, and what comes of it. */
import { maxListedIds } from '../interface.ts'
import type { ListFilter } from '../list-parameters.ts'
import type { NamedField, Resource } from '../resource.ts'
import type { Parameter, Schema } from './document.ts'
import { queryParameter } from './document.ts'
import { blankOr, momentTextPattern } from './text-patterns.ts'

export const filterParameters = ({ listFilters }: Resource): Parameter[] => listFilters.map(filterParameter)

export const sortParameter = ({ sortable }: Resource): Parameter => ({
  ...queryParameter(
    'sort',
    'Fields to sort by, the first before the second and so on; a minus in front of one turns it round. Completed by `id`, in the direction of the last field. Texts are compared without case, code point by code point. Null counts as greater than every value: last, and first where a field is turned round. No field may be named twice, whatever its direction. Blank asks for nothing: the order is that of the ids.',
    {
      type: 'array',
      items: { type: 'string', enum: sortable.flatMap(({ name }) => [name, `-${name}`]) },
      uniqueItems: true,
    },
  ),
  style: 'form',
  explode: false,
})

const filterParameter = ({ parameter, test, field }: ListFilter): Parameter => {
  switch (test) {
    case 'equals':
      return equalityFilter(field)
    case 'is_null':
      return queryParameter(
        parameter,
        `\`true\` leaves the records without \`${field.name}\`, \`false\` those with one. Blank asks for nothing.`,
        { type: 'boolean' },
      )
    default:
      return queryParameter(parameter, edgeDescription(field, test), edgeSchema(field))
  }
}

const equalityFilter = (field: NamedField): Parameter => {
  if (field.kind === 'id') return idFilter()
  return field.kind === 'text'
    ? textFilter(field)
    : queryParameter(field.name, integerDescription(field), { type: 'integer' })
}

const idFilter = (): Parameter => ({
  ...queryParameter(
    'id',
    `Only the records with these ids, up to ${maxListedIds}, separated by commas. Ids that nobody has are passed over. Blank asks for nothing.`,
    { type: 'array', items: { type: 'integer' }, maxItems: maxListedIds },
  ),
  style: 'form',
  explode: false,
})

const integerDescription = ({ name, about }: NamedField): string =>
  `Only records with this \`${name}\`. ${about} Blank asks for nothing.`

const textFilter = ({ name, about, values }: NamedField): Parameter =>
  queryParameter(
    name,
    `Only records with this \`${name}\`, ignoring case. ${about} Several values are separated by commas and any of them will do; a comma inside a value is doubled. Blank asks for nothing.${inCommonUse(values)}`,
    { type: 'string' },
  )

/** Said in words: a page that lets people try a request would send an example as if they had asked for it. */
const inCommonUse = (values: readonly string[] | undefined): string =>
  values === undefined ? '' : ` In common use: ${values.map((value) => `\`${value}\``).join(', ')}.`

const edgeSchema = ({ kind }: NamedField): Schema =>
  kind === 'number' ? { type: 'number', format: 'double' } : { type: 'string', pattern: blankOr(momentTextPattern) }

const edgeDescription = ({ name, kind }: NamedField, test: 'from' | 'to'): string => {
  const what = kind === 'number' ? 'this number' : 'this moment'
  const side = test === 'from' ? 'or more' : 'or less'
  const when = test === 'from' ? 'or later' : 'or earlier'
  switch (kind) {
    case 'number':
      return `Only records whose \`${name}\` is ${what} ${side}. Blank asks for nothing.`
    case 'date':
      return `Only records whose \`${name}\` is this day ${when}: \`YYYY-MM-DD\`, or a date-time whose day is taken. Blank asks for nothing.`
    default:
      return `Only records whose \`${name}\` is ${what} ${when}: a date-time as in RFC 3339, UTC where it names no offset, or \`YYYY-MM-DD\`, which means ${test === 'from' ? 'its midnight' : 'all of that day'}, in UTC. Blank asks for nothing.`
  }
}
