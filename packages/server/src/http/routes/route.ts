import type { Resource } from '@muster/model'
import { basePath } from '@muster/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'

export interface Handler {
  /** Runs before the body is read. An error that it throws becomes the response. */
  readonly before?: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => unknown
}

export interface Handlers {
  readonly GET?: Handler
  readonly POST?: Handler
}

/** Adds the handlers of one URL, OPTIONS, and 405 for every other method. */
export const addRoute = (app: FastifyInstance, url: string, handlers: Handlers): void => {
  const allowedMethods = [
    ...(handlers.GET === undefined ? [] : ['GET', 'HEAD']),
    ...(handlers.POST === undefined ? [] : ['POST']),
    'OPTIONS',
  ]
  const allowHeader = allowedMethods.join(', ')
  if (handlers.GET !== undefined) addHandler(app, 'GET', url, handlers.GET)
  if (handlers.POST !== undefined) addHandler(app, 'POST', url, handlers.POST)
  const sendMethods = (request: FastifyRequest, reply: FastifyReply) =>
    isAsterisk(request) ? reply.callNotFound() : reply.code(204).header('allow', allowHeader).send()
  app.route({ method: 'OPTIONS', url, handler: sendMethods })
  const rejectMethod = async () => {
    throw new Problem('method_not_allowed', { headers: { allow: allowHeader } })
  }
  // Other methods are rejected in onRequest, before the body is read.
  const otherMethods = app.supportedMethods.filter((method) => !allowedMethods.includes(method))
  app.route({ method: otherMethods, url, onRequest: rejectMethod, handler: rejectMethod })
}

/** Fastify adds a HEAD route to every GET route. */
const addHandler = (app: FastifyInstance, method: keyof Handlers, url: string, { before, handle }: Handler): void => {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await before?.(request, reply)
    if (expectsContinue(request)) reply.raw.writeContinue()
  }
  app.route({ method, url, ...(before === undefined ? {} : { onRequest }), handler: handle })
}

/** The router takes `*`, which asks about the server as a whole and is not supported, for the path `/`. */
export const isAsterisk = ({ raw }: FastifyRequest): boolean => raw.url === '*'

/** The client waits for 100 Continue before it sends the body. */
const expectsContinue = ({ raw, headers }: FastifyRequest): boolean =>
  raw.httpVersion === '1.1' && headers.expect?.toLowerCase() === '100-continue'

export const pathOf = (resource: Resource): string => `${basePath}/v1/${resource.path}`
