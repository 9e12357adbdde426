/** Converts the OpenAPI document to Swagger 2.0. */
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

type JsonObject = Readonly<Record<string, unknown>>

export const swaggerDocument = (document: OpenapiDocument): JsonObject => {
  const { summary: _, license, ...info } = document.info
  return {
    swagger: '2.0',
    info: { ...info, license: { name: license.name, url: `https://spdx.org/licenses/${license.identifier}.html` } },
    basePath: document.servers[0]?.url ?? '/',
    consumes: [jsonMedia],
    produces: [jsonMedia],
    tags: document.tags,
    'x-tagGroups': document['x-tagGroups'],
    securityDefinitions: mapValues(document.components.securitySchemes, ({ description }) => ({
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: `${description} Swagger 2.0 has no bearer scheme: enter the whole header value, with \`Bearer\` and a space in front of the token.`,
    })),
    paths: mapValues(document.paths, (item) =>
      mapValues(item as Readonly<Record<Method, Operation>>, (operation) => swaggerOperation(operation, document)),
    ),
    definitions: mapValues(document.components.schemas, swaggerSchema),
    responses: mapValues(document.components.responses, (response) => swaggerResponse(response, document)),
  }
}

const mapValues = <T>(values: Readonly<Record<string, T>>, convert: (value: T) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]))

const swaggerOperation = (operation: Operation, document: OpenapiDocument): JsonObject => {
  const { parameters = [], requestBody, responses, ...unchanged } = operation
  const allParameters = [
    ...parameters.map(swaggerParameter),
    ...(requestBody === undefined ? [] : [bodyParameter(requestBody)]),
  ]
  return {
    ...unchanged,
    ...(allParameters.length === 0 ? {} : { parameters: allParameters }),
    responses: mapValues(responses, (response) => swaggerResponse(response, document)),
  }
}

/** Converts one parameter. In Swagger 2.0 the keywords of its schema are properties of the parameter itself. */
const swaggerParameter = ({ schema, style: _, explode, ...parameter }: Parameter): JsonObject => {
  const { example, description: __, ...keywords } = swaggerSchema(schema) as Record<string, unknown>
  const listFormat = explode === undefined ? {} : { collectionFormat: 'csv' }
  return { ...parameter, ...keywords, ...listFormat, ...(example === undefined ? {} : { 'x-example': example }) }
}

const bodyParameter = ({ required, description, content }: RequestBody): JsonObject => ({
  name: 'body',
  in: 'body',
  required,
  description,
  schema: swaggerSchema(content[jsonMedia]?.schema ?? {}),
})

const swaggerResponse = (response: Response, document: OpenapiDocument): JsonObject => {
  if (response.$ref !== undefined) return { $ref: response.$ref.replace('#/components/responses/', '#/responses/') }
  const media = response.content?.[jsonMedia]
  const [example] = Object.values(media?.examples ?? {})
  return {
    description: response.description,
    ...(media === undefined ? {} : { schema: swaggerSchema(media.schema) }),
    headers: mapValues(response.headers ?? {}, (header) => swaggerHeader(header, document)),
    ...(example === undefined ? {} : { examples: { [jsonMedia]: example.value } }),
  }
}

const swaggerHeader = (header: Header, document: OpenapiDocument): JsonObject => {
  const { description, schema = {} } = resolveHeader(header, document)
  const { example: _, ...keywords } = swaggerSchema(schema) as Record<string, unknown>
  return { description, ...keywords }
}

const resolveHeader = (header: Header, { components }: OpenapiDocument): Header =>
  header.$ref === undefined ? header : (components.headers[header.$ref.split('/').at(-1) ?? ''] ?? {})

/**
 * Converts one schema. Keywords that Swagger 2.0 lacks are omitted, or written as an extension if there is one for
 * them.
 */
const swaggerSchema = (schema: Schema): JsonObject => {
  if (schema.$ref !== undefined) return { $ref: schema.$ref.replace('#/components/schemas/', '#/definitions/') }
  const { type, examples, contentMediaType: _, items, anyOf, properties, additionalProperties, ...unchanged } = schema
  return {
    ...swaggerAlternatives(anyOf),
    ...swaggerType(type),
    ...unchanged,
    ...(examples === undefined ? {} : { example: examples[0] }),
    ...(items === undefined ? {} : { items: swaggerSchema(items) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, swaggerSchema) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: swaggerAdditional(additionalProperties) }),
  }
}

const swaggerAdditional = (additional: boolean | Schema): unknown =>
  typeof additional === 'boolean' ? additional : swaggerSchema(additional)

/** Converts `anyOf`, which Swagger 2.0 lacks. This API uses it only for a related record that may be null. */
const swaggerAlternatives = (anyOf: Schema['anyOf']): JsonObject =>
  anyOf === undefined
    ? {}
    : { allOf: anyOf.filter(({ $ref }) => $ref !== undefined).map(swaggerSchema), 'x-nullable': true }

/**
 * Converts a list of types. Swagger 2.0 allows only one type, but code generators support the extension `x-nullable`.
 */
const swaggerType = (type: Schema['type']): JsonObject => {
  if (type === undefined) return {}
  const types: readonly SchemaType[] = typeof type === 'string' ? [type] : type
  const [firstType, ...otherTypes] = types.filter((name) => name !== 'null')
  return {
    ...(otherTypes.length > 0 ? {} : { type: firstType }),
    ...(types.includes('null') ? { 'x-nullable': true } : {}),
  }
}
