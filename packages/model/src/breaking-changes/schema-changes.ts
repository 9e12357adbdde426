import type { OpenapiDocument, Schema, SchemaType } from '../openapi/document.ts'

/**
 * Whether a schema describes a request or a response. A request schema that accepts fewer values breaks clients, and so
 * does a response schema that allows more values.
 */
export type Direction = 'request' | 'response'

interface SchemaPair {
  readonly before: Schema
  readonly after: Schema
}

export class SchemaComparison {
  readonly #before: OpenapiDocument
  readonly #after: OpenapiDocument
  /**
   * Pairs of schemas that have already been compared. Skipping them prevents endless recursion in recursive schemas.
   */
  readonly #visitedPairs = new Set<string>()

  constructor(before: OpenapiDocument, after: OpenapiDocument) {
    this.#before = before
    this.#after = after
  }

  /**
   * Returns one sentence for each breaking change between two schemas. `subject` names the described value in these
   * sentences.
   */
  changes(subject: string, direction: Direction, { before, after }: SchemaPair): string[] {
    const pairId = `${direction} ${before.$ref} ${after.$ref}`
    if (before.$ref !== undefined && after.$ref !== undefined) {
      if (this.#visitedPairs.has(pairId)) return []
      this.#visitedPairs.add(pairId)
    }
    const name = direction === 'response' ? (schemaName(before) ?? subject) : subject
    const schemas = { before: resolve(before, this.#before), after: resolve(after, this.#after) }
    return [
      ...typeChanges(name, direction, schemas),
      ...ruleChanges(name, direction, schemas),
      ...requiredChanges(name, direction, schemas),
      ...this.#propertyChanges(name, direction, schemas),
      ...this.#itemChanges(name, direction, schemas),
    ]
  }

  #propertyChanges(subject: string, direction: Direction, { before, after }: SchemaPair): string[] {
    const closedObjectChanges =
      direction === 'request' && before.additionalProperties !== false && after.additionalProperties === false
        ? [`${subject} no longer accepts undeclared properties`]
        : []
    const properties = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
      const newSchema = after.properties?.[name]
      if (newSchema !== undefined)
        return this.changes(propertyPath(subject, name, direction), direction, { before: schema, after: newSchema })
      if (direction === 'response') return [`${propertyPath(subject, name, direction)} was removed`]
      return after.additionalProperties === false ? [`${subject} no longer accepts ${name}`] : []
    })
    return [...closedObjectChanges, ...properties]
  }

  #itemChanges(subject: string, direction: Direction, { before, after }: SchemaPair): string[] {
    if (before.items === undefined || after.items === undefined) return []
    return this.changes(`an entry of ${subject}`, direction, { before: before.items, after: after.items })
  }
}

const propertyPath = (subject: string, name: string, direction: Direction): string =>
  direction === 'response' ? `${subject}.${name}` : `${name} of ${subject}`

const schemaName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

const resolve = (schema: Schema, { components }: OpenapiDocument): Schema => {
  const name = schemaName(schema)
  return name === undefined ? schema : (components.schemas[name] ?? {})
}

/** The types that a schema without the keyword `type` allows. */
const allTypes: readonly SchemaType[] = ['string', 'number', 'boolean', 'object', 'array', 'null']

const typesOf = ({ type }: Schema): readonly SchemaType[] =>
  type === undefined ? allTypes : typeof type === 'string' ? [type] : type

const allows = (types: readonly SchemaType[], type: SchemaType): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

const typeChanges = (subject: string, direction: Direction, { before, after }: SchemaPair): string[] => {
  const [oldTypes, newTypes] = [typesOf(before), typesOf(after)]
  if (direction === 'response')
    return newTypes
      .filter((type) => !allows(oldTypes, type))
      .map((type) => `${subject} may now be ${withArticle(type)}`)
  return oldTypes
    .filter((type) => !allows(newTypes, type))
    .map((type) => `${subject} may no longer be ${withArticle(type)}`)
}

const withArticle = (type: SchemaType): string =>
  type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`

const requiredChanges = (subject: string, direction: Direction, { before, after }: SchemaPair): string[] => {
  const [oldRequired, newRequired] = [before.required ?? [], after.required ?? []]
  if (direction === 'request')
    return newRequired.filter((name) => !oldRequired.includes(name)).map((name) => `${subject} now requires ${name}`)
  return oldRequired
    .filter((name) => !newRequired.includes(name) && after.properties?.[name] !== undefined)
    .map((name) => `${subject}.${name} may now be missing`)
}

const ruleChanges = (subject: string, direction: Direction, schemas: SchemaPair): string[] => [
  ...boundChanges(subject, direction, schemas),
  ...keywordChanges(subject, direction, schemas),
  ...enumChanges(subject, direction, schemas),
  ...defaultChanges(subject, direction, schemas),
  ...uninterpretedChanges(subject, schemas),
]

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const

const boundChanges = (subject: string, direction: Direction, { before, after }: SchemaPair): string[] =>
  [...lowerBounds, ...upperBounds].flatMap((bound) => {
    const isLower = lowerBounds.some((name) => name === bound)
    const unbounded = isLower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    const [oldBound, newBound] = [boundOf(before, bound) ?? unbounded, boundOf(after, bound) ?? unbounded]
    if (oldBound === newBound) return []
    const isNarrower = isLower ? newBound > oldBound : newBound < oldBound
    if (isNarrower !== (direction === 'request')) return []
    return [
      `${subject}: ${bound} ${isNarrower ? 'narrowed' : 'widened'} from ${boundText(oldBound)} to ${boundText(newBound)}`,
    ]
  })

const boundOf = (schema: Schema, keyword: string): number | undefined =>
  (schema as Readonly<Record<string, number | undefined>>)[keyword]

const boundText = (bound: number): string => (Number.isFinite(bound) ? String(bound) : 'none')

/**
 * This comparison cannot tell whether one pattern or format is stricter than another, so every change of them counts as
 * breaking. Removing one from a request and adding one to a response are the exceptions.
 */
const keywordChanges = (subject: string, direction: Direction, { before, after }: SchemaPair): string[] =>
  (['pattern', 'format', 'contentMediaType'] as const).flatMap((keyword) => {
    const [oldValue, newValue] = [before[keyword], after[keyword]]
    if (oldValue === newValue || (direction === 'request' ? newValue : oldValue) === undefined) return []
    return [`${subject}: ${keyword} changed from ${oldValue ?? 'none'} to ${newValue ?? 'none'}`]
  })

const enumChanges = (subject: string, direction: Direction, { before, after }: SchemaPair): string[] => {
  const [narrowEnum, wideEnum] = direction === 'request' ? [after.enum, before.enum] : [before.enum, after.enum]
  if (narrowEnum === undefined) return []
  const verb = direction === 'request' ? 'may no longer be' : 'may now be'
  if (wideEnum === undefined)
    return [
      direction === 'request'
        ? `${subject} is now limited to ${jsonList(narrowEnum)}`
        : `${subject} may now be any value`,
    ]
  return wideEnum
    .filter((value) => !narrowEnum.includes(value))
    .map((value) => `${subject} ${verb} ${JSON.stringify(value)}`)
}

const jsonList = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

const defaultChanges = (subject: string, direction: Direction, { before, after }: SchemaPair): string[] =>
  direction === 'response' || before.default === undefined || before.default === after.default
    ? []
    : [
        `${subject}: default changed from ${JSON.stringify(before.default)} to ${JSON.stringify(after.default) ?? 'none'}`,
      ]

/** Any change of these keywords is reported, because this comparison does not interpret them. */
const uninterpretedChanges = (subject: string, { before, after }: SchemaPair): string[] =>
  ['allOf', 'anyOf', 'oneOf', 'not', 'const', 'multipleOf'].flatMap((keyword) => {
    const [oldJson, newJson] = [before, after].map((schema) =>
      JSON.stringify((schema as Record<string, unknown>)[keyword]),
    )
    return oldJson === newJson ? [] : [`${subject}: ${keyword} changed, which this comparison does not interpret`]
  })
