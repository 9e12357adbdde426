/** In charge of putting the service together: every part by name, in the order a request meets them. */
import type { RequestListener, Server } from 'node:http'
import { createServer, METHODS } from 'node:http'
import type { Socket } from 'node:net'
import { maxBodyBytes } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import Fastify, { LogController } from 'fastify'
import { overloaded, Problem } from './errors.ts'
import { undecodableAddress } from './http/bad-address.ts'
import { openCors } from './http/cors.ts'
import { addDescriptionRoutes } from './http/description.ts'
import { addDocsRoutes } from './http/docs.ts'
import { sendError, sendFramingError } from './http/error-handler.ts'
import { nameAnswer } from './http/every-answer.ts'
import { isUnambiguous } from './http/framing.ts'
import { outcomeOf } from './http/outcome.ts'
import { addRateLimits } from './http/rate-limits.ts'
import { requestIds } from './http/request-id.ts'
import type { Services } from './http/routes.ts'
import { addResourceRoutes } from './http/routes.ts'
import { takeShortWay } from './http/short-way.ts'
import { addSystemRoutes } from './http/system.ts'
import type { Log } from './log.ts'

const serverOptions = {
  // How long a peer may take over a request, and how long a connection may rest between two.
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 72_000,
  // Node's own answer to a missing Host would have no envelope: http/framing.ts looks instead.
  requireHostHeader: false,
}

/** `around` is given every request before anything is done with it. */
export const buildApp = (
  services: Services,
  log: Log,
  around: (listener: RequestListener) => RequestListener = (listener) => listener,
): FastifyInstance => {
  const nextId = requestIds()
  const cors = openCors(services.corsOrigins)
  const { answers, readers, admission } = services
  const closed = () => services.draining || limits.any
  const shortWay = { answers, readers, log, nextId, closed, keepAliveMs: serverOptions.keepAliveTimeout }
  const refuseFraming = (error: Error, socket: Socket): void =>
    sendFramingError(error, socket, { requestId: nextId(), pending: admission.pendingOn(socket) })
  const app = Fastify({
    loggerInstance: log.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request would cost more than its line: the id is given with each line instead.
    childLoggerFactory: (parent) => parent,
    genReqId: nextId,
    bodyLimit: maxBodyBytes,
    trustProxy: services.trustedProxies.length > 0 && [...services.trustedProxies],
    serverFactory: (longWay) =>
      createServer(serverOptions, admission.admit(around(takeShortWay(shortWay, admission.heavier(longWay))))),
    routerOptions: {
      ignoreTrailingSlash: true,
      // The item_id's own limit is a matter of the interface, with an answer of its own.
      maxParamLength: 16_384,
      // Taken apart where it is needed: an answer from memory never looks into it.
      querystringParser: ((query: string) => query) as unknown as (query: string) => Record<string, unknown>,
    },
    clientErrorHandler: (error, socket) => refuseFraming(error, socket as Socket),
    frameworkErrors: (error, request, reply) => {
      cors(request, reply)
      sendError(undecodableAddress(request.raw.url, error), request, reply)
    },
  })
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method)
  }
  const limits = addRateLimits(app, services.limits)
  takeBodiesAsBytes(app)
  admission.watch(app.server)
  answerEverything(app.server, refuseFraming)
  app.addHook('onRequest', (request, reply, done) => {
    nameAnswer(reply, request.id)
    cors(request, reply)
    const isClear = isUnambiguous(request.raw)
    // Whoever wanted another protocol sends what follows in it, and whoever cannot frame one message cannot frame two.
    if (!isClear || request.headers.upgrade !== undefined) reply.header('connection', 'close')
    if (!isClear) done(new Problem('bad_request'))
    else if (admission.isOverdue(request.raw)) done(overloaded())
    else done(request.is404 ? new Problem('not_found') : undefined)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id } = request
    const route = request.routeOptions.url ?? ''
    const outcome = outcomeOf(request.raw)
    log.answered({ id, method, route, status: reply.statusCode, ms: reply.elapsedTime, ...outcome }, request.raw)
    done()
  })
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(async () => {
    throw new Problem('not_found')
  })
  addSystemRoutes(app, services)
  addDescriptionRoutes(app, readers.mode)
  addDocsRoutes(app)
  addResourceRoutes(app, services, limits)
  return app
}

/** What Node would answer by itself, without an envelope, or not at all. */
const answerEverything = (server: Server, refuse: (error: Error, socket: Socket) => void): void => {
  server.on('connect', (_, socket) => {
    // Nobody else listens to a socket that was handed over, and an error nobody hears ends the process.
    socket.on('error', () => socket.destroy())
    refuse(new Error('a tunnel was asked for'), socket as Socket)
  })
  // Expectations we do not know are overlooked; a body is asked for once its sender is known to be allowed to send it.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => server.emit('request', request, response))
}

/** Bodies are judged by our own parser, whatever type they claim to be of; Fastify's would accept what the contract refuses. */
const takeBodiesAsBytes = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}
