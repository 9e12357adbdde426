/** In charge of the examples of the description: sends requests to the service over the demo company and keeps what it answers. */
import type { Examples, Exchange, OperationExamples, Resource } from '@muster/model'
import { basePath, exampleGrouping, isCountable, maxBodyBytes, operationNames, resources } from '@muster/model'
import type { InjectOptions } from 'fastify'
import { buildApp } from '../app.ts'
import { openLog } from '../log.ts'
import { openServices } from '../services.ts'

type Item = Readonly<Record<string, unknown>>
type Body = Record<string, unknown>

const token = 'the-token-of-the-examples-is-not-a-secret'
/** Stands for every request id, which would otherwise differ from run to run. */
const requestId = 'vT9sUu1mXq0c-1'

export const collectExamples = async (databaseUrl: string): Promise<Examples> => {
  const services = openServices({
    databaseUrl,
    poolSize: 1,
    cacheBytes: 0,
    reads: 'public',
    tokens: { write: [token], read: [] },
    limits: { authFailures: 1 },
  })
  const { database } = services
  const app = buildApp(services, openLog('silent'))
  const ask: Ask = async (expected, method, path, given = {}) => {
    const answer = await app.inject({
      method,
      url: `${basePath}${path}`,
      ...(method === 'POST'
        ? { headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } }
        : {}),
      ...given,
    })
    const request = `${method} ${path}`
    if (answer.statusCode !== expected)
      throw new Error(`${request} should answer ${expected} and answers ${answer.statusCode}: ${answer.body}`)
    return { request, value: JSON.parse(answer.body.replaceAll(String(answer.headers['x-request-id']), requestId)) }
  }
  try {
    database.setReady(true)
    const operations = await operationExamples(ask)
    const responses = await sharedExamples(ask, {
      setReady: (ready) => database.setReady(ready),
      setTokens: (write) => services.replaceTokens({ write, read: [] }),
    })
    return { operations, responses }
  } finally {
    await app.close()
    await database.close()
  }
}

/** Sends a request that must be answered with the given status, or else the examples would not be what they say. */
type Ask = (expected: number, method: 'GET' | 'POST', path: string, given?: InjectOptions) => Promise<Exchange>

const operationExamples = async (ask: Ask): Promise<Record<string, OperationExamples>> => {
  const examples: Record<string, OperationExamples> = {
    getIndex: { answers: { 200: await ask(200, 'GET', '/') } },
    getHealth: { answers: { 200: await ask(200, 'GET', '/v1/health') } },
  }
  for (const resource of resources) Object.assign(examples, await resourceExamples(resource, ask))
  return examples
}

const resourceExamples = async (resource: Resource, ask: Ask): Promise<Record<string, OperationExamples>> => {
  const path = `/v1/${resource.path}`
  const names = operationNames(resource)
  const { value } = await ask(200, 'GET', path)
  const chosen = fullest((value as { data: Item[] }).data)
  return {
    [names.list]: { answers: { 200: await ask(200, 'GET', `${path}?limit=2`) } },
    ...(isCountable(resource)
      ? {
          [names.count]: {
            answers: { 200: await ask(200, 'GET', `/v1/counts/${resource.path}?by=${exampleGrouping(resource)}`) },
          },
        }
      : {}),
    [names.get]: { answers: { 200: await ask(200, 'GET', `${path}/${chosen.id}`) } },
    ...(resource.creatable ? { [names.create]: await createExamples(resource, await newest(resource, ask), ask) } : {}),
  }
}

/** Filters that find records as they are when just created, for resources whose demo records have a history. */
const fresh: Readonly<Record<string, string>> = {
  leave: 'status=pending',
  applications: 'stage=applied&status=active',
  'job-distributions': 'status=published',
}

const newest = async (resource: Resource, ask: Ask): Promise<Item> => {
  const { value } = await ask(200, 'GET', `/v1/${resource.path}?${fresh[resource.path] ?? ''}`)
  return fullest((value as { data: Item[] }).data)
}

/** The record with the most to show. */
const fullest = (records: readonly Item[]): Item => {
  const values = (record: Item) => Object.values(record).filter((value) => value !== null).length
  return records.reduce((best, record) => (values(record) > values(best) ? record : best))
}

const createExamples = async (resource: Resource, model: Item, ask: Ask): Promise<OperationExamples> => {
  const path = `/v1/${resource.path}`
  const body = bodyLike(resource, model)
  const made = await ask(201, 'POST', path, { payload: body })
  const refused = await ask(422, 'POST', path, { payload: faulty(resource, body) })
  return { body, answers: { 201: { ...made, value: timeless(resource, made.value as Item, model) }, 422: refused } }
}

/** A body that creates a record like the given one, under a name of its own where names are unique. */
const bodyLike = (resource: Resource, model: Item): Body => {
  const distinct = new Set(resource.unique.map((names) => names.at(-1)))
  const given = resource.writable.filter(({ name }) => model[name] !== null)
  return Object.fromEntries(given.map(({ name }) => [name, distinct.has(name) ? `${model[name]}-2` : model[name]]))
}

/** Without the first of its required fields, and with one that is not declared. */
const faulty = (resource: Resource, body: Body): Body => {
  const required = resource.writable.find(({ create }) => create === 'required')?.name
  return Object.fromEntries(
    [...Object.entries(body), ['nickname', 'Muster']].filter(([name]) => name !== required),
  ) as Body
}

/** The moments the service itself sets are those of the model, or the examples would differ from day to day. */
const timeless = (resource: Resource, made: Item, model: Item): Item => {
  const moments = resource.all.filter(({ kind, create }) => kind === 'timestamp' && create === 'never')
  return { ...made, ...Object.fromEntries(moments.map(({ name }) => [name, model[name]])) }
}

interface Switches {
  readonly setReady: (ready: boolean) => void
  readonly setTokens: (tokens: readonly string[]) => void
}

/** The answers that are the same for many operations, from the first operation that can give them. */
const sharedExamples = async (ask: Ask, { setReady, setTokens }: Switches): Promise<Examples['responses']> => {
  const read = `/v1/${resources[0]?.path}`
  const write = `/v1/${resources.find(({ creatable }) => creatable)?.path}`
  const invalidQuery = await ask(422, 'GET', `${read}?limit=0&offset=abc`)
  const invalidItemId = await ask(422, 'GET', `${read}/%FF`)
  const notFound = await ask(404, 'GET', `${read}/0`)
  const unauthorized = await ask(401, 'POST', write, { headers: {}, payload: {} })
  const limited = await ask(429, 'POST', write, { headers: {}, payload: {} })
  const tooLarge = await ask(413, 'POST', write, {
    headers: { authorization: `Bearer ${token}`, 'content-length': String(maxBodyBytes + 1) },
  })
  setReady(false)
  const away = await ask(503, 'GET', read)
  setReady(true)
  setTokens([])
  const disabled = await ask(503, 'POST', write)
  return {
    InvalidQuery: { invalid: invalidQuery },
    InvalidItemId: { not_unicode: invalidItemId },
    NotFound: { not_found: notFound },
    Unauthorized: { unauthorized },
    TooManyRequests: { rate_limited: limited },
    PayloadTooLarge: { payload_too_large: tooLarge },
    Unavailable: { database_unavailable: away },
    WritesUnavailable: { writes_disabled: disabled },
  }
}
