/** Boundary values: for every keyword of a schema, the last valid and the first invalid values. */
import type { Schema } from './contract.ts'
import { typesOf } from './schema-arbitrary.ts'

export interface Boundary {
  readonly keyword: string
  /** The value as JSON text, because a JavaScript number cannot represent every boundary. */
  readonly literal: string
  readonly isValid: boolean
}

const makeBoundary = (keyword: string, value: unknown, isValid: boolean): Boundary => ({
  keyword,
  literal: JSON.stringify(value),
  isValid,
})

export const boundariesOf = (schema: Schema): Boundary[] => [
  ...typeBoundaries(schema),
  ...rangeBoundaries(schema),
  ...lengthBoundaries(schema),
  ...patternBoundaries(schema),
  ...formatBoundaries(schema),
  ...listedValueBoundaries(schema),
]

const allowsString = (schema: Schema): boolean => typesOf(schema).includes('string')

/** One value of each JSON type, valid only if the schema allows that type. */
const typeBoundaries = (schema: Schema): Boundary[] => {
  const types = typesOf(schema)
  const hasNumber = types.includes('number') || types.includes('integer')
  const samples = [
    makeBoundary('type', 1, hasNumber),
    makeBoundary('type', 1.5, types.includes('number')),
    makeBoundary('type', true, types.includes('boolean')),
    makeBoundary('type', false, types.includes('boolean')),
    makeBoundary('type', null, types.includes('null')),
    makeBoundary('type', [], types.includes('array')),
    makeBoundary('type', {}, types.includes('object')),
  ]
  const integerLiterals = [
    { keyword: 'type', literal: '1.0', isValid: hasNumber },
    { keyword: 'type', literal: '1e2', isValid: hasNumber },
  ]
  return [...samples, ...integerLiterals, makeBoundary('type', validText(schema, 8), allowsString(schema))]
}

const rangeBoundaries = ({ minimum, maximum }: Schema): Boundary[] => [
  ...(minimum === undefined
    ? []
    : [
        neighborBoundary('minimum', minimum, -1n, false),
        makeBoundary('minimum', minimum, true),
        neighborBoundary('minimum', minimum, 1n, true),
      ]),
  ...(maximum === undefined
    ? []
    : [
        neighborBoundary('maximum', maximum, -1n, true),
        makeBoundary('maximum', maximum, true),
        neighborBoundary('maximum', maximum, 1n, false),
      ]),
]

/** Uses BigInt because a JavaScript number cannot represent every integer above 2^53. */
const neighborBoundary = (keyword: string, bound: number, step: bigint, isValid: boolean): Boundary => ({
  keyword,
  literal: String(BigInt(bound) + step),
  isValid,
})

const lengthBoundaries = (schema: Schema): Boundary[] => {
  const { minLength, maxLength } = schema
  const lengthBoundary = (keyword: string, length: number, isValid: boolean) =>
    length < 0 ? [] : [makeBoundary(keyword, validText(schema, length), isValid)]
  return [
    ...(minLength === undefined
      ? []
      : [
          ...lengthBoundary('minLength', minLength - 1, false),
          ...lengthBoundary('minLength', minLength, true),
          ...lengthBoundary('minLength', minLength + 1, true),
        ]),
    ...(maxLength === undefined
      ? []
      : [
          ...lengthBoundary('maxLength', maxLength - 1, true),
          ...lengthBoundary('maxLength', maxLength, true),
          ...lengthBoundary('maxLength', maxLength + 1, false),
          // JSON Schema counts length in code points, so a character of two UTF-16 code units counts once.
          ...astralBoundaries(schema, maxLength),
        ]),
  ]
}

const astralBoundaries = (schema: Schema, maxLength: number): Boundary[] =>
  schema.contentMediaType === undefined
    ? [
        makeBoundary('maxLength', '𝒳'.repeat(maxLength), true),
        makeBoundary('maxLength', '𝒳'.repeat(maxLength + 1), false),
      ]
    : []

/** A string of this length that satisfies every other keyword of the schema, if possible. */
const validText = ({ contentMediaType, pattern, examples }: Schema, length: number): string => {
  if (contentMediaType === 'application/json') return length < 2 ? '1'.repeat(length) : `"${'j'.repeat(length - 2)}"`
  const matchesPattern = (text: string): boolean => pattern === undefined || new RegExp(pattern, 'u').test(text)
  if (!matchesPattern('t')) return ['2024-02-29', '2024-02', '02-29'].find(matchesPattern) ?? String(examples?.[0])
  return 't'.repeat(length)
}

const patternSamples = [
  '',
  ' ',
  '\0',
  't\0',
  '\n',
  't',
  ' t ',
  '0',
  'javascript:1',
  '2024-02-29',
  '2023-02-29',
  '2024-02-29T23:59:59.999999999Z',
  '0001-01-01',
  '9999-12-31 23:59',
  '2024-1-1',
  '2024-02',
  '2024-13',
  '0000-01',
  '2024-01-01T24:00',
  'https://example.com/',
]

/** Strings that patterns often get wrong. The pattern itself decides which of them are valid. */
const patternBoundaries = (schema: Schema): Boundary[] => {
  const { pattern, contentMediaType } = schema
  if (pattern === undefined) return []
  return patternSamples.map((text) => {
    const isValid = new RegExp(pattern, 'u').test(text) && (contentMediaType === undefined || isJson(text))
    return makeBoundary('pattern', text, isValid && [...text].length >= (schema.minLength ?? 0))
  })
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const formatBoundaries = ({ format }: Schema): Boundary[] => {
  if (format === 'double')
    return [
      '1.7976931348623157e308',
      '-1.7976931348623157e308',
      '5e-324',
      '-5e-324',
      '0',
      '-0',
      '0.1',
      '1e21',
      '9007199254740993',
    ]
      .map((literal) => ({ keyword: 'format', literal, isValid: true }))
      .concat([
        { keyword: 'format', literal: '1e309', isValid: false },
        { keyword: 'format', literal: '-1e309', isValid: false },
      ])
  if (format === 'int64') return [{ keyword: 'format', literal: '9223372036854775808', isValid: false }]
  return []
}

const listedValueBoundaries = ({
  enum: values,
  const: constant,
  examples = [],
  default: defaultValue,
}: Schema): Boundary[] => [
  ...(values ?? []).map((value) => makeBoundary('enum', value, true)),
  ...(constant === undefined ? [] : [makeBoundary('const', constant, true)]),
  ...examples.map((value) => makeBoundary('examples', value, true)),
  ...(defaultValue === undefined ? [] : [makeBoundary('default', defaultValue, true)]),
]
