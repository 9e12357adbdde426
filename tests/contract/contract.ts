/**
 * What the API contract says about each resource. Every other file in this folder is the contract of the resource with
 * that path, written by hand from the API specification so as to be independent of the code.
 */
import { readdir } from 'node:fs/promises'

/** Without `create`, a create request cannot set the field. */
type ReadOnly = { readonly nullable: boolean; readonly create?: never }

type Required<Value> = { readonly nullable: boolean; readonly create: 'required'; readonly sample: Value }

/** A field that a create can leave out and that is never null has a default, which is stored if it is omitted or null. */
type Optional<Value> =
  | { readonly nullable: true; readonly create: 'optional'; readonly sample: Value }
  | { readonly nullable: false; readonly create: 'optional'; readonly sample: Value; readonly default: Value }

/** `sample` is a valid value that differs from the default. */
type Scalar<Value> = (ReadOnly | Required<Value> | Optional<Value>) & { readonly personal?: true }

interface Limited {
  /** Maximum length in a create request, in characters. */
  readonly maxLength: number
}

/** The text is unique among the records that have the same values in these fields. Tests make up its values: no other field can be unique. */
interface Unique extends Limited {
  readonly nullable: false
  readonly create: 'required'
  readonly uniqueWithin: readonly string[]
}

/** Text that `q` searches. Lists can be sorted by it if it has a filter or at most 500 characters; otherwise `sort` is false. */
type Text = (ReadOnly | ((Required<string> | Optional<string>) & Limited) | Unique) & {
  readonly kind: 'text'
  /** Whether lists have an equality filter for the field. */
  readonly filter?: true
  readonly sort?: false
  readonly personal?: true
}

/** A status or stage: never null, never blank, at most 200 characters, with an equality filter. */
type State = { readonly kind: 'state' } & (
  | { readonly create?: never }
  | { readonly create: 'required'; readonly sample: string }
  | { readonly create: 'optional'; readonly sample: string; readonly default: string }
)

interface ReferenceField {
  readonly kind: 'reference'
  readonly nullable: boolean
  readonly create?: 'optional' | 'required'
  /** Path of the resource that the field refers to. */
  readonly to: string
  /** Name of the related record in `expand`. */
  readonly relation: string
  /** Name of a field that must have the same value in both records. */
  readonly within?: string
}

export type FieldContract =
  /** `always null` is a string field that is null in every response. */
  | { readonly kind: 'id' | 'always null' }
  | ReferenceField
  | State
  | Text
  | ({ readonly kind: 'integer'; readonly filter?: true } & Scalar<number>)
  | ({ readonly kind: 'number' } & Scalar<number>)
  | ({ readonly kind: 'color' | 'url' | 'json' | 'timestamp' } & Scalar<string>)
  /**
   * `today`: a create that omits the field stores today's date; an explicit null is stored as null. `notBefore`: name
   * of a date field that this one must not be before.
   */
  | ({ readonly kind: 'date'; readonly today?: true; readonly notBefore?: string } & Scalar<string>)

export interface ResourceContract {
  /** Table in the database. */
  readonly table: string
  /** Name in the ids of the operations that get and create a record. */
  readonly singular: string
  /** Name in the ids of the operations that list and count records. */
  readonly plural: string
  /** In the order of responses. */
  readonly fields: Readonly<Record<string, FieldContract>>
}

/** Maximum lengths that follow from the kind of a field. */
const maxLengths: Readonly<Partial<Record<FieldKind, number>>> = { state: 200, color: 200, url: 2_048, json: 262_144 }

/** The path of a resource, such as `leave`. */
export type Resource = string
export type FieldKind = FieldContract['kind']
export type JsonType = 'integer' | 'number' | 'string'
export type Value = string | number

/** A field with everything that follows from its contract. */
export interface Field {
  readonly resource: Resource
  readonly field: string
  readonly kind: FieldKind
  readonly type: JsonType
  readonly nullable: boolean
  readonly create: 'none' | 'optional' | 'required'
  readonly filter: boolean
  readonly searched: boolean
  readonly sorted: boolean
  readonly personal: boolean
  /** Whether a create rejects a text that is empty or nothing but white space. */
  readonly notBlank: boolean
  readonly maxLength?: number
  readonly default?: Value
  readonly today?: true
  readonly notBefore?: string
  readonly to?: Resource
  readonly within?: string
  readonly uniqueWithin?: readonly string[]
  readonly sample?: Value
}

/** A related record that `expand` adds, and the field that refers to it. */
export interface Relation {
  readonly name: string
  readonly field: string
  readonly target: Resource
}

const readContracts = async (): Promise<ReadonlyMap<Resource, ResourceContract>> => {
  const files = (await readdir(new URL('.', import.meta.url))).filter((file) => file !== 'contract.ts').sort()
  const contracts = await Promise.all(
    files.map(async (file): Promise<[Resource, ResourceContract]> => {
      const module = (await import(`./${file}`)) as { contract?: ResourceContract }
      if (module.contract === undefined) throw new Error(`tests/contract/${file} does not export a contract.`)
      return [file.replace(/\.ts$/, ''), module.contract]
    }),
  )
  return new Map(contracts)
}

const contracts = await readContracts()

const rejectUnknown = (resource: Resource): never => {
  throw new Error(`${resource} has no contract: write tests/contract/${resource}.ts.`)
}

export const contractOf = (resource: Resource): ResourceContract => contracts.get(resource) ?? rejectUnknown(resource)

/** All fields of the union have these types, where they have them. */
type AnyField = { readonly kind: FieldKind } & Partial<
  Omit<Field, 'resource' | 'field' | 'kind' | 'type' | 'create' | 'searched' | 'sorted' | 'notBlank'>
> & { readonly create?: 'optional' | 'required'; readonly sort?: false; readonly relation?: string }

const completeField = (resource: Resource, field: string, contract: AnyField): Field => {
  const { kind, create = 'none', sort = true, relation: _, ...rest } = contract
  const isWritableText = create !== 'none' && typeOf(kind) === 'string' && kind !== 'date' && kind !== 'timestamp'
  const maxLength = isWritableText ? (contract.maxLength ?? maxLengths[kind]) : undefined
  return {
    personal: false,
    nullable: kind !== 'state',
    ...rest,
    resource,
    field,
    kind,
    type: typeOf(kind),
    create,
    filter: contract.filter ?? (kind === 'reference' || kind === 'state'),
    searched: kind === 'text' || kind === 'state',
    sorted: sort && !['always null', 'color', 'url', 'json'].includes(kind),
    notBlank: isWritableText && kind !== 'json' && (create === 'required' || kind === 'state'),
    ...(maxLength === undefined ? {} : { maxLength }),
  }
}

const typeOf = (kind: FieldKind): JsonType => {
  if (kind === 'id' || kind === 'reference' || kind === 'integer') return 'integer'
  return kind === 'number' ? 'number' : 'string'
}

const fieldsByResource = new Map(
  [...contracts].map(([resource, { fields }]) => [
    resource,
    Object.entries(fields).map(([field, contract]) => completeField(resource, field, contract)),
  ]),
)

export const fieldsOf = (resource: Resource): readonly Field[] =>
  fieldsByResource.get(resource) ?? rejectUnknown(resource)

export const writableFieldsOf = (resource: Resource): readonly Field[] =>
  fieldsOf(resource).filter(({ create }) => create !== 'none')

export const relationsOf = (resource: Resource): readonly Relation[] =>
  Object.entries(contractOf(resource).fields).flatMap(([field, contract]) =>
    contract.kind === 'reference' ? [{ name: contract.relation, field, target: contract.to }] : [],
  )

/** All resources. Each comes after those that it refers to, unless they refer to each other. */
const inReferenceOrder = (): Resource[] => {
  const ordered = new Set<Resource>()
  const visited = new Set<Resource>()
  const visit = (resource: Resource): void => {
    if (visited.has(resource)) return
    visited.add(resource)
    for (const { target } of relationsOf(resource)) visit(target)
    ordered.add(resource)
  }
  for (const resource of contracts.keys()) visit(resource)
  return [...ordered]
}

export const resources: readonly Resource[] = inReferenceOrder()

/** The resources with a create operation. */
export const creatable = resources.filter((resource) => writableFieldsOf(resource).length > 0)

export const readOnly = resources.filter((resource) => !creatable.includes(resource))

/** The field whose values must be unique. Undefined if the resource has none. */
export const uniqueFieldOf = (resource: Resource): Field | undefined =>
  fieldsOf(resource).find(({ uniqueWithin }) => uniqueWithin !== undefined)

/** A text field of a create by which both an equality filter and `q` find the record. */
export const markerFieldOf = (resource: Resource): string => {
  const marker =
    uniqueFieldOf(resource) ?? writableFieldsOf(resource).find(({ filter, searched }) => filter && searched)
  if (marker?.filter !== true)
    throw new Error(`Tests find a created record by a text field with a filter, but ${resource} has none.`)
  return marker.field
}
