import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Examples, ReadMode } from '@muster/model'
import { basePath, openapiDocument, swaggerDocument } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import { fixedJsonHandler } from './fixed-json.ts'
import { addRoute } from './route.ts'

const examplesFile = fileURLToPath(import.meta.resolve('@muster/model/contract/examples.json'))

export const addOpenapiRoutes = (app: FastifyInstance, reads: ReadMode): void => {
  const examples = readFileSync(examplesFile, 'utf8')
  const createOpenapi = () => openapiDocument(JSON.parse(examples) as Examples, { reads })
  addRoute(app, `${basePath}/openapi.json`, { GET: fixedJsonHandler(createOpenapi) })
  // Swagger 2.0, for tools that do not read OpenAPI 3.
  addRoute(app, '/swagger.json', { GET: fixedJsonHandler(() => swaggerDocument(createOpenapi())) })
}
