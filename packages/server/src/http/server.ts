import type { RequestListener, Server } from 'node:http'
import { createServer, METHODS } from 'node:http'
import type { Socket } from 'node:net'
import { maxBodyBytes } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import Fastify, { LogController } from 'fastify'
import { overloaded, Problem } from '../errors.ts'
import type { Log } from '../observability/log.ts'
import { addRateLimits } from './access/rate-limits.ts'
import { fastPath } from './cache/fast-path.ts'
import { trustIn } from './connection/client-address.ts'
import type { ServerDependencies } from './dependencies.ts'
import { contextOf, openContexts, requestIds } from './request/context.ts'
import { malformedUrl } from './request/malformed-url.ts'
import { openCors, setCommonHeaders } from './response/common-headers.ts'
import { sendError, sendFramingError } from './response/error-response.ts'
import { openCareerSiteRoutes } from './routes/career-sites.ts'
import { addCareerVisibilityRoutes } from './routes/career-visibility.ts'
import { addChangesRoute } from './routes/changes.ts'
import { addConsoleRoutes } from './routes/console.ts'
import { addDocsRoutes } from './routes/docs.ts'
import { addDocumentRoutes } from './routes/documents.ts'
import { addMcpRoute } from './routes/mcp.ts'
import { addOpenapiRoutes } from './routes/openapi.ts'
import { addReportRoutes } from './routes/reports.ts'
import { addResourceRoutes } from './routes/resources.ts'
import { addSearchRoute } from './routes/search.ts'
import { addSessionRoute } from './routes/session.ts'
import { addSystemRoutes } from './routes/system.ts'

const serverOptions = {
  // Time limits for the head of a request, for a whole request, and for an idle connection.
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 72_000,
  // Node's own response to a missing Host header has no error envelope: `hasSafeFraming` in request/context.ts checks
  // the header instead.
  requireHostHeader: false,
}

export type RequestTimeLimits = Pick<
  typeof serverOptions,
  'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'
>

/**
 * Assembles the server in the order in which requests pass through its parts. `wrapListener` adds tracing. `timeLimits`
 * replace the defaults, so that tests do not wait for them.
 */
export const buildApp = (
  dependencies: ServerDependencies,
  log: Log,
  wrapListener: (listener: RequestListener) => RequestListener = (listener) => listener,
  timeLimits: Partial<RequestTimeLimits> = {},
): FastifyInstance => {
  const nextId = requestIds()
  const { cache, callers, admission, lifecycle, corsOrigins, trustedProxies } = dependencies
  const cors = openCors(corsOrigins)
  const contexts = openContexts(callers, nextId)
  const isOff = () => lifecycle.draining || limits.isEnabled
  const rejectFraming = (error: Error, socket: Socket): void =>
    sendFramingError(error, socket, { requestId: nextId(), pending: admission.pendingOn(socket) })
  const app = Fastify({
    loggerInstance: log.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Creating a logger per request costs more than writing a log line. Each line carries the request id instead.
    childLoggerFactory: (parent) => parent,
    genReqId: (request) => contexts(request).id,
    bodyLimit: maxBodyBytes,
    trustProxy: trustedProxies.length > 0 && trustIn(trustedProxies),
    serverFactory: (next) =>
      createServer(
        { ...serverOptions, ...timeLimits },
        admission.admit(
          wrapListener(
            fastPath(
              {
                cache,
                contexts,
                log,
                isOff,
                onSent: admission.afterCached,
                keepAliveMs: serverOptions.keepAliveTimeout,
              },
              admission.uncached(next),
            ),
          ),
        ),
      ),
    routerOptions: {
      ignoreTrailingSlash: true,
      // Greater than the maximum length of item_id, so that ids which are too long reach `readItemId`, which rejects
      // them with 422.
      maxParamLength: 16_384,
      // The routes parse the query string themselves, because a cached response does not need it.
      querystringParser: ((query: string) => query) as unknown as (query: string) => Record<string, unknown>,
    },
    clientErrorHandler: (error, socket) => rejectFraming(error, socket as Socket),
    frameworkErrors: (error, request, reply) => {
      cors(request, reply)
      sendError(malformedUrl(request.raw.url, error), request, reply)
    },
  })
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  }
  const limits = addRateLimits(app, dependencies.limits)
  acceptRawBodies(app)
  admission.trackConnections(app.server)
  handleServerEvents(app.server, rejectFraming)
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(reply, request.id)
    cors(request, reply)
    const { hasSafeFraming } = contextOf(request.raw)
    // Bytes after an Upgrade request may be in another protocol, and bytes after bad framing cannot be parsed.
    if (!hasSafeFraming || request.headers.upgrade !== undefined) reply.header('connection', 'close')
    if (!hasSafeFraming) done(new Problem('bad_request'))
    else if (admission.isOverdue(request.raw)) done(overloaded())
    // The not-found handler looks for a career site with a domain of its own.
    else done(request.is404 && careers === undefined ? new Problem('not_found') : undefined)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id } = request
    const route = request.routeOptions.url ?? ''
    const { log: fields, caller } = contextOf(request.raw)
    const { statusCode: status, elapsedTime: ms } = reply
    log.logRequest({ id, method, route, status, ms, token: caller.name, ...fields }, request.raw)
    done()
  })
  app.setErrorHandler(sendError)
  const { careerSites } = dependencies
  const careers = careerSites && openCareerSiteRoutes({ ...dependencies, careerSites, limits })
  app.setNotFoundHandler(async (request, reply) => {
    if (!(await careers?.sendAtDomain(request, reply))) throw new Problem('not_found')
    return reply
  })
  addSystemRoutes(app, dependencies, careers)
  addSessionRoute(app, { limits })
  addOpenapiRoutes(app, callers.mode)
  addDocsRoutes(app)
  addDocumentRoutes(app, dependencies.documentsFolder)
  if (dependencies.consoleFolder !== undefined) addConsoleRoutes(app, dependencies.consoleFolder)
  addResourceRoutes(app, { ...dependencies, limits })
  addReportRoutes(app, { ...dependencies, limits })
  addSearchRoute(app, { ...dependencies, limits })
  addChangesRoute(app, { ...dependencies, limits })
  addCareerVisibilityRoutes(app, { ...dependencies, limits })
  careers?.addTo(app)
  if (dependencies.mcp !== undefined) addMcpRoute(app, { ...dependencies.mcp, limits })
  return app
}

/** Handles the server events to which Node itself would respond without an error envelope, or not at all. */
const handleServerEvents = (server: Server, reject: (error: Error, socket: Socket) => void): void => {
  server.on('connect', (_, socket) => {
    // Node removes its own listeners, including the one for 'error', from the socket of a CONNECT request. An unhandled
    // 'error' event would crash the process.
    socket.on('error', () => socket.destroy())
    reject(new Error('CONNECT is not supported'), socket as Socket)
  })
  // Unknown expectations are ignored. 100 Continue is sent by the route, once the request is authorized.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => server.emit('request', request, response))
}

/**
 * Passes bodies of every content type to the routes as bytes: Fastify's JSON parser accepts what the contract rejects.
 */
const acceptRawBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}
