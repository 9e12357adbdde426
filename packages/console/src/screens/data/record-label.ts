/** What a record is called. The rules are about names of fields, so they hold for every resource that has such fields. */
import type { Resource } from '@muster/model'

const personName = ['first_name', 'last_name']
const nameFields = ['name', 'title']
/** Says who a person is if the name is withheld. */
const roleFields = ['designation', 'current_title']

type Values = Readonly<Record<string, unknown>>

export const labelFields = ({ fields }: Resource): readonly string[] => {
  if (personName.every((name) => Object.hasOwn(fields, name))) return personName
  const name = nameFields.find((candidate) => Object.hasOwn(fields, candidate))
  return name === undefined ? [] : [name]
}

/** The fields that a request needs for the label of related records. */
export const lookupFields = (resource: Resource): readonly string[] => [
  'id',
  ...labelFields(resource),
  ...roleFields.filter((name) => Object.hasOwn(resource.fields, name)),
]

/** Undefined if the record has no name, or if it is withheld. */
export const recordLabel = (resource: Resource, record: Values): string | undefined => {
  const label = labelFields(resource)
    .map((name) => record[name])
    .filter((part): part is string => typeof part === 'string' && part.trim() !== '')
    .join(' ')
  return label === '' ? undefined : label
}

/** Whether the service withholds the name of the record from readers without a token. */
export const hasPersonalLabel = (resource: Resource): boolean =>
  labelFields(resource).some((name) => resource.fields[name]?.personal)

/** `Employee 1042`, for records without a name. */
export const numberedLabel = ({ title }: Resource, id: unknown): string =>
  `${title.charAt(0).toUpperCase()}${title.slice(1)} ${String(id)}`

export const recordRole = (record: Values): string | undefined =>
  roleFields.map((name) => record[name]).find((role): role is string => typeof role === 'string' && role !== '')

/** `Job distributions`, for the resource at `job-distributions`. */
export const resourceTitle = ({ path }: Pick<Resource, 'path'>): string => {
  const words = path.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
