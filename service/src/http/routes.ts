/** In charge of the addresses of the resources: list, get and create for each, built at start from the registry. */
import type { Resource } from '@muster/model'
import { basePath, judgeBody, maxBodyBytes, resources } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { Problem } from '../errors.ts'
import { create } from '../operations/create.ts'
import { get } from '../operations/get.ts'
import { list } from '../operations/list.ts'
import type { Verb } from './address.ts'
import { address } from './address.ts'
import { pageText, recordText, sendJson } from './answers.ts'
import { readItemId, readListQuery } from './parameters.ts'
import type { Parameters } from './query-string.ts'
import { readBody } from './request-body.ts'
import type { WriteAccess } from './write-access.ts'

export interface Services {
  readonly database: Database
  readonly access: WriteAccess
}

const pathOf = (resource: Resource): string => `${basePath}/v1/${resource.path}`

export const addResourceRoutes = (app: FastifyInstance, services: Services): void => {
  for (const resource of resources) {
    const verbs = { GET: listVerb(resource, services) }
    address(app, pathOf(resource), resource.creatable ? { ...verbs, POST: createVerb(resource, services) } : verbs)
    address(app, `${pathOf(resource)}/:item_id`, { GET: getVerb(resource, services) })
  }
}

const listVerb = (resource: Resource, { database }: Services): Verb => ({
  answer: async (request, reply) => {
    const query = readListQuery(resource, request.query as Parameters)
    const page = await list(database, resource, query)
    return sendJson(reply, pageText(resource, page, query))
  },
})

const getVerb = (resource: Resource, { database }: Services): Verb => ({
  answer: async (request, reply) => {
    const id = readItemId((request.params as { item_id: string }).item_id)
    const row = id === undefined ? undefined : await get(database, resource, id)
    if (row === undefined) throw new Problem('not_found')
    return sendJson(reply, recordText(resource, row))
  },
})

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
    const row = await create(database, resource, judgeBody(resource, body))
    // The id is the first field of every record.
    reply.code(201).header('location', `${pathOf(resource)}/${row[0]}`)
    return sendJson(reply, recordText(resource, row))
  },
})
