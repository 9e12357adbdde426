import { expandParameter, fieldsParameter } from '../api-constants.ts'
import { resourceAt } from '../registry.ts'
import type { Relation, Resource } from '../schema/resource.ts'
import type { Parameter, Schema } from './document.ts'
import { schemaRef } from './document.ts'

export const projectionParameters = ({ allFields: all, relations }: Resource): Parameter[] => [
  nameListParameter(
    fieldsParameter,
    `Return only these fields of each record. The response always has them in the order of the schema. All other fields are omitted, including those that the schema marks as required. ${nameRules}`,
    all,
  ),
  ...(relations.length === 0
    ? []
    : [
        nameListParameter(
          expandParameter,
          `Related records to include. Each one is embedded, with all its fields, under its name in the record that refers to it. It is null if the reference is null. \`${fieldsParameter}\` does not apply to related records. ${nameRules}`,
          relations,
        ),
      ]),
]

const nameRules = 'Separate names with commas; an unknown name is rejected. A blank value is ignored.'

const nameListParameter = (
  name: string,
  description: string,
  allowed: readonly { readonly name: string }[],
): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string', enum: allowed.map((each) => each.name) } },
})

/** Returns the schema of the property that holds an expanded related record. */
export const relationSchema = ({ name, field, resource }: Relation): Schema => {
  const { schema, title } = resourceAt(resource)
  const description = `The ${title} that \`${field.name}\` refers to; present only if \`${expandParameter}\` includes \`${name}\`.`
  return field.required
    ? { ...schemaRef(schema), description }
    : { anyOf: [schemaRef(schema), { type: 'null' }], description }
}
