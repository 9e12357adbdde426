import { minimalBody, withLiteral } from '../bodies.ts'
import type { Case, Expectation } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import type { Body } from '../record-model.ts'
import type { HeaderLine, Request } from '../request.ts'
import { bearerToken, getRequest, jsonContentType, postRequest, uniquePlaceholder, uniqueText } from '../request.ts'
import type { Source } from './source.ts'
import { apiPath } from './source.ts'

const sourceName = 'limits'

export const limits: Source = {
  name: sourceName,
  about: 'bodies, headers, URLs and nesting at and beyond their limits',
  async run(fuzzer) {
    const createOperations = fuzzer.contract.operations.filter(({ kind }) => kind === 'create')
    await forEachInParallel(
      createOperations.flatMap((operation) => createCases(fuzzer, operation)),
      (testCase) => fuzzer.run(testCase),
    )
    await forEachInParallel(excessiveBodyCases(fuzzer, createOperations), (testCase) => fuzzer.run(testCase), 2)
    const readOperations = fuzzer.contract.operations.filter(({ kind }) => ['list', 'report', 'system'].includes(kind))
    await forEachInParallel(
      readOperations.flatMap((operation) => readCases(fuzzer, operation)),
      (testCase) => fuzzer.run(testCase),
    )
    const concurrentCases = Array.from({ length: 100 }, () =>
      unauthorizedCase(fuzzer, createOperations[0] as Operation),
    )
    await forEachInParallel(concurrentCases, (testCase) => fuzzer.run(testCase), concurrentCases.length)
  },
}

const mebibyte = 1_048_576

const createCases = (fuzzer: Fuzzer, operation: Operation): Case[] => {
  const minimal = minimalBody(fuzzer, operation)
  const target = apiPath(fuzzer, operation.path)
  const makeCase = (about: string, request: Request, expect: Expectation): Case => ({
    source: sourceName,
    about: `${operation.id}: ${about}`,
    operation: operation.id,
    request,
    expect,
  })
  const paddedBody = (size: number): string => {
    // The placeholder is replaced here, because the size of the body in bytes must be known.
    const text = JSON.stringify(minimal).replaceAll(uniquePlaceholder, uniqueText())
    return `${text.slice(0, -1)}${' '.repeat(size - Buffer.byteLength(text))}}`
  }
  const rejectedExpectation = (loc: string[], type: string): Expectation => ({
    status: [422],
    errors: [{ loc, type: [type] }],
  })
  const chunked = { chunked: true } as const
  return [
    makeCase('a body of one mebibyte', postRequest(target, paddedBody(mebibyte)), { status: [201] }),
    makeCase('a body of one mebibyte and one byte', postRequest(target, paddedBody(mebibyte + 1)), { status: [413] }),
    makeCase(
      'a chunked body of one mebibyte',
      { ...postRequest(target, paddedBody(mebibyte)), ...chunked },
      { status: [201] },
    ),
    makeCase(
      'a chunked body of one mebibyte and one byte',
      { ...postRequest(target, paddedBody(mebibyte + 1)), ...chunked },
      { status: [413] },
    ),
    makeCase(
      'a body that is too large, without a token',
      postRequest(target, paddedBody(mebibyte + 1), [jsonContentType]),
      {
        status: [401],
      },
    ),
    makeCase(
      'a body that is too large and has no content type',
      postRequest(target, ' '.repeat(mebibyte + 1), [bearerToken]),
      {
        status: [413],
      },
    ),
    ...[1, 2].map((depth) =>
      makeCase(
        `arrays ${depth} deep`,
        postRequest(target, nestedArrays(depth)),
        rejectedExpectation(['body'], 'model_type'),
      ),
    ),
  ]
}

interface ExcessiveBody {
  readonly about: string
  readonly makeText: (minimal: Body) => string
  readonly loc: readonly string[]
  readonly type: string
}

const nestedArrays = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

const withUnknownProperty = (about: string, property: string, literal: string): ExcessiveBody => ({
  about,
  makeText: (minimal) => withLiteral(minimal, property, literal),
  loc: ['body', property],
  type: 'extra_forbidden',
})

const propertiesText = (count: number): string => Array.from({ length: count }, (_, index) => `"p${index}":0`).join()
const manyProperties = propertiesText(20_000)
const fewProperties = propertiesText(80)

/** Each body is sent to one create operation only: parsing is expensive and the same for all creates. */
const excessiveBodies: readonly ExcessiveBody[] = [
  ...[25_000, 500_000].map((depth) => ({
    about: `arrays ${depth} deep`,
    makeText: () => nestedArrays(depth),
    loc: ['body'],
    type: 'model_type',
  })),
  ...[1, 2, 25_000, 500_000].map((depth) =>
    withUnknownProperty(`an unknown property ${depth} deep`, 'deep', nestedArrays(depth)),
  ),
  withUnknownProperty('objects 100,000 deep', 'deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  {
    ...withUnknownProperty('20,000 unknown properties', 'p', `0,${manyProperties}`),
    loc: ['body'],
    type: 'too_many_items',
  },
  { ...withUnknownProperty('80 unknown properties', 'p', `0,${fewProperties}`), loc: ['body', 'p79'] },
  withUnknownProperty('a number of 500,000 digits', 'digits', '9'.repeat(500_000)),
  withUnknownProperty('a name of 500,000 characters', 'n'.repeat(500_000), '0'),
]

const excessiveBodyCases = (fuzzer: Fuzzer, creates: readonly Operation[]): Case[] =>
  excessiveBodies.map(({ about, makeText, loc, type }, index) => {
    const operation = creates[index % creates.length] as Operation
    return {
      source: sourceName,
      about: `${operation.id}: ${about}`,
      operation: operation.id,
      request: postRequest(apiPath(fuzzer, operation.path), makeText(minimalBody(fuzzer, operation))),
      expect: { status: [422], errors: [{ loc, type: [type] }] },
    }
  })

const readCases = (fuzzer: Fuzzer, operation: Operation): Case[] => {
  const target = apiPath(fuzzer, operation.path)
  const headers = (size: number): HeaderLine[] => [['X-Padding', 'x'.repeat(size)]]
  const makeCase = (about: string, request: Request, status: number): Case => ({
    source: sourceName,
    about: `${operation.id}: ${about}`,
    // Node.js rejects headers that are too large before routing, so no operation declares 431.
    ...(status === 431 ? {} : { operation: operation.id }),
    request,
    expect: { status: [status] },
  })
  return [
    makeCase('headers of 8 KiB', getRequest(target, headers(8_192)), 200),
    makeCase('headers of 15 KiB', getRequest(target, headers(15_360)), 200),
    makeCase('headers of 17 KiB', getRequest(target, headers(17_408)), 431),
    makeCase('a URL of 8 KiB', getRequest(`${target}?x=${'x'.repeat(8_192)}`), 200),
    makeCase('a URL of 15 KiB', getRequest(`${target}?x=${'x'.repeat(15_360)}`), 200),
    makeCase('a URL of 20 KiB', getRequest(`${target}?x=${'x'.repeat(20_480)}`), 431),
    makeCase(
      '1,000 parameters',
      getRequest(`${target}?${Array.from({ length: 1_000 }, (_, index) => `p${index}=1`).join('&')}`),
      200,
    ),
    makeCase(
      '100 headers',
      getRequest(
        target,
        Array.from({ length: 100 }, (_, index): HeaderLine => [`X-Padding-${index}`, 'x']),
      ),
      200,
    ),
  ]
}

/** One of many concurrent creates with a large body and no token, which must be rejected with 401. */
const unauthorizedCase = (fuzzer: Fuzzer, operation: Operation): Case => ({
  source: sourceName,
  about: 'one of a hundred concurrent large bodies without a token',
  operation: operation.id,
  request: postRequest(apiPath(fuzzer, operation.path), 'x'.repeat(65_536), [jsonContentType]),
  expect: { status: [401] },
})
