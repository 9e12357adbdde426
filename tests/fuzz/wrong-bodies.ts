/**
 * Generates create requests that the service must reject because of wrong fields, broken bodies or wrong credentials.
 */
import * as fc from 'fast-check'
import { bodySchema, referencedResource, validBodies } from './bodies.ts'
import { brokenBodies } from './broken-bodies.ts'
import type { Case, ExpectedError } from './case.ts'
import type { Operation, Schema } from './contract.ts'
import type { Fuzzer } from './fuzzer.ts'
import type { Body } from './record-model.ts'
import type { Request } from './request.ts'
import { jsonContentType, postRequest } from './request.ts'
import { textArbitrary, typesOf } from './schema-arbitrary.ts'
import { apiPath } from './sources/source.ts'
import { wrongCredentials } from './wrong-credentials.ts'

type CaseContent = Pick<Case, 'about' | 'request' | 'expect'>

/** A change to one field that makes a valid body invalid. The service must report an error at this field. */
export interface BodyDefect {
  readonly field: string
  readonly value: unknown
  readonly isOmitted?: true
}

export const wrongBodies = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc.oneof(
    { weight: 8, arbitrary: defectiveBodies(fuzzer, operation) },
    { weight: 2, arbitrary: brokenRequests(fuzzer, operation) },
    { weight: 1, arbitrary: unauthorizedCreates(fuzzer, operation) },
  )

const defectiveBodies = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc.tuple(validBodies(fuzzer, operation), bodyDefects(fuzzer, operation)).map(([body, defects]) => ({
    about: `every wrong field is reported: ${defects.map(({ field }) => JSON.stringify(field)).join(', ')}`,
    request: postRequest(apiPath(fuzzer, operation.path), JSON.stringify(defectiveBody(body, defects))),
    expect: { status: [422], errors: defects.map(({ field }): ExpectedError => ({ loc: ['body', field] })) },
  }))

export const defectiveBody = (body: Body, defects: readonly BodyDefect[]): Body => {
  const names = new Set(defects.map(({ field }) => field))
  const unchangedFields = Object.entries(body).filter(([name]) => !names.has(name))
  const changedFields = defects.filter(({ isOmitted }) => !isOmitted).map(({ field, value }) => [field, value] as const)
  // Object.fromEntries makes __proto__ an own property, unlike an assignment.
  return Object.fromEntries([...unchangedFields, ...changedFields])
}

/** One or two defects, in different fields. */
export const bodyDefects = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<readonly BodyDefect[]> => {
  const { properties, required = [] } = bodySchema(fuzzer.contract, operation)
  const fieldDefects = Object.entries(properties).map(([field, schema]) =>
    fc.oneof(
      ...wrongValues(schema, referencedResource(operation.resource, field) !== undefined).map((values) =>
        values.map((value): BodyDefect => ({ field, value })),
      ),
      ...(required.includes(field) ? [fc.constant<BodyDefect>({ field, value: undefined, isOmitted: true })] : []),
    ),
  )
  const unknownFieldDefects = undeclaredNames(Object.keys(properties)).chain((field) =>
    fc.jsonValue({ maxDepth: 2 }).map((value): BodyDefect => ({ field, value })),
  )
  return fc
    .subarray([...fieldDefects, unknownFieldDefects], { minLength: 1, maxLength: 2 })
    .chain((chosen) => fc.tuple(...chosen))
}

const undeclaredNames = (declared: readonly string[]): fc.Arbitrary<string> =>
  fc
    .oneof(
      textArbitrary({ maxLength: 12 }),
      fc.constantFrom('id', 'created', 'updated', '__proto__', 'constructor', 'custom_domain', 'password_hash', ''),
      fc.constantFrom(...declared).map((name) => name.toUpperCase()),
      fc.constantFrom(...declared).map((name) => `${name} `),
    )
    .filter((name) => !declared.includes(name))

const unknownIds = fc.oneof(fc.integer({ min: 1_000_000_000, max: 2_000_000_000 }), fc.constantFrom(0, -1, 2 ** 53 - 1))

const wrongValues = (schema: Schema, isReference: boolean): fc.Arbitrary<unknown>[] => {
  const types = typesOf(schema)
  const { minimum, maximum, minLength, maxLength, pattern } = schema
  return [
    ...valuesOfOtherTypes(types),
    ...(types.includes('integer') ? [fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true })] : []),
    ...(minimum === undefined ? [] : [fc.integer({ min: 1, max: 1e9 }).map((excess) => minimum - excess * 2)]),
    ...(maximum === undefined ? [] : [fc.integer({ min: 1, max: 1e9 }).map((excess) => maximum + excess * 2)]),
    ...(isReference ? [unknownIds] : []),
    ...(minLength === undefined ? [] : [fc.constant('')]),
    ...(maxLength === undefined
      ? []
      : [fc.integer({ min: 1, max: 40 }).map((excess) => 'x'.repeat(maxLength + excess))]),
    ...(pattern === undefined ? [] : [nonMatchingStrings(pattern)]),
    ...(types.includes('string') ? [unpairedSurrogates] : []),
    ...(schema.contentMediaType === 'application/json' ? [invalidJson] : []),
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

const valuesOfOtherTypes = (types: readonly string[]): fc.Arbitrary<unknown>[] =>
  Object.entries(valuesByType)
    .filter(([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')))
    .map(([, values]) => values)

/** Strings that do not match the pattern, some of them with U+0000. */
const nonMatchingStrings = (pattern: string): fc.Arbitrary<string> => {
  const expression = new RegExp(pattern, 'u')
  return fc
    .oneof(
      fc.tuple(textArbitrary({ maxLength: 8 }), textArbitrary({ maxLength: 8 })).map((parts) => parts.join('\0')),
      textArbitrary({ maxLength: 12 }),
      fc.constantFrom(' ', '\t\n', '\u3000', 'javascript:x', ' java\tscript:x', 'VBScript:', '2023-02-30', 'now'),
    )
    .filter((text) => !expression.test(text))
}

/** Strings with unpaired surrogates, which a schema cannot exclude and UTF-8 cannot encode. */
const unpairedSurrogates = fc
  .tuple(textArbitrary({ maxLength: 6 }), fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff'))
  .map(([text, surrogate]) => `${text} ${surrogate} ${text}`)

const invalidJson = textArbitrary({ maxLength: 12 }).filter((text) => {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
})

const brokenRequests = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc.tuple(validBodies(fuzzer, operation), fc.constantFrom(...brokenBodies)).map(([body, brokenBody]) => ({
    about: brokenBody.about,
    request: brokenBody.breakRequest(postRequest(apiPath(fuzzer, operation.path), JSON.stringify(body))),
    expect: { status: [422], errors: [{ loc: brokenBody.loc ?? ['body'], type: [brokenBody.type] }] },
  }))

const unauthorizedCreates = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc.tuple(validBodies(fuzzer, operation), fc.constantFrom(...wrongCredentials)).map(([body, credentials]) => {
    const validRequest = postRequest(apiPath(fuzzer, operation.path), JSON.stringify(body), [
      ...credentials.headers,
      jsonContentType,
    ])
    const request: Request = { ...validRequest, target: validRequest.target + (credentials.query ?? '') }
    return { about: credentials.about, request, expect: { status: [401] } }
  })
