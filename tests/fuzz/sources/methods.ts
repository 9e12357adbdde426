/** Sends every HTTP method to every path, and requests unknown paths. */
import { METHODS } from 'node:http'
import type { Case } from '../case.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import type { HttpResponse } from '../http-client.ts'
import type { Request } from '../request.ts'
import { bearerToken, curlCommand, jsonContentType, percentEncode } from '../request.ts'
import type { Source } from './source.ts'
import { apiPath, requiredQuery } from './source.ts'

const sourceName = 'methods'

export const methods: Source = {
  name: sourceName,
  about: 'every HTTP method on every path, and unknown paths',
  async run(fuzzer) {
    const cases = [...declaredRoutes(fuzzer), ...undeclaredRoutes].flatMap((route) => routeCases(fuzzer, route))
    await forEachInParallel([...cases, ...unknownPaths(fuzzer)], (testCase) => fuzzer.run(testCase))
    await forEachInParallel(declaredRoutes(fuzzer), (route) => compareHeadWithGet(fuzzer, route))
  },
}

interface Route {
  readonly target: string
  readonly getOperation: string | undefined
  readonly acceptsPost: boolean
  readonly contentType?: string
}

/**
 * The declared paths, with an existing id filled in. The paths of lists and of system operations are included a second
 * time, with a trailing slash.
 */
const declaredRoutes = (fuzzer: Fuzzer): Route[] =>
  fuzzer.contract.operations
    .filter(({ method }) => method === 'GET')
    .flatMap((operation) => {
      const { id, path, resource, kind } = operation
      const requiredParameters = Object.entries(requiredQuery(operation)).map(
        ([name, value]) => `${name}=${percentEncode(value)}`,
      )
      const pathname = apiPath(
        fuzzer,
        path.replace('{item_id}', () => String(fuzzer.pools.recordsOf(resource)[0]?.id)),
      )
      const target = requiredParameters.length === 0 ? pathname : `${pathname}?${requiredParameters.join('&')}`
      const acceptsPost = fuzzer.contract.operations.some((other) => other.kind === 'create' && other.path === path)
      const route = { target, getOperation: id, acceptsPost }
      return kind === 'system' || kind === 'list' ? [route, { ...route, target: toggleTrailingSlash(target) }] : [route]
    })

const toggleTrailingSlash = (target: string): string => (target.endsWith('/') ? target.slice(0, -1) : `${target}/`)

/** Paths that the service handles but the OpenAPI document does not declare. */
const undeclaredRoutes: readonly Route[] = [
  { target: '/livez', getOperation: undefined, acceptsPost: false },
  { target: '/readyz', getOperation: undefined, acceptsPost: false },
  { target: '/swagger.json', getOperation: undefined, acceptsPost: false },
  { target: '/api/openapi.json', getOperation: undefined, acceptsPost: false },
  { target: '/api/docs', getOperation: undefined, acceptsPost: false, contentType: 'text/html; charset=utf-8' },
]

/** CONNECT is left out: Node.js does not pass it to request handlers, because it asks for a tunnel. */
const testedMethods = METHODS.filter((method) => method !== 'CONNECT')

const routeCases = (fuzzer: Fuzzer, route: Route): Case[] => {
  const allowedMethods = ['GET', 'HEAD', ...(route.acceptsPost ? ['POST'] : []), 'OPTIONS'].join(', ')
  return testedMethods.flatMap((method) => {
    if (method === 'POST' && route.acceptsPost) return []
    const request: Request = {
      method,
      target: route.target,
      headers: [bearerToken, ...(method === 'GET' ? [] : [jsonContentType])],
    }
    return [
      {
        source: sourceName,
        about: `${method} ${route.target}`,
        ...operationAndExpectation(fuzzer, route, { method, allow: allowedMethods }),
        request,
      },
    ]
  })
}

const operationAndExpectation = (
  _fuzzer: Fuzzer,
  { getOperation, contentType }: Route,
  { method, allow }: { method: string; allow: string },
): Pick<Case, 'operation' | 'expect'> => {
  const type = contentType === undefined ? {} : { contentType }
  switch (method) {
    case 'GET':
      return { ...(getOperation === undefined ? {} : { operation: getOperation }), expect: { status: [200], ...type } }
    case 'HEAD':
      return { expect: { status: [200] } }
    case 'OPTIONS':
      return { expect: { status: [204], allow } }
    default:
      return { expect: { status: [405], allow } }
  }
}

const unknownPaths = (fuzzer: Fuzzer): Case[] =>
  [
    '/api/v1',
    '/api/v1/',
    '/api/v2/employees',
    '/api/v1/nothing',
    '/api/v1/nothing/1',
    '/api/v1/employees/1/manager',
    '/api/v1/Employees',
    '/api/V1/employees',
    '/API/v1/employees',
    '/api/v1/health/deep',
    '/api/v1/__proto__',
    '/api/v1/constructor',
    '/api/v1/employees%2f1',
    '/api/v1//employees',
    '//api/v1/employees',
    '/v1/employees',
    '/employees',
    '/api/../api/v1/employees',
    '/api/v1/%',
    '/api/v1/%ff',
    '/api/openapi.yaml',
    '/.env',
    '/favicon.ico',
  ]
    .filter((target) => target !== fuzzer.contract.basePath)
    .flatMap((target) =>
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].map((method) => ({
        source: sourceName,
        about: `${method} ${target}`,
        request: { method, target, headers: [bearerToken] },
        expect: { status: [404] },
      })),
    )

/** HEAD must return the same status and headers as GET, without a body. */
const compareHeadWithGet = async (fuzzer: Fuzzer, { target, getOperation }: Route): Promise<void> => {
  const makeCase = (method: string): Case => ({
    source: sourceName,
    about: `HEAD returns the headers of GET without the body: ${target}`,
    ...(method === 'GET' && getOperation !== undefined ? { operation: getOperation } : {}),
    request: { method, target, headers: [] },
    expect: { status: [200] },
  })
  const getResult = await fuzzer.run(makeCase('GET'))
  const headResult = await fuzzer.run(makeCase('HEAD'))
  if (getResult.response === undefined || headResult.response === undefined) return
  const [expected, actual] = [headersOf(getResult.response), headersOf(headResult.response)]
  if (expected === actual && headResult.response.text === '') return
  const lines = [
    `head: GET has ${expected}; HEAD has ${actual}`,
    curlCommand(fuzzer.client.origin, headResult.testCase.request),
  ]
  fuzzer.results.addFailure({ source: sourceName, about: headResult.testCase.about, checks: ['head'], lines })
}

const volatileHeaders = ['x-request-id', 'date', 'keep-alive', 'connection']

const headersOf = ({ headers }: HttpResponse): string =>
  JSON.stringify([...headers].filter(([header]) => !volatileHeaders.includes(header)).sort())
