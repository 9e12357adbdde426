import { minimalBody } from '../bodies.ts'
import type { Case } from '../case.ts'
import type { Operation } from '../contract.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import type { HeaderLine } from '../request.ts'
import { bearerToken, jsonContentType, postRequest } from '../request.ts'
import { validCredentials, wrongCredentials } from '../wrong-credentials.ts'
import type { Source } from './source.ts'
import { apiPath } from './source.ts'

const sourceName = 'access'

export const access: Source = {
  name: sourceName,
  about: 'correct, wrong and missing tokens on every create',
  async run(fuzzer) {
    const createOperations = fuzzer.contract.operations.filter(({ kind }) => kind === 'create')
    await forEachInParallel(
      createOperations.flatMap((operation) => tokenCases(fuzzer, operation)),
      (testCase) => fuzzer.run(testCase),
    )
    const { clientWithoutToken } = fuzzer
    if (clientWithoutToken === undefined) return
    const casesWithoutToken = createOperations.flatMap((operation) => disabledWriteCases(fuzzer, operation))
    await forEachInParallel(casesWithoutToken, (testCase) => fuzzer.run(testCase, clientWithoutToken))
  },
}

const makeCase = (
  fuzzer: Fuzzer,
  operation: Operation,
  options: { about: string; headers: readonly HeaderLine[]; query?: string; status: number; body?: string },
): Case => {
  const body = options.body ?? JSON.stringify(minimalBody(fuzzer, operation))
  return {
    source: sourceName,
    about: options.about,
    operation: operation.id,
    request: postRequest(`${apiPath(fuzzer, operation.path)}${options.query ?? ''}`, body, options.headers),
    expect: { status: [options.status] },
  }
}

const tokenCases = (fuzzer: Fuzzer, operation: Operation): Case[] => [
  ...wrongCredentials.map(({ about, headers, query = '' }) =>
    makeCase(fuzzer, operation, { about, headers: [...headers, jsonContentType], query, status: 401 }),
  ),
  // The service checks the token before it reads the body, so a client without the token learns nothing about the body.
  ...['', '{', '{"unknown":1}', '\0'].map((body) =>
    makeCase(fuzzer, operation, { about: 'a wrong body without a token', headers: [], body, status: 401 }),
  ),
  ...validCredentials.map(([about, header]) =>
    makeCase(fuzzer, operation, { about, headers: [header, jsonContentType], status: 201 }),
  ),
]

const disabledWriteCases = (fuzzer: Fuzzer, operation: Operation): Case[] =>
  [[bearerToken, jsonContentType], [jsonContentType], []].map((headers) =>
    makeCase(fuzzer, operation, {
      about: 'an instance without a write token rejects every create',
      headers,
      status: 503,
    }),
  )
