/** Generates query parameters that the service must reject, and ids that it must reject or not find. */
import * as fc from 'fast-check'
import type { Case } from './case.ts'
import type { Operation, Parameter, Schema } from './contract.ts'
import type { Fuzzer } from './fuzzer.ts'
import { getRequest, percentEncode } from './request.ts'
import { textArbitrary } from './schema-arbitrary.ts'
import { apiPath, existingPath, requiredQuery } from './sources/source.ts'

type CaseContent = Pick<Case, 'about' | 'request' | 'expect'>

/** A parameter value as sent, and the expected error type. */
interface WrongParameter {
  readonly name: string
  readonly value: string
  /** More than one if the OpenAPI document does not determine the error type. */
  readonly type: readonly string[]
}

export const wrongQueries = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> => {
  const requiredParameters = Object.fromEntries(
    Object.entries(requiredQuery(operation)).map(([name, value]) => [name, percentEncode(value)]),
  )
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query')
  const wrongParameters = parameters.map((parameter) => fc.oneof(...wrongValues(parameter)))
  return fc
    .subarray(wrongParameters, { minLength: 1, maxLength: Math.min(wrongParameters.length, 2) })
    .chain((chosen) => fc.tuple(...chosen))
    .map((selected) => ({
      about: `wrong parameters are rejected: ${selected.map(({ name }) => name).join(', ')}`,
      request: getRequest(
        `${existingPath(fuzzer, operation)}?${queryText({ ...requiredParameters, ...valuesByName(selected) })}`,
      ),
      expect: {
        status: [422],
        errors: selected.map(({ name, type }) => ({ loc: ['query', name], type })),
        noOtherErrors: true,
      },
    }))
}

const valuesByName = (selected: readonly WrongParameter[]): Record<string, string> =>
  Object.fromEntries(selected.map(({ name, value }) => [name, value]))

/** Joins the parameters without percent-encoding, because the values are already encoded or must be sent unencoded. */
const queryText = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/** Percent-encoded bytes that are invalid UTF-8: stray bytes, overlong encodings, surrogates, values above U+10FFFF. */
const invalidUtf8 = fc.constantFrom('%ff', '%c3%28', '%e2%82', '%c0%80', '%ed%a0%80', '%f4%90%80%80', 'a%80b')

const invalidInteger = fc.oneof(
  textArbitrary({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '' && !/\d/.test(text)),
  fc.constantFrom('1.5', '1e2', '0x10', '1,000', '1 2', '--1', '1-', '٥', '１', '.0', '1.', '_1', '1__0'),
)

/** The error type that each parameter reports for an unknown name. */
const unknownNameErrors: Readonly<Record<string, string>> = {
  fields: 'field_unknown',
  expand: 'relation_unknown',
  resource: 'literal_error',
}

/** Comma-separated lists with at least one unknown or empty name. */
const invalidNames = (allowedNames: readonly unknown[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(textArbitrary({ maxLength: 12 }), fc.constantFrom(...allowedNames.map(String))), {
      minLength: 1,
      maxLength: 4,
    })
    .map((names) => names.join(','))
    .filter((text) => text.trim() !== '' && text.split(',').some((name) => !allowedNames.includes(name)))

/** Invalid values of `by`, which ignores empty names. */
const wrongGroupings = (
  { items, maxItems = 0 }: Schema,
  makeWrong: MakeWrongParameter,
): fc.Arbitrary<WrongParameter>[] => {
  const names = (items?.enum ?? []) as string[]
  const hasUnknownName = (text: string) => text.split(',').some((name) => name.trim() !== '' && !names.includes(name))
  return [
    makeWrong(invalidUtf8, 'string_unicode'),
    makeWrong(fc.constantFrom('', ',', '%20'), 'missing'),
    makeWrong(invalidNames(names).filter(hasUnknownName).map(percentEncode), 'literal_error'),
    ...(names.length <= maxItems
      ? []
      : [
          makeWrong(
            fc.shuffledSubarray(names, { minLength: maxItems + 1 }).map((chosen) => chosen.join(',')),
            'too_long',
          ),
        ]),
  ]
}

const invalidBoolean = fc.constantFrom('1', '0', 'yes', 'no', 'null', 'tru', 'truee', 'true,true', '\u0442rue')

const invalidDateTime = fc.oneof(
  textArbitrary({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '' && !/\d/.test(text)),
  fc.constantFrom('2023-02-29', '2024-02-30', '2024-13-01', '2024-00-01', '24-01-01', '2024-1-1', '2024-01-01T25:00'),
)

type MakeWrongParameter = (values: fc.Arbitrary<string>, ...type: string[]) => fc.Arbitrary<WrongParameter>

/** Months, days and times, which the pattern of the parameter tells apart. */
const wrongTimes = ({ pattern }: Schema, makeWrong: MakeWrongParameter): fc.Arbitrary<WrongParameter>[] => {
  const matches = (text: string): boolean => pattern !== undefined && new RegExp(pattern, 'u').test(text)
  if (matches('t')) return []
  if (matches('2024-02'))
    return [
      makeWrong(fc.oneof(invalidDateTime, fc.constantFrom('2024-02-01', '2024-2')).map(percentEncode), 'month_parsing'),
    ]
  if (matches('02-29'))
    return [
      makeWrong(
        fc.oneof(invalidDateTime, fc.constantFrom('02-30', '2-1', '2024-02-01')).map(percentEncode),
        'month_day_parsing',
      ),
    ]
  return matches('2024-02-29')
    ? [makeWrong(invalidDateTime.map(percentEncode), 'date_parsing', 'datetime_parsing')]
    : []
}

/** Invalid values of `ids` and `sort`. */
const wrongArrays = ({ items, maxItems }: Schema, makeWrong: MakeWrongParameter): fc.Arbitrary<WrongParameter>[] => [
  makeWrong(invalidUtf8, 'string_unicode'),
  ...(items?.enum === undefined
    ? [makeWrong(fc.constantFrom('x', '1,x', '1.5', '1,,2', '1;2', '1e2').map(percentEncode), 'int_parsing')]
    : [
        makeWrong(fc.constantFrom('zz', '--id', 'ID', ' id').map(percentEncode), 'literal_error'),
        makeWrong(
          fc.constantFrom(...(items.enum as string[])).map((value) => `${value},${value}`),
          'duplicate_item',
        ),
      ]),
  ...(maxItems === undefined
    ? []
    : [
        makeWrong(
          fc.constantFrom(1, 2, 50).map((excess) =>
            Array(maxItems + excess)
              .fill('1')
              .join(','),
          ),
          'too_long',
        ),
      ]),
]

const wrongValues = ({ name, schema }: Parameter): fc.Arbitrary<WrongParameter>[] => {
  const makeWrong = (values: fc.Arbitrary<string>, ...type: string[]) => values.map((value) => ({ name, value, type }))
  const { minimum, maximum, maxLength } = schema
  if (schema.minItems !== undefined) return wrongGroupings(schema, makeWrong)
  if (schema.items?.enum !== undefined && !schema.uniqueItems)
    return [
      makeWrong(invalidUtf8, 'string_unicode'),
      makeWrong(invalidNames(schema.items.enum).map(percentEncode), unknownNameErrors[name] ?? ''),
    ]
  if (schema.type === 'integer')
    return [
      makeWrong(invalidInteger.map(percentEncode), 'int_parsing'),
      makeWrong(fc.constant(`1${'0'.repeat(4_300)}`), 'int_parsing_size'),
      ...(minimum === undefined
        ? []
        : [makeWrong(fc.bigInt({ min: -(10n ** 30n), max: BigInt(minimum) - 1n }).map(String), 'greater_than_equal')]),
      ...(maximum === undefined
        ? []
        : [makeWrong(fc.bigInt({ min: BigInt(maximum) + 1n, max: 10n ** 30n }).map(String), 'less_than_equal')]),
    ]
  if (schema.type === 'number')
    return [
      makeWrong(
        invalidInteger.filter((text) => Number.isNaN(Number(text)) && !/inf|nan/i.test(text)).map(percentEncode),
        'float_parsing',
      ),
      makeWrong(fc.constantFrom('inf', '-inf', 'nan', 'Infinity', '1e999', `1${'0'.repeat(400)}`), 'finite_number'),
    ]
  if (schema.type === 'boolean') return [makeWrong(invalidBoolean.map(percentEncode), 'bool_parsing')]
  if (schema.type === 'array') return wrongArrays(schema, makeWrong)
  const { enum: choices } = schema
  return [
    makeWrong(invalidUtf8, 'string_unicode'),
    ...wrongTimes(schema, makeWrong),
    ...(choices === undefined
      ? []
      : [
          makeWrong(
            textArbitrary({ minLength: 1, maxLength: 12 })
              .filter((text) => text.trim() !== '' && !choices.includes(text))
              .map(percentEncode),
            'literal_error',
          ),
        ]),
    ...(maxLength === undefined
      ? []
      : [
          makeWrong(
            fc.string({ unit: 'binary', minLength: maxLength + 1, maxLength: maxLength + 60 }).map(percentEncode),
            'string_too_long',
          ),
        ]),
  ]
}

export const wrongItemIds = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> => {
  const makeCase = (about: string, itemId: string, expect: Case['expect']): CaseContent => ({
    about,
    request: getRequest(
      apiPath(
        fuzzer,
        operation.path.replace('{item_id}', () => itemId),
      ),
    ),
    expect,
  })
  const loc = ['path', 'item_id']
  return fc.oneof(
    textArbitrary({ minLength: 1, maxLength: 80 })
      .filter((text) => !/^\d+$/.test(text) && text !== '')
      .map((text) => makeCase('an item_id that is not a number responds 404', percentEncode(text), { status: [404] })),
    fc
      .bigInt({ min: 10n ** 12n, max: 10n ** 60n })
      .map((id) => makeCase('an id without a record responds 404', String(id), { status: [404] })),
    fc.string({ unit: 'binary', minLength: 256, maxLength: 400 }).map((text) =>
      makeCase('an item_id that is too long is rejected', percentEncode(text), {
        status: [422],
        errors: [{ loc, type: ['string_too_long'] }],
      }),
    ),
    invalidUtf8.map((itemId) =>
      makeCase('an item_id that is not UTF-8 is rejected', itemId, {
        status: [422],
        errors: [{ loc, type: ['string_unicode'] }],
      }),
    ),
  )
}
