import type { ComputedFilter } from '../query/computed-filters.ts'
import type { ListFilter } from '../query/list-parameters.ts'
import { isSortable, listFilters } from '../query/list-parameters.ts'
import { DeclarationError } from './declaration-error.ts'
import type { Field, NamedField } from './field.ts'
import { isSearchable, isStored } from './field.ts'
import type { SearchDeclaration } from './search.ts'

export type Area = 'People' | 'Recruiting' | 'Enterprise' | 'History'
export type Fields = Readonly<Record<string, Field>>

/** The resources whose records are people. */
export const personKinds = ['employees', 'candidates'] as const
export type PersonKind = (typeof personKinds)[number]
export const personKindAt = (path: string): PersonKind | undefined => personKinds.find((kind) => kind === path)

export interface Declaration {
  /** Path segment in URLs, key in the registry and name of the file that declares the resource. */
  readonly path: string
  readonly table: string
  /** Name of the schema of a record in the OpenAPI document. */
  readonly schema: string
  /** Singular name in operation ids such as `getBrand` and `createBrand`. */
  readonly operationSingular: string
  /** Plural name in operation ids such as `listBrands` and `countBrands`. */
  readonly operationPlural: string
  /** Singular noun for one record, as used in descriptions and messages. */
  readonly title: string
  /** Plural of `title`. */
  readonly titles: string
  readonly area: Area
  readonly about: string
  /** Unique constraints: each is a list of fields whose combination of values is unique. */
  readonly unique?: readonly (readonly string[])[]
  /**
   * The fields by which `muster sync` finds the record that a line without an id stands for. Not necessarily unique in
   * the database: a key that two records have is refused.
   */
  readonly naturalKey: readonly string[]
  /**
   * The reference that leads to the person whose data the personal fields are: to an employee or a candidate, or to a
   * record whose own `personOf` leads on. Employees and candidates are people themselves; if they have it too, it names
   * another record of the same person.
   */
  readonly personOf?: string
  /** The date on which the first values of the tracked fields began, if the record has one. */
  readonly startDay?: string
  readonly computedFilters?: readonly ComputedFilter[]
  /** How the ranked search finds and shows the records. Without it, only the parameter `q` of lists finds them. */
  readonly search?: SearchDeclaration
  /** By default both are true. */
  readonly storedTexts?: StoredTexts
  readonly fields: Fields
}

/** Texts that the table stores beside the fields. Without them it is smaller, but each read builds the texts again. */
export interface StoredTexts {
  /** The JSON text of each record. */
  readonly record: boolean
  /** The text that the search parameter `q` searches. */
  readonly search: boolean
}

/** A related record that `expand` can embed. */
export interface Relation {
  readonly name: string
  readonly field: NamedField
  /** Path of the related resource. */
  readonly resource: string
}

/** A relation that the client asked to expand, and the related resource with only what this client may see. */
export interface Expansion {
  readonly relation: Relation
  readonly resource: Resource
}

export interface Projection {
  /** The selected fields in declaration order. Undefined means all fields. */
  readonly fields: readonly NamedField[] | undefined
  readonly expansions: readonly Expansion[]
}

export interface Resource extends Declaration {
  readonly unique: readonly (readonly string[])[]
  readonly computedFilters: readonly ComputedFilter[]
  readonly storedTexts: StoredTexts
  readonly allFields: readonly NamedField[]
  /** Fields that are stored in a database column. */
  readonly storedFields: readonly NamedField[]
  /** Fields of the create body. Empty if records of this resource cannot be created. */
  readonly writableFields: readonly NamedField[]
  /** Fields with an equality filter. The query parameter of such a filter has the name of the field. */
  readonly filterableFields: readonly NamedField[]
  /** All filters of a list: by equality, by range and by null. */
  readonly listFilters: readonly ListFilter[]
  readonly sortableFields: readonly NamedField[]
  readonly searchableFields: readonly NamedField[]
  readonly relations: readonly Relation[]
  readonly creatable: boolean
  /** The selected fields and related records. Undefined means all fields and no related records. */
  readonly projection?: Projection
  /** Tables of related records that filters or groupings of this request read. */
  readonly joinedTables?: readonly string[]
  /** If true, responses have no personal values, and clients cannot search, filter or sort by them. */
  readonly redacted: boolean
  /** The client sees no personal field, of related records either. Also true of resources without personal fields. */
  readonly hidesPersonal: boolean
}

/** Declares a resource. Throws if the declaration contradicts itself. */
export const resource = (declaration: Declaration): Resource => {
  const all = Object.entries(declaration.fields).map(([name, field]) => ({ ...field, name }))
  const stored = all.filter(isStored)
  const unique = declaration.unique ?? []
  const computedFilters = declaration.computedFilters ?? []
  for (const field of all) checkField(declaration.path, declaration.fields, field)
  for (const name of unique.flat()) {
    if (!Object.hasOwn(declaration.fields, name)) reject(declaration.path, name, 'is unique but not declared')
  }
  if (declaration.naturalKey.length === 0) reject(declaration.path, 'naturalKey', 'names no field')
  for (const name of declaration.naturalKey) {
    if (!stored.some((field) => field.name === name))
      reject(declaration.path, name, 'is part of the natural key but not stored')
  }
  checkPersonOf(declaration)
  checkStartDay(declaration)
  checkSearch(declaration)
  const relations = all.flatMap(relationOf)
  for (const relation of relations) checkRelationName(declaration, relations, relation)
  const writable = all.filter((field) => field.create !== 'never')
  for (const { parameter, test } of listFilters(stored)) {
    if (test !== 'equals' && Object.hasOwn(declaration.fields, parameter))
      reject(declaration.path, parameter, 'has the name of a filter of another field')
  }
  for (const { parameter } of computedFilters) {
    if (all.some(({ name }) => name === parameter))
      reject(declaration.path, parameter, 'is both a field and a computed filter')
  }
  return {
    ...declaration,
    unique,
    computedFilters,
    storedTexts: declaration.storedTexts ?? { record: true, search: true },
    allFields: all,
    storedFields: stored,
    writableFields: writable,
    filterableFields: all.filter((field) => field.filter),
    listFilters: listFilters(stored),
    sortableFields: stored.filter(isSortable),
    searchableFields: all.filter(isSearchable),
    relations,
    creatable: writable.length > 0,
    redacted: false,
    hidesPersonal: false,
  }
}

/** Returns the resource as clients without a token see it in a deployment that redacts reads. */
export const redacted = (resource: Resource): Resource => {
  const { projection } = resource
  const visible = {
    ...resource,
    hidesPersonal: true,
    ...(projection === undefined ? {} : { projection: redactedProjection(projection) }),
  }
  return resource.allFields.some(({ personal }) => personal)
    ? { ...visible, redacted: true, searchableFields: resource.searchableFields.filter(({ personal }) => !personal) }
    : visible
}

/**
 * Redacts the related records of a projection. Resources without personal fields need this too, because their related
 * records may have personal fields.
 */
const redactedProjection = ({ fields, expansions }: Projection): Projection => ({
  fields,
  expansions: expansions.map((expansion) => ({ ...expansion, resource: redacted(expansion.resource) })),
})

const relationOf = (field: NamedField): Relation[] => {
  if (field.references === undefined) return []
  const { as = field.name.replace(/_id$/, ''), resource } = field.references
  return [{ name: as, field, resource }]
}

const checkRelationName = (
  { path, fields }: Declaration,
  relations: readonly Relation[],
  { name, field }: Relation,
): void => {
  if (Object.hasOwn(fields, name))
    reject(path, field.name, `refers to a related record with the name of the field ${name}`)
  if (relations.filter((relation) => relation.name === name).length > 1)
    reject(path, field.name, `refers to a related record named ${name}, like another field`)
}

const checkField = (path: string, fields: Fields, field: NamedField): void => {
  const { name } = field
  if (field.default !== undefined && field.create !== 'optional') reject(path, name, 'has a default that is never used')
  if (field.required && field.create === 'optional' && field.default === undefined)
    reject(path, name, 'is optional in a create and never null, but has no default')
  if (field.today && (field.kind !== 'date' || field.create !== 'optional'))
    reject(path, name, 'can default to today only as an optional date')
  if ((field.now || field.importDefault !== undefined) && field.create !== 'never')
    reject(path, name, 'has a value of its own, but creates can set it')
  if (field.personal && field.required && field.kind !== 'text')
    reject(path, name, 'is personal and never null, but not text: remove `required`')
  if (field.personal && field.references !== undefined) reject(path, name, 'is personal but refers to a record')
  if (field.notBefore !== undefined && fields[field.notBefore]?.kind !== field.kind)
    reject(path, name, 'must not be before a field of another kind')
  checkHistory(path, fields, field)
  const within = field.references?.within
  if (within !== undefined && !Object.hasOwn(fields, within)) reject(path, name, 'has an undeclared field in `within`')
}

/** Fields whose changes are recorded. */
export const trackedFields = ({ storedFields }: Pick<Resource, 'storedFields'>): readonly NamedField[] =>
  storedFields.filter(({ history }) => history !== undefined)

const checkHistory = (path: string, fields: Fields, { name, kind, personal, history }: NamedField): void => {
  if (history === undefined) return
  if (personal) reject(path, name, 'is personal, so its history must not be recorded')
  if (!['text', 'reference', 'integer'].includes(kind))
    reject(path, name, `has a history, which is possible for texts, references and integers only`)
  if (history === true) return
  const day = fields[history.day]
  if (day?.kind !== 'date' || day.personal)
    reject(path, name, `has a history by ${history.day}, which is no public date`)
}

const checkStartDay = ({ path, fields, startDay }: Declaration): void => {
  if (startDay === undefined) return
  const field = fields[startDay]
  if (field?.kind !== 'date' || field.personal) reject(path, startDay, 'is the `startDay`, but no public date')
}

const checkSearch = ({ path, fields, search }: Declaration): void => {
  if (search === undefined) return
  for (const name of [...search.name, ...search.codes])
    if (fields[name]?.kind !== 'text') reject(path, name, 'is part of `search`, but no text')
  for (const name of search.codes)
    if (fields[name]?.filter !== true) reject(path, name, 'is a code of `search`, but has no filter, so no index')
  for (const name of [...Object.keys(search.ended), ...search.fields])
    if (!Object.hasOwn(fields, name)) reject(path, name, 'is part of `search`, but not declared')
  for (const name of Object.keys(search.ended))
    if (fields[name]?.personal) reject(path, name, 'is personal, so it cannot order the results of a search')
}

const checkPersonOf = ({ path, fields, personOf }: Declaration): void => {
  if (personOf !== undefined) {
    if (fields[personOf]?.references === undefined) reject(path, personOf, 'is named by `personOf` but is no reference')
    return
  }
  const personal = Object.keys(fields).find((name) => fields[name]?.personal)
  if (personal !== undefined && personKindAt(path) === undefined)
    reject(
      path,
      personal,
      'is personal, but nothing says whose data it is: set `personOf` to the reference that leads to the employee or candidate',
    )
}

const reject = (path: string, name: string, problem: string): never => {
  throw new DeclarationError(`${path}.${name} ${problem}`)
}
