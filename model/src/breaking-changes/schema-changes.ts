/** In charge of comparing two versions of a schema: what a client may no longer send, or may newly be answered. */
import type { OpenapiDocument, Schema, SchemaType } from '../derive/document.ts'

/** Clients write a `request` and read an `answer`: narrowing breaks the one, widening the other. */
export type Direction = 'request' | 'answer'

interface Sides {
  readonly before: Schema
  readonly after: Schema
}

export class SchemaComparison {
  readonly #before: OpenapiDocument
  readonly #after: OpenapiDocument
  /** Pairs in hand or done, so that a schema that contains itself comes to an end. */
  readonly #seen = new Set<string>()

  constructor(before: OpenapiDocument, after: OpenapiDocument) {
    this.#before = before
    this.#after = after
  }

  /** One sentence for each change that breaks a client; `what` names the value. */
  changes(what: string, direction: Direction, { before, after }: Sides): string[] {
    const pair = `${direction} ${before.$ref} ${after.$ref}`
    if (before.$ref !== undefined && after.$ref !== undefined) {
      if (this.#seen.has(pair)) return []
      this.#seen.add(pair)
    }
    const name = direction === 'answer' ? (nameOf(before) ?? what) : what
    const sides = { before: resolve(before, this.#before), after: resolve(after, this.#after) }
    return [
      ...typeChanges(name, direction, sides),
      ...ruleChanges(name, direction, sides),
      ...requiredChanges(name, direction, sides),
      ...this.#propertyChanges(name, direction, sides),
      ...this.#itemChanges(name, direction, sides),
    ]
  }

  #propertyChanges(what: string, direction: Direction, { before, after }: Sides): string[] {
    const closing =
      direction === 'request' && before.additionalProperties !== false && after.additionalProperties === false
        ? [`${what} no longer accepts undeclared properties`]
        : []
    const properties = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
      const now = after.properties?.[name]
      if (now !== undefined)
        return this.changes(within(what, name, direction), direction, { before: schema, after: now })
      if (direction === 'answer') return [`${within(what, name, direction)} is gone`]
      return after.additionalProperties === false ? [`${what} no longer accepts ${name}`] : []
    })
    return [...closing, ...properties]
  }

  #itemChanges(what: string, direction: Direction, { before, after }: Sides): string[] {
    if (before.items === undefined || after.items === undefined) return []
    return this.changes(`an entry of ${what}`, direction, { before: before.items, after: after.items })
  }
}

const within = (what: string, name: string, direction: Direction): string =>
  direction === 'answer' ? `${what}.${name}` : `${name} of ${what}`

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

const resolve = (schema: Schema, { components }: OpenapiDocument): Schema => {
  const name = nameOf(schema)
  return name === undefined ? schema : (components.schemas[name] ?? {})
}

/** A schema without a type admits them all. */
const allTypes: readonly SchemaType[] = ['string', 'number', 'boolean', 'object', 'array', 'null']

const typesOf = ({ type }: Schema): readonly SchemaType[] =>
  type === undefined ? allTypes : typeof type === 'string' ? [type] : type

const admits = (types: readonly SchemaType[], type: SchemaType): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

const typeChanges = (what: string, direction: Direction, { before, after }: Sides): string[] => {
  const [old, now] = [typesOf(before), typesOf(after)]
  if (direction === 'answer')
    return now.filter((type) => !admits(old, type)).map((type) => `${what} may now be ${described(type)}`)
  return old.filter((type) => !admits(now, type)).map((type) => `${what} may no longer be ${described(type)}`)
}

const described = (type: SchemaType): string =>
  type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`

const requiredChanges = (what: string, direction: Direction, { before, after }: Sides): string[] => {
  const [old, now] = [before.required ?? [], after.required ?? []]
  if (direction === 'request')
    return now.filter((name) => !old.includes(name)).map((name) => `${what} now requires ${name}`)
  return old
    .filter((name) => !now.includes(name) && after.properties?.[name] !== undefined)
    .map((name) => `${what}.${name} may now be missing`)
}

const ruleChanges = (what: string, direction: Direction, sides: Sides): string[] => [
  ...boundChanges(what, direction, sides),
  ...wordChanges(what, direction, sides),
  ...enumChanges(what, direction, sides),
  ...defaultChanges(what, direction, sides),
  ...unjudged(what, sides),
]

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const

const boundChanges = (what: string, direction: Direction, { before, after }: Sides): string[] =>
  [...lowerBounds, ...upperBounds].flatMap((bound) => {
    const isLower = lowerBounds.some((name) => name === bound)
    const none = isLower ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    const [old, now] = [numberAt(before, bound) ?? none, numberAt(after, bound) ?? none]
    if (old === now) return []
    const isNarrower = isLower ? now > old : now < old
    if (isNarrower !== (direction === 'request')) return []
    return [`${what}: ${bound} ${isNarrower ? 'narrowed' : 'widened'} from ${said(old)} to ${said(now)}`]
  })

const numberAt = (schema: Schema, keyword: string): number | undefined =>
  (schema as Readonly<Record<string, number | undefined>>)[keyword]

const said = (bound: number): string => (Number.isFinite(bound) ? String(bound) : 'none')

/** Patterns and formats cannot be ordered: any change but dropping a demand, or making a new promise, may break. */
const wordChanges = (what: string, direction: Direction, { before, after }: Sides): string[] =>
  (['pattern', 'format', 'contentMediaType'] as const).flatMap((keyword) => {
    const [old, now] = [before[keyword], after[keyword]]
    if (old === now || (direction === 'request' ? now : old) === undefined) return []
    return [`${what}: ${keyword} changed from ${old ?? 'none'} to ${now ?? 'none'}`]
  })

const enumChanges = (what: string, direction: Direction, { before, after }: Sides): string[] => {
  const [narrow, wide] = direction === 'request' ? [after.enum, before.enum] : [before.enum, after.enum]
  if (narrow === undefined) return []
  const verb = direction === 'request' ? 'may no longer be' : 'may now be'
  if (wide === undefined)
    return [direction === 'request' ? `${what} is now limited to ${listed(narrow)}` : `${what} may now be any value`]
  return wide.filter((value) => !narrow.includes(value)).map((value) => `${what} ${verb} ${JSON.stringify(value)}`)
}

const listed = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

const defaultChanges = (what: string, direction: Direction, { before, after }: Sides): string[] =>
  direction === 'answer' || before.default === undefined || before.default === after.default
    ? []
    : [`${what}: default changed from ${JSON.stringify(before.default)} to ${JSON.stringify(after.default) ?? 'none'}`]

/** What this comparison does not understand must not pass in silence. */
const unjudged = (what: string, { before, after }: Sides): string[] =>
  ['allOf', 'anyOf', 'oneOf', 'not', 'const', 'multipleOf'].flatMap((keyword) => {
    const [old, now] = [before, after].map((schema) => JSON.stringify((schema as Record<string, unknown>)[keyword]))
    return old === now ? [] : [`${what}: ${keyword} changed, which this comparison cannot judge`]
  })
