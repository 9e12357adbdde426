/** Generated valid requests. Each request must succeed, and a create must store exactly what was sent. */
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { validBodies } from '../bodies.ts'
import type { Case } from '../case.ts'
import type { Operation, Parameter } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import type { FollowUp, GeneratedCases } from '../generated.ts'
import { runGenerated, seedFor } from '../generated.ts'
import { followLinks } from '../links.ts'
import type { PoolRecord } from '../pools.ts'
import { expectedRecord } from '../record-model.ts'
import { reportQueries } from '../report-queries.ts'
import type { HeaderLine } from '../request.ts'
import { bearerToken, getRequest, percentEncode, postRequest } from '../request.ts'
import { schemaArbitrary, textArbitrary } from '../schema-arbitrary.ts'
import type { Source } from './source.ts'
import { apiPath, exportContentTypes, requiredQuery } from './source.ts'

const sourceName = 'positive'

export const positive: Source = {
  name: sourceName,
  about: 'generated valid requests',
  run: (fuzzer) =>
    forEachInParallel(fuzzer.contract.operations, (operation) =>
      runGenerated(fuzzer, positiveCases(fuzzer, operation, runsPerOperation(fuzzer))),
    ),
}

/** Positive and negative cases each get half of the generated cases, spread evenly over the operations. */
export const runsPerOperation = ({ sizes, contract }: Fuzzer): number =>
  Math.ceil(sizes.generated / 2 / contract.operations.length)

const positiveCases = (fuzzer: Fuzzer, operation: Operation, runs: number): GeneratedCases => ({
  source: sourceName,
  arbitrary: validCases(fuzzer, operation).map((testCase) => ({
    source: sourceName,
    operation: operation.id,
    ...testCase,
  })),
  runs,
  seed: seedFor(fuzzer.seed, `${sourceName} ${operation.id}`),
  ...(operation.kind === 'create' ? { followUp: followLinks(fuzzer) } : {}),
  ...(operation.kind === 'get' ? { followUp: compareWithList(fuzzer, operation) } : {}),
})

/** A record from a get must equal the same record in the list. */
const compareWithList =
  ({ pools }: Fuzzer, { resource }: Operation): FollowUp =>
  async ({ response, testCase }) => {
    const record = JSON.parse(response?.text ?? 'null') as PoolRecord
    const [, itemId] = /\/(\d+)(?:\?|$)/.exec(testCase.request.target) ?? []
    const listedRecord = pools.recordsOf(resource).find(({ id }) => id === Number(itemId))
    // Fields that the record in the list lacks are related records from `expand`.
    const isSame = Object.entries(record).every(
      ([member, value]) =>
        listedRecord === undefined || !(member in listedRecord) || isDeepStrictEqual(value, listedRecord[member]),
    )
    return listedRecord !== undefined && isSame
      ? []
      : [{ check: 'link', message: 'the record differs from the same record in the list' }]
  }

type CaseContent = Pick<Case, 'about' | 'request' | 'expect' | 'dependsOnRun'>

export const validCases = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> => {
  switch (operation.kind) {
    case 'list':
      return listArbitrary(fuzzer, operation)
    case 'count':
      return countArbitrary(fuzzer, operation)
    case 'get':
    case 'history':
      return getArbitrary(fuzzer, operation)
    case 'create':
      return createArbitrary(fuzzer, operation)
    case 'report':
      return reportQueries(fuzzer, operation)
    case 'search':
      return searchArbitrary(fuzzer, operation)
    default:
      return systemArbitrary(fuzzer, operation)
  }
}

/** Parameters that no operation declares. The service must ignore them. */
const unknownParameters = fc.array(fc.tuple(textArbitrary({ maxLength: 12 }), textArbitrary({ maxLength: 12 })), {
  maxLength: 2,
})

const ignoredHeaders = fc.subarray<HeaderLine>([
  ['Accept', 'text/html'],
  ['Accept-Language', 'tlh'],
  ['Authorization', 'Bearer wrong'],
  ['Cookie', 'session=1'],
  ['Content-Type', 'text/plain'],
  ['X-Http-Method-Override', 'DELETE'],
  ['Origin', 'https://elsewhere.example'],
])

const systemArbitrary = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc.tuple(unknownParameters, ignoredHeaders).map(([pairs, headers]) => ({
    about: 'unknown parameters and irrelevant headers are ignored',
    request: getRequest(apiPath(fuzzer, operation.path) + queryText(pairs), headers),
    expect: { status: [200] },
  }))

const searchArbitrary = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc.tuple(queryArbitrary(fuzzer, operation), ignoredHeaders).map(([query, headers]) => ({
    about: 'a valid search responds 200',
    request: getRequest(apiPath(fuzzer, operation.path) + queryText(Object.entries(query)), headers),
    expect: { status: [200], meta: { limit: String(query.limit ?? 10) } },
  }))

const listArbitrary = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc
    .tuple(queryArbitrary(fuzzer, operation), unknownParameters, ignoredHeaders)
    .map(([generatedQuery, pairs, headers]) => {
      const declaredNames = new Set(operation.parameters.map((parameter) => parameter.name))
      const query = queryFor(generatedQuery)
      const contentType = exportContentTypes[String(query.format)]
      const allParameters = [...pairs.filter(([key]) => !declaredNames.has(key)), ...Object.entries(query)]
      const meta = { limit: String(query.limit ?? 50), offset: String(query.offset ?? 0) }
      return {
        about: 'a valid query responds 200',
        request: getRequest(apiPath(fuzzer, operation.path) + queryText(allParameters), headers),
        expect: { status: [200], ...(contentType === undefined ? { meta } : { contentType }) },
      }
    })

/** Exports get a limit, because the service has few connections for exports. CSV does not support `expand`. */
const queryFor = ({ expand, ...query }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...query,
  ...(exportContentTypes[String(query.format)] === undefined ? {} : { limit: query.limit ?? 50 }),
  ...(expand === undefined || query.format === 'csv' ? {} : { expand }),
})

/** A run creates many records, which can form more groups than a count may return. Then 422 is correct. */
const countArbitrary = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc.tuple(queryArbitrary(fuzzer, operation), ignoredHeaders).map(([query, headers]) => ({
    about: 'a count by declared fields responds 200',
    request: getRequest(apiPath(fuzzer, operation.path) + queryText(Object.entries(query)), headers),
    expect: { status: [200, 422], errors: [{ loc: ['query', 'by'], type: ['too_many_groups'] }], noOtherErrors: true },
  }))

/** Integers without a maximum are also tested above the range of 64 bits. */
const parameterArbitrary = ({ contract }: Fuzzer, { name: parameter, schema }: Parameter): fc.Arbitrary<unknown> => {
  if (parameter === 'sort') return sortArbitrary((schema.items?.enum ?? []) as string[])
  const values = schemaArbitrary(schema, contract.resolve)
  if (schema.type !== 'integer') return values
  const safeIntegers = values.map((value) => BigInt(value as number))
  if (schema.maximum !== undefined) return safeIntegers
  return fc.oneof(
    { weight: 9, arbitrary: safeIntegers },
    { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 40n }) },
  )
}

/** Each field occurs at most once, ascending or descending, because duplicates are invalid. */
const sortArbitrary = (names: readonly string[]): fc.Arbitrary<unknown> =>
  fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4, selector: (name) => name.replace('-', '') })

const getArbitrary = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc
    .tuple(
      fc.constantFrom(...fuzzer.pools.recordsOf(operation.resource)),
      fc.nat(12),
      queryArbitrary(fuzzer, operation),
      ignoredHeaders,
    )
    .map(([row, zeros, query, headers]) => {
      const path = apiPath(fuzzer, operation.path.replace('{item_id}', `${'0'.repeat(zeros)}${row.id}`))
      return {
        about: 'an existing record is found, with or without leading zeros in the id',
        request: getRequest(path + queryText(Object.entries(query)), headers),
        expect: { status: [200] },
      }
    })

/** Valid values for the required query parameters and for up to six optional ones. */
const queryArbitrary = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<Record<string, unknown>> => {
  const values = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => [parameter.name, parameterArbitrary(fuzzer, parameter)] as const)
  const requiredParameters = requiredQuery(operation)
  const [required, optional] = [
    values.filter(([key]) => key in requiredParameters),
    values.filter(([key]) => !(key in requiredParameters)),
  ]
  // A list has dozens of filters, and all of them together would match no record.
  return fc
    .subarray(optional, { maxLength: Math.min(6, optional.length) })
    .chain((chosenOptional) =>
      fc.record(Object.fromEntries([...required, ...chosenOptional]) as Record<string, fc.Arbitrary<unknown>>),
    )
}

const queryText = (pairs: readonly (readonly [string, unknown])[]): string =>
  pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${percentEncode(key)}=${percentEncode(value)}`).join('&')}`

const contentTypes = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
  'application/json ; profile=x',
)

const createArbitrary = (fuzzer: Fuzzer, operation: Operation): fc.Arbitrary<CaseContent> =>
  fc.tuple(validBodies(fuzzer, operation), fc.constantFrom(0, 1), contentTypes).map(([body, indent, contentType]) => ({
    about: 'a valid body is stored exactly as sent',
    request: postRequest(apiPath(fuzzer, operation.path), JSON.stringify(body, null, indent), [
      bearerToken,
      ['Content-Type', contentType],
    ]),
    expect: { status: [201], record: expectedRecord(operation.resource, body) },
  }))
