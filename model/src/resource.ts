/** In charge of what a resource is, and of refusing a declaration that contradicts itself when it is loaded. */
import type { Field } from './field.ts'
import { isSearchable, isStored } from './field.ts'
import type { ListFilter } from './list-parameters.ts'
import { isSortable, listFilters } from './list-parameters.ts'

export type Area = 'People' | 'Recruiting' | 'Enterprise'
export type Fields = Readonly<Record<string, Field>>

export interface Declaration<F extends Fields> {
  /** Path segment, registry key and file name. */
  readonly path: string
  readonly table: string
  /** Name of the record's schema. */
  readonly schema: string
  /** What the verbs are called with: list + many, get + one, create + one. */
  readonly one: string
  readonly many: string
  /** What a person calls one record, and several. */
  readonly title: string
  readonly titles: string
  readonly area: Area
  readonly about: string
  /** Sets of fields whose values together occur once. */
  readonly unique?: readonly (readonly string[])[]
  readonly fields: F
}

export type NamedField = Field & { readonly name: string }

/** A record that can stand in an answer beside the id that refers to it. */
export interface Relation {
  readonly name: string
  readonly field: NamedField
  /** Path of the resource it is a record of. */
  readonly resource: string
}

/** A relation whose record is asked for, and the resource as it is then shown. */
export interface Expansion {
  readonly relation: Relation
  readonly resource: Resource
}

/** What a reader wants an answer to hold. */
export interface Shape {
  /** In declared order; undefined where no choice was made among them. */
  readonly fields: readonly NamedField[] | undefined
  readonly expansions: readonly Expansion[]
}

export interface Resource<F extends Fields = Fields> extends Declaration<F> {
  readonly unique: readonly (readonly string[])[]
  readonly all: readonly NamedField[]
  /** Fields that have a column. */
  readonly stored: readonly NamedField[]
  /** Fields of the create body; empty where the resource has no create. */
  readonly writable: readonly NamedField[]
  /** Fields that take a filter by equality under their own name. */
  readonly filters: readonly NamedField[]
  /** Every filter of the list. */
  readonly listFilters: readonly ListFilter[]
  readonly sortable: readonly NamedField[]
  readonly searchable: readonly NamedField[]
  readonly relations: readonly Relation[]
  readonly creatable: boolean
  /** Left out where answers hold whole records and nothing else. */
  readonly shape?: Shape
  /** Personal fields are withheld: answered null, and not to be found by. */
  readonly redacted: boolean
}

export const resource = <F extends Fields>(declaration: Declaration<F>): Resource<F> => {
  const all = Object.entries(declaration.fields).map(([name, field]) => ({ ...field, name }))
  const unique = declaration.unique ?? []
  for (const field of all) refuseContradictions(declaration.path, declaration.fields, field)
  for (const name of unique.flat()) {
    if (!Object.hasOwn(declaration.fields, name)) fault(declaration.path, name, 'is unique but not declared')
  }
  const relations = all.flatMap(relationOf)
  for (const relation of relations) refuseHomonyms(declaration, relations, relation)
  const writable = all.filter((field) => field.create !== 'never')
  const stored = all.filter(isStored)
  for (const { parameter, test } of listFilters(stored)) {
    if (test !== 'equals' && Object.hasOwn(declaration.fields, parameter))
      fault(declaration.path, parameter, 'is called like a filter of another field')
  }
  return {
    ...declaration,
    unique,
    all,
    stored,
    writable,
    filters: all.filter((field) => field.filter),
    listFilters: listFilters(stored),
    sortable: stored.filter(isSortable),
    searchable: all.filter(isSearchable),
    relations,
    creatable: writable.length > 0,
    redacted: false,
  }
}

/** The resource as it is shown to callers without a token where the deployment redacts. */
export const redacted = (resource: Resource): Resource => {
  const shown = resource.shape === undefined ? resource : { ...resource, shape: redactedShape(resource.shape) }
  return resource.all.some(({ personal }) => personal)
    ? { ...shown, redacted: true, searchable: resource.searchable.filter(({ personal }) => !personal) }
    : shown
}

/** A record without personal fields may refer to one that has some. */
const redactedShape = ({ fields, expansions }: Shape): Shape => ({
  fields,
  expansions: expansions.map((expansion) => ({ ...expansion, resource: redacted(expansion.resource) })),
})

const relationOf = (field: NamedField): Relation[] => {
  if (field.references === undefined) return []
  const { as = field.name.replace(/_id$/, ''), resource } = field.references
  return [{ name: as, field, resource }]
}

const refuseHomonyms = (
  { path, fields }: Declaration<Fields>,
  relations: readonly Relation[],
  { name, field }: Relation,
): void => {
  if (Object.hasOwn(fields, name)) fault(path, field.name, `refers to a record that is called like the field ${name}`)
  if (relations.filter((relation) => relation.name === name).length > 1)
    fault(path, field.name, `refers to a record that is called ${name} like another`)
}

const refuseContradictions = (path: string, fields: Fields, field: NamedField): void => {
  const { name } = field
  if (field.default !== undefined && field.create !== 'optional') fault(path, name, 'has a default nobody can use')
  if (field.required && field.create === 'optional' && field.default === undefined)
    fault(path, name, 'may be left out but never null, and has no default')
  if (field.today && (field.kind !== 'date' || field.create !== 'optional'))
    fault(path, name, 'can only stand for today as an optional date')
  if (field.personal && field.required) fault(path, name, 'is personal but can never be null')
  if (field.personal && field.references !== undefined) fault(path, name, 'is personal but refers to a record')
  if (field.notBefore !== undefined && fields[field.notBefore]?.kind !== field.kind)
    fault(path, name, 'is ordered after a field of another kind')
  const within = field.references?.within
  if (within !== undefined && !Object.hasOwn(fields, within)) fault(path, name, 'is bound to an undeclared field')
}

const fault = (path: string, name: string, what: string): never => {
  throw new TypeError(`${path}.${name} ${what}`)
}
