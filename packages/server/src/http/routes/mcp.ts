/**
 * The Model Context Protocol: AI agents call tools, which send requests to the API inside this process, with the
 * agent's own token.
 */
import { basePath } from '@muster/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Send } from '../../mcp/api.ts'
import type { HttpReply } from '../../mcp/http.ts'
import { waitForTurn } from '../../slices.ts'
import { hasBearerToken, headerCount, unauthorized } from '../access/callers.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import type { McpOptions } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import type { Handler } from './route.ts'
import { addRoute } from './route.ts'

export const mcpPath = '/mcp'

interface McpDependencies extends McpOptions {
  readonly limits: RateLimits
}

type Mcp = typeof import('../../mcp/http.ts')

export const addMcpRoute = (app: FastifyInstance, dependencies: McpDependencies): void => {
  // The SDK is loaded only if this route exists, and before the server listens, because that takes long.
  app.register(async (scope) => {
    const mcp = await import('../../mcp/http.ts')
    addRoute(scope, mcpPath, { POST: mcpHandler(app, mcp, dependencies) })
  })
}

const mcpHandler = (
  app: FastifyInstance,
  { handleMessage, rejection }: Mcp,
  dependencies: McpDependencies,
): Handler => ({
  before: async (request, reply) => {
    const { limits } = dependencies
    if (limits.isEnabled) await limits.countRead(request, reply)
    if (contextOf(request.raw).caller.visibility !== undefined) return
    await limits.countAuthFailure(request, reply)
    throw unauthorized()
  },
  handle: async (request, reply) => {
    const { writes } = dependencies
    // Only browsers send Origin. A web page must not use the endpoint: its host name may have been rebound to this
    // server.
    if (request.headers.origin !== undefined)
      return sendReply(reply, rejection(403, 'Requests of web pages are not accepted.'))
    // Requests start in turns, but bodies of many of them can arrive in the same one.
    await waitForTurn()
    const message = {
      headers: protocolHeaders(request),
      body: (request.body as Buffer<ArrayBuffer> | undefined) ?? Buffer.alloc(0),
      signal: disconnectSignal(reply),
    }
    const response = await handleMessage(message, {
      send: injectAs(app, request),
      writes: writes && (await mayCreate(request, reply, dependencies)),
      onError: (err) => request.log.error({ id: request.id, err }, 'a tool failed'),
    })
    return sendReply(reply, response)
  },
})

const sendReply = (reply: FastifyReply, { status, contentType, body }: HttpReply): FastifyReply => {
  if (contentType !== null) reply.header('content-type', contentType)
  return reply.code(status).header('cache-control', 'no-store').send(body)
}

const protocolHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && /^(?:accept|content-type|mcp-.*)$/.test(name) ? [[name, value]] : [],
    ),
  )

const disconnectSignal = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/**
 * The list of tools shows whether a token may create records, so a wrong token counts as a failed authentication here as
 * in the API.
 */
const mayCreate = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { limits }: McpDependencies,
): Promise<boolean> => {
  const { caller } = contextOf(request.raw)
  if (caller.name === undefined && hasBearerToken(request.raw)) await limits.countAuthFailure(request, reply)
  return caller.create.length > 0
}

/** The requests have the client address and the token of the agent, so limits and redaction are those of the API. */
const injectAs = (app: FastifyInstance, { ip, raw }: FastifyRequest): Send => {
  const { authorization } = raw.headers
  // The API does not accept a request with two tokens.
  const credentials =
    authorization === undefined || headerCount('authorization', raw.rawHeaders) > 1 ? {} : { authorization }
  return async ({ method, path, headers, body }, signal) => {
    const response = await app.inject({
      method,
      url: `${basePath}${path}`,
      headers: { ...headers, ...credentials },
      remoteAddress: ip,
      signal,
      ...(body === undefined ? {} : { payload: body }),
    })
    return {
      status: response.statusCode,
      text: response.payload,
      header: (name) => response.headers[name]?.toString(),
    }
  }
}
