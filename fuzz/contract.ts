/** In charge of the description the machine works from: the one the service serves, with its operations laid out. */
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { read } from './request.ts'
import type { Wire } from './wire.ts'

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
  /** As the document writes it: /v1/leave/{item_id}. */
  readonly path: string
  /** Segment that names the resource; empty for the service's own operations. */
  readonly resource: string
  readonly kind: 'system' | 'list' | 'count' | 'get' | 'create'
  readonly parameters: readonly Parameter[]
  readonly body: MediaType | undefined
  readonly secured: boolean
  readonly responses: ReadonlyMap<number, Response>
}

export interface Contract {
  readonly document: Readonly<Record<string, unknown>>
  /** Path of the interface on its host: what the document's first server says. */
  readonly base: string
  readonly operations: readonly Operation[]
  operation(id: string): Operation
  /** The list, get or create of a resource. */
  verb(kind: Operation['kind'], resource: string): Operation
  /** The object a `$ref` leads to; anything else as it is. */
  resolve<T>(node: T): T
}

type Node = Readonly<Record<string, unknown>>

export const loadContract = async (wire: Wire, basePath: string): Promise<Contract> => {
  const answer = await wire.send(read(`${basePath}/openapi.json`))
  if (answer.status !== 200) throw new Error(`The service answers ${answer.status} where its description should be.`)
  const document = JSON.parse(answer.text) as Node
  await refuseDrift(document)
  return contractOf(document)
}

const committedFile = new URL('../contract/openapi.json', import.meta.url)

/** Proving a description that nobody has reviewed would prove nothing. */
const refuseDrift = async (served: Node): Promise<void> => {
  const committed = await readFile(committedFile, 'utf8').catch(() => undefined)
  if (committed === undefined) {
    console.log('contract/openapi.json is missing, so the served description is taken as it is')
    return
  }
  if (!isDeepStrictEqual(JSON.parse(committed), served))
    throw new Error('The service serves another description than contract/openapi.json: run npm run generate first.')
}

export const contractOf = (document: Node): Contract => {
  const resolve = <T>(node: T): T => {
    const reference = (node as { $ref?: unknown } | undefined)?.$ref
    return typeof reference === 'string' ? resolve(pointed(document, reference) as T) : node
  }
  const operations = readOperations(document, resolve)
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  return {
    document,
    base: String((document.servers as Node[] | undefined)?.[0]?.url),
    operations,
    resolve,
    operation(id) {
      const found = byId.get(id)
      if (found === undefined) throw new Error(`The description has no operation ${id}.`)
      return found
    },
    verb(kind, resource) {
      const found = operations.find((operation) => operation.kind === kind && operation.resource === resource)
      if (found === undefined) throw new Error(`The description has no ${kind} of ${resource}.`)
      return found
    },
  }
}

const pointed = (document: Node, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (node as Node)[part], document)

const readOperations = (document: Node, resolve: <T>(node: T) => T): Operation[] =>
  Object.entries(document.paths as Record<string, Record<string, Node>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => readOperation(path, method, operation, resolve)),
  )

const readOperation = (path: string, method: string, node: Node, resolve: <T>(node: T) => T): Operation => {
  const responses = new Map<number, Response>()
  for (const [status, response] of Object.entries(node.responses as Record<string, Response>)) {
    const { headers = {}, ...rest } = resolve(response)
    const resolved = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, resolve(header)]))
    responses.set(Number(status), { ...rest, headers: resolved })
  }
  const body = node.requestBody as { content: Record<string, MediaType> } | undefined
  return {
    id: String(node.operationId),
    method: method.toUpperCase() as Operation['method'],
    path,
    resource: /^\/v1\/(?!health)(?:counts\/)?([^/]+)/.exec(path)?.[1] ?? '',
    kind: kindOf(path, method),
    // Header fields have a source of their own.
    parameters: ((node.parameters ?? []) as Parameter[]).map(resolve).filter((parameter) => parameter.in !== 'header'),
    body: resolve(body)?.content['application/json'],
    secured: ((node.security ?? []) as unknown[]).length > 0,
    responses,
  }
}

const kindOf = (path: string, method: string): Operation['kind'] => {
  if (method === 'post') return 'create'
  if (path.includes('{')) return 'get'
  if (path.startsWith('/v1/counts/')) return 'count'
  return path === '/' || path === '/v1/health' ? 'system' : 'list'
}
