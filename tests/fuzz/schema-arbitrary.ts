import * as fc from 'fast-check'
import type { Schema } from './contract.ts'

export type Resolve = <T>(node: T) => T

/** Maximum length of generated strings. boundaries.ts tests strings at the declared length limits. */
const maxGeneratedLength = 80

export const schemaArbitrary = (schemaOrRef: Schema, resolve: Resolve): fc.Arbitrary<unknown> => {
  const schema = resolve(schemaOrRef)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const typeArbitraries = typesOf(schema).map((type) => ({
    // The type null has only one value, so it is generated less often.
    weight: type === 'null' ? 1 : 4,
    arbitrary: typeArbitrary(type, schema, resolve),
  }))
  return withExamples(schema, fc.oneof(...typeArbitraries))
}

const allTypes = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const

/** The JSON types that a schema allows. A schema without `type` allows all types. */
export const typesOf = ({ type }: Schema): readonly string[] => {
  if (type === undefined) return allTypes
  return typeof type === 'string' ? [type] : type
}

const withExamples = (schema: Schema, arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  schema.examples === undefined || schema.examples.length === 0
    ? arbitrary
    : fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: fc.constantFrom(...schema.examples) })

const typeArbitrary = (type: string, schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> => {
  switch (type) {
    case 'string':
      return stringArbitrary(schema)
    case 'integer':
      return integerArbitrary(schema)
    case 'number':
      return numberArbitrary(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(schema.items === undefined ? fc.jsonValue() : schemaArbitrary(schema.items, resolve), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      })
    default:
      return objectArbitrary(schema, resolve)
  }
}

const integerArbitrary = ({ minimum, maximum }: Schema): fc.Arbitrary<number> => {
  const bounds = { min: minimum ?? Number.MIN_SAFE_INTEGER, max: maximum ?? Number.MAX_SAFE_INTEGER }
  return fc.oneof(
    fc.integer(boundsNearZero(bounds, 1_000)),
    fc.integer(bounds),
    fc.constantFrom(bounds.min, bounds.max),
  )
}

/** The part of the range within `reach` of zero, or the end of the range nearest to zero if there is no such part. */
const boundsNearZero = ({ min, max }: { min: number; max: number }, reach: number) => ({
  min: Math.max(min, Math.min(-reach, max)),
  max: Math.min(max, Math.max(reach, min)),
})

const numberArbitrary = ({ minimum, maximum }: Schema): fc.Arbitrary<number> => {
  const bounds = { min: minimum ?? -Number.MAX_VALUE, max: maximum ?? Number.MAX_VALUE }
  const integerBounds = boundsNearZero({ min: Math.ceil(bounds.min), max: Math.floor(bounds.max) }, 100)
  const doubleArbitrary = fc.double({ ...bounds, noNaN: true, noDefaultInfinity: true })
  return integerBounds.min > integerBounds.max ? doubleArbitrary : fc.oneof(doubleArbitrary, fc.integer(integerBounds))
}

const objectArbitrary = (schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> => {
  if (schema.properties === undefined) return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 3 })
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, schemaArbitrary(property, resolve)] as const,
  )
  return fc.record(Object.fromEntries(properties), { requiredKeys: [...(schema.required ?? [])] as never[] })
}

const stringArbitrary = (schema: Schema): fc.Arbitrary<string> => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, contentMediaType } = schema
  const satisfiesSchema = (text: string): boolean => {
    const { length } = [...text]
    return length >= minLength && length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(text))
  }
  if (contentMediaType === 'application/json') return jsonTextArbitrary.filter(satisfiesSchema)
  if (pattern !== undefined && !isPermissive(pattern))
    return fc.stringMatching(new RegExp(pattern)).filter(satisfiesSchema)
  return textArbitrary({ minLength, maxLength: Math.min(maxLength, maxGeneratedLength) }).filter(satisfiesSchema)
}

const jsonTextArbitrary = fc
  .tuple(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('', ' ', '\t', '  '))
  .map(([value, indent]) => JSON.stringify(value, null, indent))

/** Arbitrary strings of code points, graphemes or ASCII characters, and strings that often cause bugs. */
export const textArbitrary = (lengths: { minLength?: number; maxLength: number }): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ ...lengths, unit: 'binary' }),
    fc.string({ ...lengths, unit: 'grapheme' }),
    fc.string({ ...lengths, unit: 'grapheme-ascii' }),
    fc.constantFrom(...notoriousStrings),
  )

export const notoriousStrings = [
  '%',
  '_',
  '\\',
  "'",
  '"',
  "' or 1=1 --",
  '$1',
  '{}',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  '0',
  '-1',
  '1e400',
  'true',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'a\u0301',
  '\u00e1',
  '\ufb01',
  '\u0130',
  '\ufeff',
  '\u200b',
  '\u202e',
  '\uffff',
  '\u{10ffff}',
  '👩‍👩‍👧‍👦',
  '\r\n',
  '\t',
  '\u007f',
  '\u0085',
  '\u2028',
  ',',
  ',,',
  ';',
]

/** Whether ordinary strings match the pattern. If so, filtering arbitrary strings finds matches quickly. */
const isPermissive = (pattern: string): boolean => {
  const expression = new RegExp(pattern, 'u')
  return ['a', 'Zz 9', 'x-y_z', 'é!'].every((text) => expression.test(text))
}
