import type { NamedField, Resource } from '@muster/model'

/**
 * The field that tells how new the records of a resource are: when they were created, or the first day that is not
 * personal. Undefined if the resource has no such field.
 */
export const newestField = ({ sortableFields }: Pick<Resource, 'sortableFields'>): NamedField | undefined => {
  const fields = sortableFields.filter(({ kind, personal }) => (kind === 'date' || kind === 'timestamp') && !personal)
  return fields.find(({ name }) => name === 'created') ?? fields.find(({ today }) => today) ?? fields[0]
}
