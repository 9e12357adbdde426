import type { Resource } from '@muster/model'
import { errorCodes, idempotencyKey, maxBodyBytes, replayedHeader, validateBody } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { recordAudit } from '../../queries/create/audit-log.ts'
import { createRecord } from '../../queries/create/create.ts'
import type { Dependencies } from '../dependencies.ts'
import { contextOf } from '../request/context.ts'
import type { RequestedKey } from '../request/idempotency-key.ts'
import { fingerprintOf, readIdempotencyKey } from '../request/idempotency-key.ts'
import { readBody } from '../request/request-body.ts'
import { sendJson } from '../response/json-response.ts'
import type { Handler } from './route.ts'
import { pathOf } from './route.ts'

const keyHeader = idempotencyKey.header.toLowerCase()
const withoutKey: RequestedKey = { errors: [] }

/** Authorize, parse, execute, render: the path of a request that creates a record. */
export const createHandler = (resource: Resource, dependencies: Dependencies): Handler => {
  const { database, limits, admission } = dependencies
  /**
   * The name of each request's token, stored because a token that was valid when the headers arrived may be replaced
   * before the body arrives.
   */
  const tokenNames = new WeakMap<FastifyRequest, string>()
  const parse = (request: FastifyRequest) => {
    const body = readBody({
      contentType: request.headers['content-type'],
      contentEncoding: request.headers['content-encoding'],
      bytes: request.body as Buffer | undefined,
    })
    const header = request.headers[keyHeader]
    const { key, errors: keyErrors } = header === undefined ? withoutKey : readIdempotencyKey(header)
    const validated = validateBody(resource, body)
    const errors = [...keyErrors, ...validated.errors]
    const hasClaim = key !== undefined && errors.length === 0
    const claim = hasClaim ? { key, fingerprint: fingerprintOf(body) } : undefined
    return { validated: { ...validated, errors }, claim }
  }
  const audit = (request: FastifyRequest, entry: Parameters<typeof recordAudit>[2]) =>
    recordAudit(database.forClient(admission.clientOf(request.raw)), resource, entry)
  return {
    // Authorizes before the body is read.
    before: async (request, reply) => {
      const token = await authorizeWrite(request, reply, resource, dependencies)
      tokenNames.set(request, token)
      if (limits.isEnabled) await limits.countWrite(request, reply, token)
      // A body that is too long is rejected before it is read, whatever its content type.
      if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw new Problem('payload_too_large')
    },
    handle: async (request, reply) => {
      const actor = { requestId: request.id, token: tokenNames.get(request) as string }
      try {
        const { validated, claim } = parse(request)
        const runner = database.forClient(admission.clientOf(request.raw))
        const { id, record, replayed } = await createRecord(runner, resource, validated, { actor, claim })
        if (replayed) {
          reply.header(replayedHeader, 'true')
          await audit(request, { ...actor, outcome: 'replayed', id })
        }
        contextOf(request.raw).log = { cache: 'none', rows: 1, created: replayed ? 0 : 1 }
        return sendJson(reply.code(201).header('location', `${pathOf(resource)}/${id}`), record)
      } catch (error) {
        if (isUnprocessable(error)) await audit(request, { ...actor, outcome: 'refused' })
        throw error
      }
    },
  }
}

const isUnprocessable = (error: unknown): boolean => error instanceof Problem && errorCodes[error.code].status === 422

/** Returns the name of the token. A wrong token counts as a failed authentication. */
const authorizeWrite = async (
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource,
  { callers, limits }: Pick<Dependencies, 'callers' | 'limits'>,
): Promise<string> => {
  if (!callers.createsEnabled) throw new Problem('writes_disabled')
  try {
    return contextOf(request.raw).caller.requireCreate(resource)
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized') await limits.countAuthFailure(request, reply)
    throw error
  }
}
