/** In charge of the compatibility description: the OpenAPI document said again in Swagger 2.0. */
import type {
  Header,
  Method,
  OpenapiDocument,
  Operation,
  Parameter,
  RequestBody,
  Response,
  Schema,
  SchemaType,
} from './document.ts'
import { jsonMedia } from './document.ts'

type Node = Readonly<Record<string, unknown>>

export const swaggerDocument = (document: OpenapiDocument): Node => {
  const { summary: _, license, ...info } = document.info
  return {
    swagger: '2.0',
    info: { ...info, license: { name: license.name, url: `https://spdx.org/licenses/${license.identifier}.html` } },
    basePath: document.servers[0]?.url ?? '/',
    consumes: [jsonMedia],
    produces: [jsonMedia],
    tags: document.tags,
    'x-tagGroups': document['x-tagGroups'],
    securityDefinitions: mapped(document.components.securitySchemes, ({ description }) => ({
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: `${description} This format knows no bearer scheme: give the whole value, the word \`Bearer\` and a blank included.`,
    })),
    paths: mapped(document.paths, (item) =>
      mapped(item as Readonly<Record<Method, Operation>>, (operation) => swaggerOperation(operation, document)),
    ),
    definitions: mapped(document.components.schemas, swaggerSchema),
    responses: mapped(document.components.responses, (response) => swaggerResponse(response, document)),
  }
}

const mapped = <T>(values: Readonly<Record<string, T>>, change: (value: T) => unknown): Node =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

const swaggerOperation = (operation: Operation, document: OpenapiDocument): Node => {
  const { parameters = [], requestBody, responses, ...same } = operation
  const all = [...parameters.map(swaggerParameter), ...(requestBody === undefined ? [] : [bodyParameter(requestBody)])]
  return {
    ...same,
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: mapped(responses, (response) => swaggerResponse(response, document)),
  }
}

/** A parameter of this format carries the keywords of its schema itself. */
const swaggerParameter = ({ schema, style: _, explode, ...parameter }: Parameter): Node => {
  const { example, description: __, ...keywords } = swaggerSchema(schema) as Record<string, unknown>
  const list = explode === undefined ? {} : { collectionFormat: 'csv' }
  return { ...parameter, ...keywords, ...list, ...(example === undefined ? {} : { 'x-example': example }) }
}

const bodyParameter = ({ required, description, content }: RequestBody): Node => ({
  name: 'body',
  in: 'body',
  required,
  description,
  schema: swaggerSchema(content[jsonMedia]?.schema ?? {}),
})

const swaggerResponse = (response: Response, document: OpenapiDocument): Node => {
  if (response.$ref !== undefined) return { $ref: response.$ref.replace('#/components/responses/', '#/responses/') }
  const media = response.content?.[jsonMedia]
  const [example] = Object.values(media?.examples ?? {})
  return {
    description: response.description,
    ...(media === undefined ? {} : { schema: swaggerSchema(media.schema) }),
    headers: mapped(response.headers ?? {}, (header) => swaggerHeader(header, document)),
    ...(example === undefined ? {} : { examples: { [jsonMedia]: example.value } }),
  }
}

const swaggerHeader = (header: Header, document: OpenapiDocument): Node => {
  const { description, schema = {} } = resolved(header, document)
  const { example: _, ...keywords } = swaggerSchema(schema) as Record<string, unknown>
  return { description, ...keywords }
}

const resolved = (header: Header, { components }: OpenapiDocument): Header =>
  header.$ref === undefined ? header : (components.headers[header.$ref.split('/').at(-1) ?? ''] ?? {})

/** Keywords this format does not know are left out, or told in an extension where a reader would miss them. */
const swaggerSchema = (schema: Schema): Node => {
  if (schema.$ref !== undefined) return { $ref: schema.$ref.replace('#/components/schemas/', '#/definitions/') }
  const { type, examples, contentMediaType: _, items, anyOf, properties, additionalProperties, ...same } = schema
  return {
    ...swaggerAlternatives(anyOf),
    ...swaggerType(type),
    ...same,
    ...(examples === undefined ? {} : { example: examples[0] }),
    ...(items === undefined ? {} : { items: swaggerSchema(items) }),
    ...(properties === undefined ? {} : { properties: mapped(properties, swaggerSchema) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: swaggerAdditional(additionalProperties) }),
  }
}

const swaggerAdditional = (additional: boolean | Schema): unknown =>
  typeof additional === 'boolean' ? additional : swaggerSchema(additional)

/** This format has no alternatives; the only one in use is that there is nothing. */
const swaggerAlternatives = (anyOf: Schema['anyOf']): Node =>
  anyOf === undefined
    ? {}
    : { allOf: anyOf.filter(({ $ref }) => $ref !== undefined).map(swaggerSchema), 'x-nullable': true }

/** This format has one type or none; null is an extension that generators know. */
const swaggerType = (type: Schema['type']): Node => {
  if (type === undefined) return {}
  const types: readonly SchemaType[] = typeof type === 'string' ? [type] : type
  const [only, ...others] = types.filter((name) => name !== 'null')
  return {
    ...(others.length > 0 ? {} : { type: only }),
    ...(types.includes('null') ? { 'x-nullable': true } : {}),
  }
}
