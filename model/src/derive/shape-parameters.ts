/** In charge of describing `fields` and `expand`: the parameters that say what the records of an answer hold. */
import { expandParameter, fieldsParameter } from '../interface.ts'
import { resourceAt } from '../registry.ts'
import type { Relation, Resource } from '../resource.ts'
import type { Parameter, Schema } from './document.ts'
import { schemaRef } from './document.ts'

export const shapeParameters = ({ all, relations }: Resource): Parameter[] => [
  names(
    fieldsParameter,
    `Only these fields of each record, in declared order, whatever the order here. A field that is not named is missing from the answer, also where the schema says that records have it. ${blank}`,
    all,
  ),
  ...(relations.length === 0
    ? []
    : [
        names(
          expandParameter,
          `Related records to answer too: each stands in the record that refers to it, under the name given here, whole, and null where the reference is. \`${fieldsParameter}\` does not limit them. ${blank}`,
          relations,
        ),
      ]),
]

const blank = 'Names are separated by commas; one that is not listed is refused. Blank asks for nothing.'

const names = (name: string, description: string, declared: readonly { readonly name: string }[]): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string', enum: declared.map((each) => each.name) } },
})

/** A related record in the schema of the record that refers to it: there where it is asked for. */
export const relationSchema = ({ name, field, resource }: Relation): Schema => {
  const { schema, title } = resourceAt(resource)
  const description = `The ${title} that \`${field.name}\` refers to; only where \`${expandParameter}\` names \`${name}\`.`
  return field.required
    ? { ...schemaRef(schema), description }
    : { anyOf: [schemaRef(schema), { type: 'null' }], description }
}
