/** Which fields of a record a tool shows, and where. */
import type { NamedField, Resource } from '@muster/model'
import { didYouMean, fieldNames, isSortable, resourceAt } from '@muster/model'
import type { QuotedText, ResultRow, Values } from './result.ts'
import { ToolError } from './tool-error.ts'

interface ShownField {
  /** As the agent names it: `status`, or `employee.status` for a field of a related record. */
  readonly name: string
  readonly field: NamedField
  /** Name of the related record that has the field. */
  readonly relation?: string
}

/** The fields that a call shows. */
export interface Selection {
  /** Values of the parameters `fields` and `expand`. */
  readonly query: { readonly fields: string; readonly expand: string | undefined }
  /** Fields of the record that the call does not show, because the agent did not name them. */
  readonly leftOut: readonly string[]
  /** Whether the call shows fields that may have long texts. */
  readonly hasTexts: boolean
  rowOf(record: Values): ResultRow
}

/**
 * Fields without a sort order are long texts, URLs, colours and JSON documents. They are left out unless the agent
 * names them, and are never part of a row: an applicant can write instructions to the agent into them.
 */
const isQuoted = (field: NamedField): boolean => !isSortable(field)

export const selectFields = (resource: Resource, names: readonly string[] | undefined): Selection => {
  const shownFields: readonly ShownField[] =
    names === undefined
      ? resource.allFields.filter((field) => !isQuoted(field)).map((field) => ({ name: field.name, field }))
      : [...new Set(['id', ...names])].map((name) => findField(resource, name))
  const own = shownFields.filter(({ relation }) => relation === undefined)
  const relations = new Set(shownFields.flatMap(({ relation }) => relation ?? []))
  return {
    query: {
      fields: own.map(({ name }) => name).join(','),
      expand: relations.size === 0 ? undefined : [...relations].join(','),
    },
    leftOut:
      names === undefined
        ? resource.allFields.filter((field) => isQuoted(field) && field.kind !== 'withheld').map(({ name }) => name)
        : [],
    hasTexts: shownFields.some(({ field }) => isQuoted(field)),
    rowOf: (record) => rowOf(shownFields, record),
  }
}

const findField = (resource: Resource, name: string): ShownField => {
  const own = resource.allFields.find((field) => field.name === name)
  if (own !== undefined) return { name, field: own }
  const [relationName = '', fieldName] = name.split('.', 2)
  const relation = resource.relations.find((each) => each.name === relationName)
  const related = relation === undefined ? undefined : resourceAt(relation.resource)
  const field = related?.allFields.find((each) => each.name === fieldName)
  if (field !== undefined) return { name, field, relation: relationName }
  throw new ToolError(`${resource.path} has no field "${name}"${didYouMean(name, fieldNames(resource))}`)
}

/** Null is left out, except in personal fields, where it may mean that the value is withheld. */
const rowOf = (shownFields: readonly ShownField[], record: Values): ResultRow => {
  const values: Record<string, unknown> = {}
  const texts: QuotedText[] = []
  for (const { name, field, relation } of shownFields) {
    const owner = relation === undefined ? record : (record[relation] as Values | null)
    const value = owner?.[field.name] ?? null
    if (value === null) {
      if (field.personal && owner !== null) values[name] = null
    } else if (isQuoted(field)) texts.push({ id: Number(record.id), field: name, text: String(value) })
    else values[name] = value
  }
  return { values, texts }
}
