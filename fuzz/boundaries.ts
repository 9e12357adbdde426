/** In charge of the edges of a schema: for every keyword the last values it admits and the first it does not. */
import type { Schema } from './contract.ts'
import { typesOf } from './schema-arbitrary.ts'

export interface Edge {
  readonly keyword: string
  /** JSON text of the value: some edges cannot be held by a number. */
  readonly literal: string
  readonly isValid: boolean
}

const edge = (keyword: string, value: unknown, isValid: boolean): Edge => ({
  keyword,
  literal: JSON.stringify(value),
  isValid,
})

export const edgesOf = (schema: Schema): Edge[] => [
  ...typeEdges(schema),
  ...boundEdges(schema),
  ...lengthEdges(schema),
  ...patternEdges(schema),
  ...formatEdges(schema),
  ...choiceEdges(schema),
]

const isText = (schema: Schema): boolean => typesOf(schema).includes('string')

/** One value of each type there is. */
const typeEdges = (schema: Schema): Edge[] => {
  const types = typesOf(schema)
  const hasNumber = types.includes('number') || types.includes('integer')
  const samples = [
    edge('type', 1, hasNumber),
    edge('type', 1.5, types.includes('number')),
    edge('type', true, types.includes('boolean')),
    edge('type', false, types.includes('boolean')),
    edge('type', null, types.includes('null')),
    edge('type', [], types.includes('array')),
    edge('type', {}, types.includes('object')),
  ]
  const whole = [
    { keyword: 'type', literal: '1.0', isValid: hasNumber },
    { keyword: 'type', literal: '1e2', isValid: hasNumber },
  ]
  return [...samples, ...whole, edge('type', textThatFits(schema, 8), isText(schema))]
}

const boundEdges = ({ minimum, maximum }: Schema): Edge[] => [
  ...(minimum === undefined
    ? []
    : [stepped('minimum', minimum, -1n, false), edge('minimum', minimum, true), stepped('minimum', minimum, 1n, true)]),
  ...(maximum === undefined
    ? []
    : [stepped('maximum', maximum, -1n, true), edge('maximum', maximum, true), stepped('maximum', maximum, 1n, false)]),
]

/** Counted in whole numbers of any size: beyond 2^53 the next one up is no number of JavaScript's. */
const stepped = (keyword: string, bound: number, by: bigint, isValid: boolean): Edge => ({
  keyword,
  literal: String(BigInt(bound) + by),
  isValid,
})

const lengthEdges = (schema: Schema): Edge[] => {
  const { minLength, maxLength } = schema
  const at = (keyword: string, length: number, isValid: boolean) =>
    length < 0 ? [] : [edge(keyword, textThatFits(schema, length), isValid)]
  return [
    ...(minLength === undefined
      ? []
      : [
          ...at('minLength', minLength - 1, false),
          ...at('minLength', minLength, true),
          ...at('minLength', minLength + 1, true),
        ]),
    ...(maxLength === undefined
      ? []
      : [
          ...at('maxLength', maxLength - 1, true),
          ...at('maxLength', maxLength, true),
          ...at('maxLength', maxLength + 1, false),
          // Counted in characters, not in the halves JavaScript keeps them in.
          ...astralEdges(schema, maxLength),
        ]),
  ]
}

const astralEdges = (schema: Schema, maxLength: number): Edge[] =>
  schema.contentMediaType === undefined
    ? [edge('maxLength', '𝒳'.repeat(maxLength), true), edge('maxLength', '𝒳'.repeat(maxLength + 1), false)]
    : []

/** A text of that many characters which every other keyword admits. */
const textThatFits = ({ contentMediaType, pattern, examples }: Schema, length: number): string => {
  if (contentMediaType === 'application/json') return length < 2 ? '1'.repeat(length) : `"${'j'.repeat(length - 2)}"`
  const admits = (text: string): boolean => pattern === undefined || new RegExp(pattern, 'u').test(text)
  if (!admits('t')) return admits('2024-02-29') ? '2024-02-29' : String(examples?.[0])
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
  '2024-01-01T24:00',
  'https://example.com/',
]

/** Texts near the usual edges of patterns, each on the side the pattern itself puts it. */
const patternEdges = (schema: Schema): Edge[] => {
  const { pattern, contentMediaType } = schema
  if (pattern === undefined) return []
  return patternSamples.map((text) => {
    const isValid = new RegExp(pattern, 'u').test(text) && (contentMediaType === undefined || isJson(text))
    return edge('pattern', text, isValid && [...text].length >= (schema.minLength ?? 0))
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

const formatEdges = ({ format }: Schema): Edge[] => {
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

const choiceEdges = ({ enum: values, const: only, examples = [], default: fallback }: Schema): Edge[] => [
  ...(values ?? []).map((value) => edge('enum', value, true)),
  ...(only === undefined ? [] : [edge('const', only, true)]),
  ...examples.map((value) => edge('examples', value, true)),
  ...(fallback === undefined ? [] : [edge('default', fallback, true)]),
]
