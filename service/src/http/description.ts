/** In charge of the addresses where the interface describes itself: as OpenAPI, and as Swagger 2.0 for older tools. */
import { readFileSync } from 'node:fs'
import type { Examples, ReadMode } from '@muster/model'
import { basePath, openapiDocument, swaggerDocument } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import { address } from './address.ts'
import { fixedJson } from './encoded-body.ts'

const examplesFile = new URL('../../../contract/examples.json', import.meta.url)

export const addDescriptionRoutes = (app: FastifyInstance, reads: ReadMode): void => {
  const examples = JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples
  const openapi = openapiDocument(examples, { reads })
  address(app, `${basePath}/openapi.json`, { GET: fixedJson(openapi) })
  address(app, '/swagger.json', { GET: fixedJson(swaggerDocument(openapi)) })
}
