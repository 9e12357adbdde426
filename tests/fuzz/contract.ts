/** Loads the OpenAPI document from the service and lists its operations. */
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { HttpClient } from './http-client.ts'
import { getRequest } from './request.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly contentMediaType?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
}

interface Example {
  readonly summary?: string
  readonly value: unknown
}

interface MediaType {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, Example>>
}

export interface Header {
  readonly required?: boolean
  readonly schema?: Schema
}

export interface Link {
  readonly operationId: string
  readonly parameters: Readonly<Record<string, string>>
}

export interface Response {
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, MediaType>>
  readonly links?: Readonly<Record<string, Link>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Path template as in the document, such as /v1/leave/{item_id}. */
  readonly path: string
  /** Path segment of the resource, such as "leave". Empty for system operations, reports and the change feed. */
  readonly resource: string
  readonly kind: 'system' | 'search' | 'list' | 'count' | 'get' | 'history' | 'create' | 'report'
  readonly parameters: readonly Parameter[]
  readonly body: MediaType | undefined
  readonly requiresToken: boolean
  readonly responses: ReadonlyMap<number, Response>
}

export interface Contract {
  readonly document: Readonly<Record<string, unknown>>
  /** Base path of the API, such as /api: the URL of the first server in the document. */
  readonly basePath: string
  readonly operations: readonly Operation[]
  operation(id: string): Operation
  /** Finds the operation of this kind on a resource, such as its list or create. */
  operationOf(kind: Operation['kind'], resource: string): Operation
  /** Follows a `$ref` and returns its target. Returns any other value unchanged. */
  resolve<T>(node: T): T
}

type JsonObject = Readonly<Record<string, unknown>>

export const loadContract = async (client: HttpClient, basePath: string): Promise<Contract> => {
  const response = await client.send(getRequest(`${basePath}/openapi.json`))
  if (response.status !== 200)
    throw new Error(`The service responded ${response.status} to the request for its OpenAPI document.`)
  const document = JSON.parse(response.text) as JsonObject
  await assertMatchesCommitted(document)
  return parseContract(document)
}

const committedFile = new URL('../../packages/model/contract/openapi.json', import.meta.url)

/** Throws if the service serves a document other than the committed one, which was reviewed. */
const assertMatchesCommitted = async (servedDocument: JsonObject): Promise<void> => {
  const committed = await readFile(committedFile, 'utf8').catch(() => undefined)
  if (committed === undefined) {
    console.log('packages/model/contract/openapi.json is missing; using the served OpenAPI document')
    return
  }
  if (!isDeepStrictEqual(JSON.parse(committed), servedDocument))
    throw new Error(
      'The served OpenAPI document differs from packages/model/contract/openapi.json: run npm run generate first.',
    )
}

export const parseContract = (document: JsonObject): Contract => {
  const resolve = <T>(node: T): T => {
    const reference = (node as { $ref?: unknown } | undefined)?.$ref
    return typeof reference === 'string' ? resolve(followPointer(document, reference) as T) : node
  }
  const operations = readOperations(document, resolve)
  const operationsById = new Map(operations.map((operation) => [operation.id, operation]))
  return {
    document,
    basePath: String((document.servers as JsonObject[] | undefined)?.[0]?.url),
    operations,
    resolve,
    operation(id) {
      const match = operationsById.get(id)
      if (match === undefined) throw new Error(`The OpenAPI document has no operation ${id}.`)
      return match
    },
    operationOf(kind, resource) {
      const match = operations.find((operation) => operation.kind === kind && operation.resource === resource)
      if (match === undefined) throw new Error(`The OpenAPI document has no ${kind} operation of ${resource}.`)
      return match
    },
  }
}

const followPointer = (document: JsonObject, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (node as JsonObject)[part], document)

const readOperations = (document: JsonObject, resolve: <T>(node: T) => T): Operation[] =>
  Object.entries(document.paths as Record<string, Record<string, JsonObject>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => readOperation(path, method, operation, resolve)),
  )

const readOperation = (path: string, method: string, node: JsonObject, resolve: <T>(node: T) => T): Operation => {
  const responses = new Map<number, Response>()
  for (const [status, response] of Object.entries(node.responses as Record<string, Response>)) {
    const { headers = {}, ...rest } = resolve(response)
    const resolvedHeaders = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, resolve(header)]))
    responses.set(Number(status), { ...rest, headers: resolvedHeaders })
  }
  const body = node.requestBody as { content: Record<string, MediaType> } | undefined
  return {
    id: String(node.operationId),
    method: method.toUpperCase() as Operation['method'],
    path,
    resource: resourceOf(path),
    kind: kindOf(path, method),
    // Header parameters are left out here: the sources access and conditional test them. A cursor cannot be generated.
    parameters: ((node.parameters ?? []) as Parameter[])
      .map(resolve)
      .filter((parameter) => parameter.in !== 'header' && parameter.name !== 'after'),
    body: resolve(body)?.content['application/json'],
    requiresToken: ((node.security ?? []) as unknown[]).length > 0,
    responses,
  }
}

const resourceOf = (path: string): string => {
  // Its ids are those of career sites.
  if (path === '/v1/career-visibility/{item_id}') return 'career-sites'
  return /^\/v1\/(?!health|session|reports|changes|career-visibility|search)(?:counts\/)?([^/]+)/.exec(path)?.[1] ?? ''
}

const systemPaths = ['/', '/v1/health', '/v1/session', '/v1/reports', '/v1/career-visibility', '/v1/changes']

const kindOf = (path: string, method: string): Operation['kind'] => {
  if (method === 'post') return 'create'
  if (path.endsWith('/{item_id}/history')) return 'history'
  if (path.includes('{')) return 'get'
  if (path.startsWith('/v1/counts/')) return 'count'
  if (path.startsWith('/v1/reports/')) return 'report'
  if (path === '/v1/search') return 'search'
  return systemPaths.includes(path) ? 'system' : 'list'
}
