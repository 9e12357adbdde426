import type { ReadMode } from '../api-constants.ts'
import { basePath, product, version } from '../api-constants.ts'
import { isCountable } from '../query/group-by.ts'
import { listedResources as registry } from '../registry.ts'
import type { Resource } from '../schema/resource.ts'
import { careerVisibilityPaths, careerVisibilitySchemas, careerVisibilityTag } from './career-operations.ts'
import { changesPaths, changesSchemas, changesTag } from './change-operations.ts'
import { countsSchema, countsSchemaName } from './count-operations.ts'
import type { OpenapiDocument, Schema, SecurityScheme, Tag } from './document.ts'
import type { Examples } from './examples.ts'
import { noExamples } from './examples.ts'
import { historyPaths, historySchemas } from './history-operations.ts'
import { introduction } from './introduction.ts'
import { collectionSchema, collectionSchemaName, createSchema, createSchemaName, recordSchema } from './json-schema.ts'
import { reportPaths, reportSchemas, reportTag } from './report-operations.ts'
import { readScheme, resourcePaths, tagOf, writeScheme } from './resource-operations.ts'
import { searchPaths, searchSchemas, searchTag } from './search-operations.ts'
import { sharedHeaders, sharedResponses } from './shared-responses.ts'
import { sharedSchemas } from './shared-schemas.ts'
import { systemPaths, systemTag } from './system-operations.ts'

export interface OpenapiOptions {
  readonly resources?: readonly Resource[]
  /** What clients without a token can read in this deployment. */
  readonly reads?: ReadMode
}

export const openapiDocument = (
  examples: Examples = noExamples,
  { resources = registry, reads = 'public' }: OpenapiOptions = {},
): OpenapiDocument => ({
  openapi: '3.1.0',
  info: {
    title: product,
    version,
    summary: 'Workforce and recruiting data over HTTP and JSON',
    description: introduction(resources, examples, reads),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: basePath, description: 'The service that serves this document.' }],
  tags: [systemTag, ...resources.map(resourceTag), reportTag, careerVisibilityTag, searchTag, changesTag],
  'x-tagGroups': tagGroups(resources),
  security: [],
  paths: Object.assign(
    { ...systemPaths(examples) },
    ...resources.map((resource) => resourcePaths(resource, examples, reads)),
    historyPaths(resources, examples, reads),
    reportPaths(examples, reads),
    careerVisibilityPaths(examples, reads),
    searchPaths(examples, reads),
    changesPaths(examples, reads),
  ) as OpenapiDocument['paths'],
  components: {
    schemas: {
      ...Object.assign({}, ...resources.map(resourceSchemas)),
      ...historySchemas,
      ...reportSchemas,
      ...careerVisibilitySchemas,
      ...searchSchemas,
      ...changesSchemas,
      ...sharedSchemas,
    },
    responses: sharedResponses(examples, reads),
    headers: sharedHeaders(reads),
    securitySchemes: { [writeScheme]: writeToken, ...(reads === 'public' ? {} : { [readScheme]: readToken }) },
  },
})

const writeToken: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description:
    'The write token of the deployment, sent as `Authorization: Bearer <token>`. Ask the operator of the service for it.',
}

const readToken: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'The read token of the deployment, or its write token, sent as `Authorization: Bearer <token>`.',
}

const resourceTag = (resource: Resource): Tag => ({ name: tagOf(resource), description: resource.about })

const tagGroups = (resources: readonly Resource[]): OpenapiDocument['x-tagGroups'] => [
  { name: 'Service', tags: [systemTag.name, searchTag.name] },
  ...[...new Set(resources.map(({ area }) => area))].map((area) => ({
    name: area,
    tags: resources.filter((resource) => resource.area === area).map(tagOf),
  })),
  { name: 'Figures', tags: [reportTag.name, careerVisibilityTag.name] },
  { name: 'Synchronization', tags: [changesTag.name] },
]

const resourceSchemas = (resource: Resource): Record<string, Schema> => ({
  [resource.schema]: recordSchema(resource),
  [collectionSchemaName(resource)]: collectionSchema(resource),
  ...(isCountable(resource) ? { [countsSchemaName(resource)]: countsSchema(resource) } : {}),
  ...(resource.creatable ? { [createSchemaName(resource)]: createSchema(resource) } : {}),
})
