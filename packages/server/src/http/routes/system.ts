/** The indexes of the host and of the API, health, and the liveness and readiness probes of an orchestrator. */
import type { ReadMode } from '@muster/model'
import { basePath, isCountable, listedResources, product, version } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import type { ServerDependencies } from '../dependencies.ts'
import { namesType } from '../request/list-query.ts'
import { varyRead } from '../response/compression.ts'
import { sendJson } from '../response/json-response.ts'
import type { CareerSiteRoutes } from './career-sites.ts'
import { consolePath } from './console.ts'
import { fixedJsonHandler } from './fixed-json.ts'
import { mcpPath } from './mcp.ts'
import type { Handler } from './route.ts'
import { addRoute, isAsterisk } from './route.ts'

export const addSystemRoutes = (
  app: FastifyInstance,
  dependencies: ServerDependencies,
  careers: CareerSiteRoutes | undefined,
): void => {
  const { database, callers, emailDomains, consoleFolder, mcp } = dependencies
  addRoute(app, '/', {
    GET: rootHandler({ hasConsole: consoleFolder !== undefined, hasMcp: mcp !== undefined }, careers),
  })
  addRoute(app, basePath, { GET: indexHandler(callers.mode, emailDomains) })
  addRoute(app, `${basePath}/v1/health`, {
    GET: uncachedJsonHandler(() => ({
      status: database.ready ? 'ok' : 'degraded',
      product,
      version,
      writes_enabled: callers.createsEnabled,
    })),
  })
  addRoute(app, '/livez', { GET: probeHandler(() => true) })
  addRoute(app, '/readyz', { GET: probeHandler(() => database.ready && !dependencies.lifecycle.draining) })
}

/**
 * At the domain of a career site this is the site. Elsewhere a browser that opens the host gets the console, and every
 * other client gets an index. Only text/html itself counts, not a wildcard, which most programs send. The location is
 * relative, so it is right below any path of a reverse proxy.
 */
const rootHandler = (parts: ServedParts, careers: CareerSiteRoutes | undefined): Handler => {
  const location = parts.hasConsole ? 'console/' : `${basePath.slice(1)}/docs`
  const index = fixedJsonHandler(() => rootDocument(parts), varyRead)
  return {
    handle: async (request, reply) => {
      if (isAsterisk(request)) return reply.callNotFound()
      if (await careers?.sendAtDomain(request, reply)) return reply
      return namesType(request.headers.accept, 'text/html')
        ? reply.code(302).headers({ location, vary: 'accept', 'cache-control': 'no-cache' }).send()
        : index.handle(request, reply)
    },
  }
}

interface ServedParts {
  readonly hasConsole: boolean
  readonly hasMcp: boolean
}

const rootDocument = ({ hasConsole, hasMcp }: ServedParts) => ({
  product,
  version,
  links: {
    ...(hasConsole ? { console: `${consolePath}/` } : {}),
    ...(hasMcp ? { mcp: mcpPath } : {}),
    api: basePath,
    ...apiLinks,
  },
})

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

const apiLinks = {
  description: `${basePath}/openapi.json`,
  documentation: `${basePath}/docs`,
  health: `${basePath}/v1/health`,
}

/** The result of the check of e-mail domains arrives after the start, so there is one document for each result. */
const indexHandler = (reads: ReadMode, emailDomains: ServerDependencies['emailDomains']): Handler => {
  const indexOf = (realEmailDomains: boolean | null) => fixedJsonHandler(() => indexDocument(reads, realEmailDomains))
  const unchecked = indexOf(null)
  const real = indexOf(true)
  const reserved = indexOf(false)
  return {
    handle(request, reply) {
      const { areReal } = emailDomains
      if (areReal === undefined) return unchecked.handle(request, reply)
      return (areReal ? real : reserved).handle(request, reply)
    },
  }
}

const indexDocument = (reads: ReadMode, realEmailDomains: boolean | null) => ({
  product,
  version,
  about: `Workforce and recruiting data over HTTP and JSON. ${readAccessText[reads]}; creates require a bearer token.`,
  reads,
  real_email_domains: realEmailDomains,
  links: {
    ...apiLinks,
    resources: Object.fromEntries(listedResources.map(({ path }) => [path, `${basePath}/v1/${path}`])),
    counts: Object.fromEntries(
      listedResources.filter(isCountable).map(({ path }) => [path, `${basePath}/v1/counts/${path}`]),
    ),
    reports: `${basePath}/v1/reports`,
    search: `${basePath}/v1/search`,
    changes: `${basePath}/v1/changes`,
  },
})
