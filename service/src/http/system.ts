/** In charge of the addresses that speak of the service itself: index, health and the orchestrator's probes. */
import type { ReadMode } from '@muster/model'
import { basePath, isCountable, product, resources, version } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import type { Verb } from './address.ts'
import { address } from './address.ts'
import { sendJson } from './answers.ts'
import { fixedJson } from './encoded-body.ts'
import type { Services } from './routes.ts'

export const addSystemRoutes = (app: FastifyInstance, services: Services): void => {
  const { database, access, readers } = services
  address(app, basePath, { GET: fixedJson(indexDocument(readers.mode)) })
  address(app, `${basePath}/v1/health`, {
    GET: fresh(() => ({
      status: database.ready ? 'ok' : 'degraded',
      product,
      version,
      writes_enabled: access.enabled,
    })),
  })
  address(app, '/livez', { GET: probe(() => true) })
  address(app, '/readyz', { GET: probe(() => database.ready && !services.draining) })
}

const fresh = (document: () => object): Verb => ({
  answer: (_, reply) => sendJson(reply.header('cache-control', 'no-store'), JSON.stringify(document())),
})

const probe = (passes: () => boolean): Verb => ({
  answer: (_, reply) => {
    reply.header('cache-control', 'no-store')
    if (passes()) return sendJson(reply, '{"status":"ok"}')
    return sendJson(reply.code(503).header('retry-after', '1'), '{"status":"unavailable"}')
  },
})

const whoReads: Readonly<Record<ReadMode, string>> = {
  public: 'Reads are public',
  redacted: 'Reads are public but for personal fields, which are shown to holders of a token',
  token: 'Reads carry a bearer token',
}

const indexDocument = (reads: ReadMode) => ({
  product,
  version,
  about: `Workforce and recruiting data over HTTP and JSON. ${whoReads[reads]}; creates carry a bearer token.`,
  links: {
    description: `${basePath}/openapi.json`,
    documentation: `${basePath}/docs`,
    health: `${basePath}/v1/health`,
    resources: Object.fromEntries(resources.map(({ path }) => [path, `${basePath}/v1/${path}`])),
    counts: Object.fromEntries(
      resources.filter(isCountable).map(({ path }) => [path, `${basePath}/v1/counts/${path}`]),
    ),
  },
})
