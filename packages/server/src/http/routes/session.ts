import { basePath } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../access/callers.ts'
import { hasBearerToken } from '../access/callers.ts'
import type { Dependencies } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import { sendJson } from '../response/json-response.ts'
import { addRoute } from './route.ts'

export const addSessionRoute = (app: FastifyInstance, { limits }: Pick<Dependencies, 'limits'>): void =>
  addRoute(app, `${basePath}/v1/session`, {
    GET: {
      handle: async (request, reply) => {
        if (limits.isEnabled) await limits.countRead(request, reply)
        const { caller } = contextOf(request.raw)
        // The response shows whether a token is valid.
        if (caller.name === undefined && hasBearerToken(request.raw)) await limits.countAuthFailure(request, reply)
        return sendJson(reply.header('cache-control', 'no-store'), JSON.stringify(sessionOf(caller)))
      },
    },
  })

const sessionOf = ({ name, visibility, readable, create, expires }: Caller) => ({
  name: name ?? null,
  by: name === undefined ? 'none' : 'token',
  reads: readable.length === 0 ? 'none' : visibility,
  read: readable,
  create,
  expires: expires ?? null,
})
