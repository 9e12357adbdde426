/** In charge of one address: the verbs it has, what it says of those it has not, and OPTIONS. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'

export interface Verb {
  /** Runs before the body is read; what it throws is the answer. */
  readonly before?: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => unknown
}

export interface Verbs {
  readonly GET: Verb
  readonly POST?: Verb
}

export const address = (app: FastifyInstance, url: string, verbs: Verbs): void => {
  const allowed = ['GET', 'HEAD', ...(verbs.POST === undefined ? [] : ['POST']), 'OPTIONS']
  const allow = allowed.join(', ')
  addVerb(app, 'GET', url, verbs.GET)
  if (verbs.POST !== undefined) addVerb(app, 'POST', url, verbs.POST)
  app.route({ method: 'OPTIONS', url, handler: (_, reply) => reply.code(204).header('allow', allow).send() })
  const refuse = async () => {
    throw new Problem('method_not_allowed', { headers: { allow } })
  }
  // Refused in onRequest, so that nobody has to send a body to learn that it is not wanted.
  const others = app.supportedMethods.filter((method) => !allowed.includes(method))
  app.route({ method: others, url, onRequest: refuse, handler: refuse })
}

/** Fastify adds HEAD to every GET. */
const addVerb = (app: FastifyInstance, method: keyof Verbs, url: string, { before, answer }: Verb): void => {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await before?.(request, reply)
    if (isExpectant(request)) reply.raw.writeContinue()
  }
  app.route({ method, url, ...(before === undefined ? {} : { onRequest }), handler: answer })
}

/** Waits to be told that its body is wanted. */
const isExpectant = ({ raw, headers }: FastifyRequest): boolean =>
  raw.httpVersion === '1.1' && headers.expect?.toLowerCase() === '100-continue'
