/** In charge of the OpenAPI description: puts together what is derived from the registry. */

import { isCountable } from '../groupings.ts'
import type { ReadMode } from '../interface.ts'
import { basePath, product, version } from '../interface.ts'
import { resources as registry } from '../registry.ts'
import type { Resource } from '../resource.ts'
import { countsName, countsSchema } from './count-operations.ts'
import type { OpenapiDocument, Schema, SecurityScheme, Tag } from './document.ts'
import type { Examples } from './examples.ts'
import { noExamples } from './examples.ts'
import { introduction } from './introduction.ts'
import { collectionName, collectionSchema, createName, createSchema, recordSchema } from './json-schema.ts'
import { bearerScheme, readScheme, resourcePaths, tagOf } from './resource-operations.ts'
import { sharedHeaders, sharedResponses } from './shared-responses.ts'
import { sharedSchemas } from './shared-schemas.ts'
import { systemPaths, systemTag } from './system-operations.ts'

export interface DescribedInterface {
  readonly resources?: readonly Resource[]
  /** Who may read where this is served. */
  readonly reads?: ReadMode
}

export const openapiDocument = (
  examples: Examples = noExamples,
  { resources = registry, reads = 'public' }: DescribedInterface = {},
): OpenapiDocument => ({
  openapi: '3.1.0',
  info: {
    title: product,
    version,
    summary: 'Workforce and recruiting data over HTTP and JSON',
    description: introduction(resources, examples, reads),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: basePath, description: 'The service that serves this description.' }],
  tags: [systemTag, ...resources.map(tag)],
  'x-tagGroups': tagGroups(resources),
  security: [],
  paths: Object.assign(
    { ...systemPaths(examples) },
    ...resources.map((resource) => resourcePaths(resource, examples, reads)),
  ) as OpenapiDocument['paths'],
  components: {
    schemas: { ...Object.assign({}, ...resources.map(resourceSchemas)), ...sharedSchemas },
    responses: sharedResponses(examples, reads),
    headers: sharedHeaders(reads),
    securitySchemes: { [bearerScheme]: writeToken, ...(reads === 'public' ? {} : { [readScheme]: readToken }) },
  },
})

const writeToken: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description:
    'The write token of the deployment, sent as `Authorization: Bearer <token>`. Whoever runs the service gives it out.',
}

const readToken: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'The read token of the deployment, or its write token, sent as `Authorization: Bearer <token>`.',
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
  ...(isCountable(resource) ? { [countsName(resource)]: countsSchema(resource) } : {}),
  ...(resource.creatable ? { [createName(resource)]: createSchema(resource) } : {}),
})
