/** In charge of the JSON Schemas of records, pages and create bodies, derived from the declarations. */
import type { Field } from '../field.ts'
import { jsonType as typeOf } from '../field.ts'
import { resourceAt } from '../registry.ts'
import type { NamedField, Resource } from '../resource.ts'
import type { Schema, SchemaType } from './document.ts'
import { schemaRef } from './document.ts'
import { relationSchema } from './shape-parameters.ts'
import { momentTextPattern, textPattern } from './text-patterns.ts'

export const collectionName = (resource: Resource): string => `${resource.schema}Collection`
export const createName = (resource: Resource): string => `${resource.schema}Create`

/** A record as it is answered: never narrower than what can stand in the database. */
export const recordSchema = (resource: Resource): Schema => ({
  type: 'object',
  description: resource.about,
  ...requiring(resource.all.filter(({ required }) => required)),
  properties: { ...byName(resource.all, answeredField), ...byName(resource.relations, relationSchema) },
})

export const collectionSchema = (resource: Resource): Schema => ({
  type: 'object',
  description: `A page of ${resource.titles} and where it stands in the whole list.`,
  required: ['data', 'meta'],
  properties: {
    data: {
      type: 'array',
      description: `The ${resource.titles} of this page, in the order asked for.`,
      items: schemaRef(resource.schema),
    },
    meta: schemaRef('PaginationMeta'),
  },
})

/** The body of a create, with every rule that can be said in a schema. */
export const createSchema = (resource: Resource): Schema => ({
  type: 'object',
  description: `What a create of ${withArticle(resource.title)} takes. Any other property is refused.`,
  additionalProperties: false,
  ...requiring(resource.writable.filter(({ create }) => create === 'required')),
  properties: byName(resource.writable, writtenField),
})

export const withArticle = (title: string): string => `${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title}`

/** Left out where it would be empty: older schema dialects want at least one name. */
const requiring = (fields: readonly NamedField[]): Pick<Schema, 'required'> =>
  fields.length === 0 ? {} : { required: fields.map(({ name }) => name) }

const byName = <T extends { readonly name: string }>(
  members: readonly T[],
  schemaOf: (member: T) => Schema,
): Record<string, Schema> => Object.fromEntries(members.map((member) => [member.name, schemaOf(member)]))

const orNull = (type: SchemaType, nullable: boolean): SchemaType | SchemaType[] => (nullable ? [type, 'null'] : type)

const answeredField = (field: NamedField): Schema => ({
  type: orNull(typeOf(field), !field.required),
  ...numberFormat(field),
  description: sentences(field.about, writing(field), referring(field, '')),
  ...advice(field),
})

const writtenField = (field: NamedField): Schema => ({
  type: orNull(typeOf(field), field.create === 'optional'),
  ...numberFormat(field),
  description: sentences(field.about, reading(field), referring(field, ', which must exist')),
  ...(field.default === undefined ? {} : { default: field.default }),
  ...limits(field),
  ...advice(field),
})

const numberFormat = (field: Field): Pick<Schema, 'format'> => {
  const type = typeOf(field)
  if (type === 'integer') return { format: 'int64' }
  return type === 'number' ? { format: 'double' } : {}
}

/** Values in common use are shown and never enforced, so they are examples and no enumeration. */
const advice = ({ values }: Field): Pick<Schema, 'examples'> => (values === undefined ? {} : { examples: values })

const limits = (field: Field): Schema => {
  switch (field.kind) {
    case 'id':
    case 'reference':
    case 'integer':
      return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
    case 'number':
      return {}
    case 'date':
    case 'timestamp':
      return { pattern: momentTextPattern }
    default:
      return textLimits(field)
  }
}

const textLimits = (field: Field): Schema => ({
  ...(field.notBlank ? { minLength: 1 } : {}),
  ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
  pattern: textPattern(field),
  ...(field.kind === 'json' ? { contentMediaType: 'application/json' } : {}),
})

const sentences = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

const writing = ({ kind }: Field): string => {
  switch (kind) {
    case 'date':
      return 'Written `YYYY-MM-DD`.'
    case 'timestamp':
      return 'Written as RFC 3339 in UTC, such as `2026-03-02T09:30:00Z`.'
    default:
      return ''
  }
}

const reading = ({ kind, notBefore }: Field): string => {
  switch (kind) {
    case 'date':
      return sentences(
        'A real calendar day `YYYY-MM-DD`, or a date-time whose day is taken.',
        notBefore === undefined ? '' : `Not before \`${notBefore}\`.`,
      )
    case 'timestamp':
      return 'A date-time as in RFC 3339, UTC where it names no offset, or `YYYY-MM-DD` for midnight.'
    case 'json':
      return 'Must parse as JSON; it is kept character for character.'
    case 'url':
      return 'The schemes `javascript:` and `vbscript:` are refused.'
    default:
      return ''
  }
}

const referring = ({ references }: Field, condition: string): string => {
  if (references === undefined) return ''
  const { title, path } = resourceAt(references.resource)
  const shared = references.within === undefined ? '' : ` with the same \`${references.within}\``
  return `The \`id\` of ${withArticle(title)} (\`/v1/${path}\`)${shared}${condition}.`
}
