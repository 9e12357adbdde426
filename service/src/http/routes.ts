/** In charge of the addresses of the resources: list, get and create for each, built at start from the registry. */
import type { Resource } from '@muster/model'
import { basePath, idempotencyKey, judgeBody, maxBodyBytes, replayedHeader, resources } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import { create } from '../operations/create.ts'
import { openGetter } from '../operations/get.ts'
import type { Reading } from '../operations/list.ts'
import { list } from '../operations/list.ts'
import type { Verb } from './address.ts'
import { address } from './address.ts'
import { pageText, sendJson } from './answers.ts'
import type { FreshAnswers } from './fresh-answers.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { readItemId, readListQuery } from './parameters.ts'
import { parseQuery } from './query-string.ts'
import { readBody } from './request-body.ts'
import type { WriteAccess } from './write-access.ts'

export interface Services extends Reading {
  /** The process is about to end: it serves, and is not ready for more. */
  readonly draining: boolean
  readonly access: WriteAccess
  readonly answers: FreshAnswers
}

const keyHeader = idempotencyKey.header.toLowerCase()

const pathOf = (resource: Resource): string => `${basePath}/v1/${resource.path}`

export const addResourceRoutes = (app: FastifyInstance, services: Services): void => {
  for (const resource of resources) {
    const verbs = { GET: listVerb(resource, services) }
    address(app, pathOf(resource), resource.creatable ? { ...verbs, POST: createVerb(resource, services) } : verbs)
    address(app, `${pathOf(resource)}/:item_id`, { GET: getVerb(resource, services) })
  }
}

const listVerb = (resource: Resource, { answers, ...reading }: Services): Verb => ({
  answer: (request, reply) =>
    answers.answer(request, reply, resource, async () => {
      const query = readListQuery(resource, parseQuery(request.query as string))
      const page = await list(reading, resource, query)
      return { version: page.version, text: pageText(page, query) }
    }),
})

const getVerb = (resource: Resource, { database, answers }: Services): Verb => {
  const get = openGetter(database, resource)
  return {
    answer: (request, reply) =>
      answers.answer(request, reply, resource, async () => {
        const id = readItemId((request.params as { item_id: string }).item_id)
        const found = id === undefined ? undefined : await get(id)
        if (found === undefined) throw new Problem('not_found')
        return { version: found.version, text: found.record }
      }),
  }
}

const createVerb = (resource: Resource, { database, access }: Services): Verb => ({
  before: (request) => {
    access.check(request.raw)
    // Said before the body is read, and whatever content type it claims.
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw new Problem('payload_too_large')
  },
  answer: async (request, reply) => {
    const body = readBody({
      contentType: request.headers['content-type'],
      contentEncoding: request.headers['content-encoding'],
      bytes: request.body as Buffer | undefined,
    })
    const { claim, faults } = readIdempotencyKey(request.headers[keyHeader], body)
    const judged = judgeBody(resource, body)
    const { id, record, replayed } = await create(
      database,
      resource,
      { ...judged, faults: [...faults, ...judged.faults] },
      claim,
    )
    if (replayed) reply.header(replayedHeader, 'true')
    return sendJson(reply.code(201).header('location', `${pathOf(resource)}/${id}`), record)
  },
})
