import { resourceAt } from '../registry.ts'
import type { Field, NamedField } from '../schema/field.ts'
import { jsonType as typeOf } from '../schema/field.ts'
import type { Resource } from '../schema/resource.ts'
import type { Schema, SchemaType } from './document.ts'
import { schemaRef } from './document.ts'
import { relationSchema } from './projection-parameters.ts'
import { dateTimeTextPattern, textPattern } from './text-patterns.ts'

export const collectionSchemaName = (resource: Resource): string => `${resource.schema}Collection`
export const createSchemaName = (resource: Resource): string => `${resource.schema}Create`

/** The schema of records in responses. It has no limits or patterns, because stored rows may violate them. */
export const recordSchema = (resource: Resource): Schema => ({
  type: 'object',
  description: resource.about,
  ...requiredNames(resource.allFields.filter(({ required }) => required)),
  properties: {
    ...propertiesByName(resource.allFields, returnedField),
    ...propertiesByName(resource.relations, relationSchema),
  },
})

export const collectionSchema = (resource: Resource): Schema => ({
  type: 'object',
  description: `A page of ${resource.titles}, with its position in the whole list.`,
  required: ['data', 'meta'],
  properties: {
    data: {
      type: 'array',
      description: `The ${resource.titles} of this page, in the requested order.`,
      items: schemaRef(resource.schema),
    },
    meta: schemaRef('PaginationMeta'),
  },
})

/** The schema of the body of a create request, with every validation rule that JSON Schema can express. */
export const createSchema = (resource: Resource): Schema => ({
  type: 'object',
  description: `The body that creates ${withArticle(resource.title)}. Any other property is rejected.`,
  additionalProperties: false,
  ...requiredNames(resource.writableFields.filter(({ create }) => create === 'required')),
  properties: propertiesByName(resource.writableFields, createField),
})

export const withArticle = (title: string): string => `${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title}`

/**
 * Returns the keyword `required`, or nothing if no field is required, because older JSON Schema drafts do not allow an
 * empty list.
 */
const requiredNames = (fields: readonly NamedField[]): Pick<Schema, 'required'> =>
  fields.length === 0 ? {} : { required: fields.map(({ name }) => name) }

const propertiesByName = <T extends { readonly name: string }>(
  members: readonly T[],
  schemaOf: (member: T) => Schema,
): Record<string, Schema> => Object.fromEntries(members.map((member) => [member.name, schemaOf(member)]))

const orNull = (type: SchemaType, nullable: boolean): SchemaType | SchemaType[] => (nullable ? [type, 'null'] : type)

const returnedField = (field: NamedField): Schema => ({
  type: orNull(typeOf(field), !field.required),
  ...numberFormat(field),
  description: joinSentences(field.about, returnedFormat(field), referenceSentence(field, '')),
  ...suggestedValueExamples(field),
})

const createField = (field: NamedField): Schema => ({
  type: orNull(typeOf(field), field.create === 'optional'),
  ...numberFormat(field),
  description: joinSentences(field.about, acceptedFormat(field), referenceSentence(field, ', which must exist')),
  ...(field.default === undefined ? {} : { default: field.default }),
  ...limits(field),
  ...suggestedValueExamples(field),
})

const numberFormat = (field: Field): Pick<Schema, 'format'> => {
  const type = typeOf(field)
  if (type === 'integer') return { format: 'int64' }
  return type === 'number' ? { format: 'double' } : {}
}

/** Suggested values are not enforced, so they become examples and not an enum. */
const suggestedValueExamples = ({ values }: Field): Pick<Schema, 'examples'> =>
  values === undefined ? {} : { examples: values }

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
      return { pattern: dateTimeTextPattern }
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

const joinSentences = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

const returnedFormat = ({ kind }: Field): string => {
  switch (kind) {
    case 'date':
      return 'Format `YYYY-MM-DD`.'
    case 'timestamp':
      return 'RFC 3339 date-time in UTC, such as `2026-03-02T09:30:00Z`.'
    default:
      return ''
  }
}

const acceptedFormat = ({ kind, notBefore }: Field): string => {
  switch (kind) {
    case 'date':
      return joinSentences(
        'A calendar day `YYYY-MM-DD`, or a date-time, of which only the day is used.',
        notBefore === undefined ? '' : `Not before \`${notBefore}\`.`,
      )
    case 'timestamp':
      return 'An RFC 3339 date-time, in UTC if it has no offset, or `YYYY-MM-DD` for midnight UTC.'
    case 'json':
      return 'Must be valid JSON; it is stored unchanged.'
    case 'url':
      return 'The schemes `javascript:` and `vbscript:` are rejected.'
    default:
      return ''
  }
}

const referenceSentence = ({ references }: Field, condition: string): string => {
  if (references === undefined) return ''
  const { title, path } = resourceAt(references.resource)
  const sameFieldClause = references.within === undefined ? '' : ` with the same \`${references.within}\``
  return `The \`id\` of ${withArticle(title)} (\`/v1/${path}\`)${sameFieldClause}${condition}.`
}
