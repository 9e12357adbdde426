/** In charge of the OpenAPI description: puts together what is derived from the registry. */
import { basePath, product, version } from '../interface.ts'
import { resources as registry } from '../registry.ts'
import type { Resource } from '../resource.ts'
import type { OpenapiDocument, Schema, SecurityScheme, Tag } from './document.ts'
import type { Examples } from './examples.ts'
import { noExamples } from './examples.ts'
import { introduction } from './introduction.ts'
import { collectionName, collectionSchema, createName, createSchema, recordSchema } from './json-schema.ts'
import { bearerScheme, resourcePaths, tagOf } from './resource-operations.ts'
import { sharedHeaders, sharedResponses } from './shared-responses.ts'
import { sharedSchemas } from './shared-schemas.ts'
import { systemPaths, systemTag } from './system-operations.ts'

export const openapiDocument = (
  examples: Examples = noExamples,
  resources: readonly Resource[] = registry,
): OpenapiDocument => ({
  openapi: '3.1.0',
  info: {
    title: product,
    version,
    summary: 'Workforce and recruiting data over HTTP and JSON',
    description: introduction(resources, examples),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: basePath, description: 'The service that serves this description.' }],
  tags: [systemTag, ...resources.map(tag)],
  'x-tagGroups': tagGroups(resources),
  security: [],
  paths: Object.assign(
    { ...systemPaths(examples) },
    ...resources.map((resource) => resourcePaths(resource, examples)),
  ) as OpenapiDocument['paths'],
  components: {
    schemas: { ...Object.assign({}, ...resources.map(resourceSchemas)), ...sharedSchemas },
    responses: sharedResponses(examples),
    headers: sharedHeaders,
    securitySchemes: { [bearerScheme]: writeToken },
  },
})

const writeToken: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description:
    'The write token of the deployment, sent as `Authorization: Bearer <token>`. Whoever runs the service gives it out.',
}

const tag = (resource: Resource): Tag => ({ name: tagOf(resource), description: resource.about })

const tagGroups = (resources: readonly Resource[]): OpenapiDocument['x-tagGroups'] => [
  { name: 'Service', tags: [systemTag.name] },
  ...[...new Set(resources.map(({ area }) => area))].map((area) => ({
    name: area,
    tags: resources.filter((resource) => resource.area === area).map(tagOf),
  })),
]

const resourceSchemas = (resource: Resource): Record<string, Schema> => ({
  [resource.schema]: recordSchema(resource),
  [collectionName(resource)]: collectionSchema(resource),
  ...(resource.creatable ? { [createName(resource)]: createSchema(resource) } : {}),
})
