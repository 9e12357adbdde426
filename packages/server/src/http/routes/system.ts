/** Index, health, and the liveness and readiness probes of an orchestrator. */
import type { ReadMode } from '@muster/model'
import { basePath, isCountable, product, resources, version } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import type { ServerDependencies } from '../dependencies.ts'
import { sendJson } from '../response/json-response.ts'
import { fixedJsonHandler } from '../response/static-body.ts'
import type { Handler } from './route.ts'
import { addRoute } from './route.ts'

export const addSystemRoutes = (app: FastifyInstance, dependencies: ServerDependencies): void => {
  const { database, access, readAccess } = dependencies
  addRoute(app, basePath, { GET: fixedJsonHandler(indexDocument(readAccess.mode)) })
  addRoute(app, `${basePath}/v1/health`, {
    GET: uncachedJsonHandler(() => ({
      status: database.ready ? 'ok' : 'degraded',
      product,
      version,
      writes_enabled: access.enabled,
    })),
  })
  addRoute(app, '/livez', { GET: probeHandler(() => true) })
  addRoute(app, '/readyz', { GET: probeHandler(() => database.ready && !dependencies.lifecycle.draining) })
}

const uncachedJsonHandler = (document: () => object): Handler => ({
  handle: (_, reply) => sendJson(reply.header('cache-control', 'no-store'), JSON.stringify(document())),
})

const probeHandler = (isPassing: () => boolean): Handler => ({
  handle: (_, reply) => {
    reply.header('cache-control', 'no-store')
    if (isPassing()) return sendJson(reply, '{"status":"ok"}')
    return sendJson(reply.code(503).header('retry-after', '1'), '{"status":"unavailable"}')
  },
})

const readAccessText: Readonly<Record<ReadMode, string>> = {
  public: 'Reads are public',
  redacted: 'Reads are public except personal fields, which require a bearer token',
  token: 'Reads require a bearer token',
}

const indexDocument = (reads: ReadMode) => ({
  product,
  version,
  about: `Workforce and recruiting data over HTTP and JSON. ${readAccessText[reads]}; creates require a bearer token.`,
  links: {
    description: `${basePath}/openapi.json`,
    documentation: `${basePath}/docs`,
    health: `${basePath}/v1/health`,
    resources: Object.fromEntries(resources.map(({ path }) => [path, `${basePath}/v1/${path}`])),
    counts: Object.fromEntries(
      resources.filter(isCountable).map(({ path }) => [path, `${basePath}/v1/counts/${path}`]),
    ),
    reports: `${basePath}/v1/reports`,
  },
})
