/** Every example in the OpenAPI document must be valid by its schema, and every example request must get its status. */
import { uniqueFieldOf } from '../../contract/contract.ts'
import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import { getRequest, postRequest, uniquePlaceholder } from '../request.ts'
import type { Source } from './source.ts'
import { apiPath } from './source.ts'

const sourceName = 'examples'

export const examples: Source = {
  name: sourceName,
  about: 'every example in the OpenAPI document',
  async run(fuzzer) {
    for (const operation of fuzzer.contract.operations) checkExamples(fuzzer, operation)
    await forEachInParallel(
      fuzzer.contract.operations.flatMap((operation) => exampleCases(fuzzer, operation)),
      (testCase) => fuzzer.run(testCase),
    )
  },
}

/** Validates the examples of request bodies, responses and parameters against their schemas. */
const checkExamples = (fuzzer: Fuzzer, operation: Operation): void => {
  const mediaTypes = [
    operation.body,
    ...[...operation.responses.values()].map(({ content }) => content?.['application/json']),
  ]
  for (const { schema, examples: namedExamples = {} } of mediaTypes.filter((mediaType) => mediaType !== undefined)) {
    for (const [label, { value }] of Object.entries(namedExamples))
      checkExample(fuzzer, operation, { label, schema, value })
  }
  for (const { name: label, schema } of operation.parameters) {
    for (const value of schema.examples ?? []) checkExample(fuzzer, operation, { label, schema, value })
  }
}

const checkExample = (
  { validators, results }: Fuzzer,
  { id }: Operation,
  { label, schema, value }: { label: string; schema: Parameters<typeof validators.errorsOf>[0]; value: unknown },
): void => {
  const errors = validators.errorsOf(schema, value)
  if (errors.length === 0) results.countsOf(sourceName).passed += 1
  else
    results.addFailure({
      source: sourceName,
      about: `the example ${label} of ${id}`,
      checks: ['example valid'],
      lines: errors.map(({ instancePath, message }) => `example valid: ${id} ${label} ${instancePath} ${message}`),
    })
}

const exampleCases = (fuzzer: Fuzzer, operation: Operation): Case[] => [
  ...exampleReads(fuzzer, operation),
  ...exampleBodies(fuzzer, operation),
  ...exampleParameters(fuzzer, operation),
]

/** The summary of a response example is its request line, such as "GET /v1/leave", so the request can be sent. */
const exampleReads = (fuzzer: Fuzzer, operation: Operation): Case[] =>
  [...operation.responses].flatMap(([status, { content }]) =>
    Object.values(content?.['application/json']?.examples ?? {}).flatMap(({ summary }) => {
      const path = /^GET (\/\S*)$/.exec(summary ?? '')?.[1]
      // Some responses are shared by many operations, but the example shows a request to only one of them.
      if (path === undefined || !matchesPath(operation, path) || status >= 500) return []
      // A cursor of the change feed is valid only in the database that it comes from.
      if (status < 400 && path.includes('after=')) return []
      return [makeCase(operation, `the example request ${summary}`, getRequest(apiPath(fuzzer, path)), status)]
    }),
  )

const matchesPath = ({ path, method }: Operation, examplePath: string): boolean => {
  const [pathname = ''] = examplePath.split('?', 1)
  return method === 'GET' && new RegExp(`^${path.replace('{item_id}', '[^/]+')}$`).test(pathname)
}

const exampleBodies = (fuzzer: Fuzzer, operation: Operation): Case[] =>
  Object.entries(operation.body?.examples ?? {}).map(([label, { value }]) => {
    // A unique value, because a record with the value of the example may exist already.
    const unique = uniqueFieldOf(operation.resource)?.field
    const body = { ...(value as object), ...(unique === undefined ? {} : { [unique]: uniquePlaceholder }) }
    return makeCase(
      operation,
      `the example body ${label}`,
      postRequest(apiPath(fuzzer, operation.path), JSON.stringify(body)),
      201,
    )
  })

const exampleParameters = (fuzzer: Fuzzer, operation: Operation): Case[] =>
  operation.parameters.flatMap(({ name: parameter, in: location, schema }) =>
    (schema.examples ?? []).map((value) => {
      const encodedValue = encodeURIComponent(String(value))
      const path =
        location === 'path'
          ? operation.path.replace(`{${parameter}}`, encodedValue)
          : `${operation.path}?${parameter}=${encodedValue}`
      return makeCase(operation, `the example value of ${parameter}`, getRequest(apiPath(fuzzer, path)), 200)
    }),
  )

const makeCase = ({ id }: Operation, about: string, request: Case['request'], status: number): Case => ({
  source: sourceName,
  about,
  operation: id,
  request,
  expect: { status: [status] },
})
