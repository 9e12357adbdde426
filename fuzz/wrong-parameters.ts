/** In charge of generated parameters of reads that must be refused, or that must find nothing. */
import * as fc from 'fast-check'
import type { Case } from './case.ts'
import type { Operation, Parameter, Schema } from './contract.ts'
import type { Machine } from './machine.ts'
import { escaped, read } from './request.ts'
import { textArbitrary } from './schema-arbitrary.ts'
import { pathOf, requiredQuery, servedPath } from './sources/source.ts'

type Asked = Pick<Case, 'about' | 'request' | 'expect'>

/** A parameter as it goes over the wire, and the kind of fault it must be told. */
interface Wrong {
  readonly name: string
  readonly value: string
  /** Either of them, where the description does not tell which. */
  readonly type: readonly string[]
}

export const wrongQueries = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> => {
  const needed = requiredQuery(operation)
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query')
  const wrongs = parameters.map((parameter) => fc.oneof(...wrongValues(parameter)))
  return fc
    .subarray(wrongs, { minLength: 1, maxLength: Math.min(wrongs.length, 2) })
    .chain((chosen) => fc.tuple(...chosen))
    .map((given) => ({
      about: `wrong parameters are refused: ${given.map(({ name }) => name).join(', ')}`,
      request: read(`${servedPath(machine, operation)}?${queryText({ ...needed, ...valuesOf(given) })}`),
      expect: {
        status: [422],
        faults: given.map(({ name, type }) => ({ loc: ['query', name], type })),
        onlyThose: true,
      },
    }))
}

const valuesOf = (given: readonly Wrong[]): Record<string, string> =>
  Object.fromEntries(given.map(({ name, value }) => [name, value]))

/** Values stand as they are: they are escaped already, or must not be. */
const queryText = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/** Bytes, escaped, that no UTF-8 decoder takes: a stray one, an overlong form, a surrogate, one beyond the last. */
const noUtf8 = fc.constantFrom('%ff', '%c3%28', '%e2%82', '%c0%80', '%ed%a0%80', '%f4%90%80%80', 'a%80b')

const noInteger = fc.oneof(
  textArbitrary({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '' && !/\d/.test(text)),
  fc.constantFrom('1.5', '1e2', '0x10', '1,000', '1 2', '--1', '1-', '٥', '１', '.0', '1.', '_1', '1__0'),
)

/** The kind of fault of a name that is not listed, by the parameter it is given in. */
const unknownName: Readonly<Record<string, string>> = { fields: 'field_unknown', expand: 'relation_unknown' }

/** Names of which one at least is not listed, since it is another or is none. */
const noNames = (listed: readonly unknown[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(textArbitrary({ maxLength: 12 }), fc.constantFrom(...listed.map(String))), {
      minLength: 1,
      maxLength: 4,
    })
    .map((names) => names.join(','))
    .filter((text) => text.trim() !== '' && text.split(',').some((name) => !listed.includes(name)))
const noBoolean = fc.constantFrom('1', '0', 'yes', 'no', 'null', 'tru', 'truee', 'true,true', '\u0442rue')

const noMoment = fc.oneof(
  textArbitrary({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '' && !/\d/.test(text)),
  fc.constantFrom('2023-02-29', '2024-02-30', '2024-13-01', '2024-00-01', '24-01-01', '2024-1-1', '2024-01-01T25:00'),
)

type Wrongly = (values: fc.Arbitrary<string>, ...type: string[]) => fc.Arbitrary<Wrong>

/** Lists of ids, and orders. */
const wrongLists = ({ items, maxItems }: Schema, wrong: Wrongly): fc.Arbitrary<Wrong>[] => [
  wrong(noUtf8, 'string_unicode'),
  ...(items?.enum === undefined
    ? [wrong(fc.constantFrom('x', '1,x', '1.5', '1,,2', '1;2', '1e2').map(escaped), 'int_parsing')]
    : [
        wrong(fc.constantFrom('zz', '--id', 'ID', ' id').map(escaped), 'literal_error'),
        wrong(
          fc.constantFrom(...(items.enum as string[])).map((value) => `${value},${value}`),
          'duplicate_item',
        ),
      ]),
  ...(maxItems === undefined
    ? []
    : [
        wrong(
          fc.constantFrom(1, 2, 50).map((more) =>
            Array(maxItems + more)
              .fill('1')
              .join(','),
          ),
          'too_long',
        ),
      ]),
]

const wrongValues = ({ name, schema }: Parameter): fc.Arbitrary<Wrong>[] => {
  const wrong = (values: fc.Arbitrary<string>, ...type: string[]) => values.map((value) => ({ name, value, type }))
  const { minimum, maximum, maxLength } = schema
  if (schema.items?.enum !== undefined && !schema.uniqueItems)
    return [wrong(noUtf8, 'string_unicode'), wrong(noNames(schema.items.enum).map(escaped), unknownName[name] ?? '')]
  if (schema.type === 'integer')
    return [
      wrong(noInteger.map(escaped), 'int_parsing'),
      wrong(fc.constant(`1${'0'.repeat(4_300)}`), 'int_parsing_size'),
      ...(minimum === undefined
        ? []
        : [wrong(fc.bigInt({ min: -(10n ** 30n), max: BigInt(minimum) - 1n }).map(String), 'greater_than_equal')]),
      ...(maximum === undefined
        ? []
        : [wrong(fc.bigInt({ min: BigInt(maximum) + 1n, max: 10n ** 30n }).map(String), 'less_than_equal')]),
    ]
  if (schema.type === 'number')
    return [
      wrong(
        noInteger.filter((text) => Number.isNaN(Number(text)) && !/inf|nan/i.test(text)).map(escaped),
        'float_parsing',
      ),
      wrong(fc.constantFrom('inf', '-inf', 'nan', 'Infinity', '1e999', `1${'0'.repeat(400)}`), 'finite_number'),
    ]
  if (schema.type === 'boolean') return [wrong(noBoolean.map(escaped), 'bool_parsing')]
  if (schema.type === 'array') return wrongLists(schema, wrong)
  const { enum: choices } = schema
  return [
    wrong(noUtf8, 'string_unicode'),
    ...(!/_(?:from|to)$/.test(name) ? [] : [wrong(noMoment.map(escaped), 'date_parsing', 'datetime_parsing')]),
    ...(choices === undefined
      ? []
      : [
          wrong(
            textArbitrary({ minLength: 1, maxLength: 12 })
              .filter((text) => text.trim() !== '' && !choices.includes(text))
              .map(escaped),
            'literal_error',
          ),
        ]),
    ...(maxLength === undefined
      ? []
      : [
          wrong(
            fc.string({ unit: 'binary', minLength: maxLength + 1, maxLength: maxLength + 60 }).map(escaped),
            'string_too_long',
          ),
        ]),
  ]
}

export const wrongItemIds = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> => {
  const asked = (about: string, item: string, expect: Case['expect']): Asked => ({
    about,
    request: read(
      pathOf(
        machine,
        operation.path.replace('{item_id}', () => item),
      ),
    ),
    expect,
  })
  const loc = ['path', 'item_id']
  return fc.oneof(
    textArbitrary({ minLength: 1, maxLength: 80 })
      .filter((text) => !/^\d+$/.test(text) && text !== '')
      .map((text) => asked('an item_id that is no id finds nothing', escaped(text), { status: [404] })),
    fc
      .bigInt({ min: 10n ** 12n, max: 10n ** 60n })
      .map((id) => asked('an id that nobody has finds nothing', String(id), { status: [404] })),
    fc.string({ unit: 'binary', minLength: 256, maxLength: 400 }).map((text) =>
      asked('an item_id that is too long is refused', escaped(text), {
        status: [422],
        faults: [{ loc, type: ['string_too_long'] }],
      }),
    ),
    noUtf8.map((item) =>
      asked('an item_id that is no UTF-8 is refused', item, {
        status: [422],
        faults: [{ loc, type: ['string_unicode'] }],
      }),
    ),
  )
}
