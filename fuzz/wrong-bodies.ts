/** In charge of generated creates that must be refused: wrong fields, wrong bodies as a whole, wrong credentials. */
import * as fc from 'fast-check'
import { bodySchema, referenceOf, validBodies } from './bodies.ts'
import { brokenBodies } from './broken-bodies.ts'
import type { Case, ExpectedFault } from './case.ts'
import type { Operation, Schema } from './contract.ts'
import type { Machine } from './machine.ts'
import type { Body } from './record-model.ts'
import type { Request } from './request.ts'
import { json, write } from './request.ts'
import { textArbitrary, typesOf } from './schema-arbitrary.ts'
import { pathOf } from './sources/source.ts'
import { wrongCredentials } from './wrong-credentials.ts'

type Asked = Pick<Case, 'about' | 'request' | 'expect'>

/** One thing that is done to a valid body, and where the refusal must say that it was done. */
export interface Spoiling {
  readonly field: string
  readonly value: unknown
  readonly isLeftOut?: true
}

export const wrongBodies = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> =>
  fc.oneof(
    { weight: 8, arbitrary: spoiltBodies(machine, operation) },
    { weight: 2, arbitrary: brokenRequests(machine, operation) },
    { weight: 1, arbitrary: unauthorized(machine, operation) },
  )

const spoiltBodies = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> =>
  fc.tuple(validBodies(machine, operation), spoilings(machine, operation)).map(([body, spoilt]) => ({
    about: `faults are named: ${spoilt.map(({ field }) => JSON.stringify(field)).join(', ')}`,
    request: write(pathOf(machine, operation.path), JSON.stringify(spoiltBody(body, spoilt))),
    expect: { status: [422], faults: spoilt.map(({ field }): ExpectedFault => ({ loc: ['body', field] })) },
  }))

export const spoiltBody = (body: Body, spoilt: readonly Spoiling[]): Body => {
  const names = new Set(spoilt.map(({ field }) => field))
  const kept = Object.entries(body).filter(([name]) => !names.has(name))
  const added = spoilt.filter(({ isLeftOut }) => !isLeftOut).map(({ field, value }) => [field, value] as const)
  // Made from entries, so that even __proto__ becomes a property like any other.
  return Object.fromEntries([...kept, ...added])
}

/** One fault or two, of different fields. */
export const spoilings = (machine: Machine, operation: Operation): fc.Arbitrary<readonly Spoiling[]> => {
  const { properties, required = [] } = bodySchema(machine.contract, operation)
  const ofFields = Object.entries(properties).map(([field, schema]) =>
    fc.oneof(
      ...wrongValues(schema, referenceOf(operation.resource, field) !== undefined).map((values) =>
        values.map((value): Spoiling => ({ field, value })),
      ),
      ...(required.includes(field) ? [fc.constant<Spoiling>({ field, value: undefined, isLeftOut: true })] : []),
    ),
  )
  const ofStrangers = strangeNames(Object.keys(properties)).chain((field) =>
    fc.jsonValue({ maxDepth: 2 }).map((value): Spoiling => ({ field, value })),
  )
  return fc.subarray([...ofFields, ofStrangers], { minLength: 1, maxLength: 2 }).chain((chosen) => fc.tuple(...chosen))
}

const strangeNames = (declared: readonly string[]): fc.Arbitrary<string> =>
  fc
    .oneof(
      textArbitrary({ maxLength: 12 }),
      fc.constantFrom('id', 'created', 'updated', '__proto__', 'constructor', 'custom_domain', 'password_hash', ''),
      fc.constantFrom(...declared).map((name) => name.toUpperCase()),
      fc.constantFrom(...declared).map((name) => `${name} `),
    )
    .filter((name) => !declared.includes(name))

/** No record has an id as high as these. */
const idsOfNobody = fc.oneof(
  fc.integer({ min: 1_000_000_000, max: 2_000_000_000 }),
  fc.constantFrom(0, -1, 2 ** 53 - 1),
)

const wrongValues = (schema: Schema, isReference: boolean): fc.Arbitrary<unknown>[] => {
  const types = typesOf(schema)
  const { minimum, maximum, minLength, maxLength, pattern } = schema
  return [
    ...otherTypes(types),
    ...(types.includes('integer') ? [fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true })] : []),
    ...(minimum === undefined ? [] : [fc.integer({ min: 1, max: 1e9 }).map((by) => minimum - by * 2)]),
    ...(maximum === undefined ? [] : [fc.integer({ min: 1, max: 1e9 }).map((by) => maximum + by * 2)]),
    ...(isReference ? [idsOfNobody] : []),
    ...(minLength === undefined ? [] : [fc.constant('')]),
    ...(maxLength === undefined ? [] : [fc.integer({ min: 1, max: 40 }).map((by) => 'x'.repeat(maxLength + by))]),
    ...(pattern === undefined ? [] : [mismatches(pattern)]),
    ...(types.includes('string') ? [unstorable] : []),
    ...(schema.contentMediaType === 'application/json' ? [noJson] : []),
  ]
}

const valuesByType: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: textArbitrary({ maxLength: 12 }),
  number: fc.integer({ min: -1_000, max: 1_000 }),
  boolean: fc.boolean(),
  null: fc.constant(null),
  array: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 2 }),
  object: fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
}

const otherTypes = (types: readonly string[]): fc.Arbitrary<unknown>[] =>
  Object.entries(valuesByType)
    .filter(([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')))
    .map(([, values]) => values)

/** Texts with U+0000 in them, and any others that the pattern does not match. */
const mismatches = (pattern: string): fc.Arbitrary<string> => {
  const expression = new RegExp(pattern, 'u')
  return fc
    .oneof(
      fc.tuple(textArbitrary({ maxLength: 8 }), textArbitrary({ maxLength: 8 })).map((parts) => parts.join('\0')),
      textArbitrary({ maxLength: 12 }),
      fc.constantFrom(' ', '\t\n', '\u3000', 'javascript:x', ' java\tscript:x', 'VBScript:', '2023-02-30', 'now'),
    )
    .filter((text) => !expression.test(text))
}

/** Unpaired surrogates, which no schema can exclude and no UTF-8 can carry. */
const unstorable = fc
  .tuple(textArbitrary({ maxLength: 6 }), fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff'))
  .map(([text, half]) => `${text} ${half} ${text}`)

const noJson = textArbitrary({ maxLength: 12 }).filter((text) => {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
})

const brokenRequests = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> =>
  fc.tuple(validBodies(machine, operation), fc.constantFrom(...brokenBodies)).map(([body, broken]) => ({
    about: broken.about,
    request: broken.request(write(pathOf(machine, operation.path), JSON.stringify(body))),
    expect: { status: [422], faults: [{ loc: broken.loc ?? ['body'], type: [broken.type] }] },
  }))

const unauthorized = (machine: Machine, operation: Operation): fc.Arbitrary<Asked> =>
  fc.tuple(validBodies(machine, operation), fc.constantFrom(...wrongCredentials)).map(([body, wrong]) => {
    const sent = write(pathOf(machine, operation.path), JSON.stringify(body), [...wrong.headers, json])
    const request: Request = { ...sent, target: sent.target + (wrong.query ?? '') }
    return { about: wrong.about, request, expect: { status: [401] } }
  })
