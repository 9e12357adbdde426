/** Creates the examples in the OpenAPI document: sends requests to a service with the demo company and records them. */
import { hash } from 'node:crypto'
import type { Examples, Exchange, OperationExamples, Resource } from '@muster/model'
import {
  basePath,
  exampleGrouping,
  isCountable,
  listedResources,
  maxBodyBytes,
  operationNames,
  reportOperationId,
  reports,
  resources,
  trackedFields,
} from '@muster/model'
import type { InjectOptions } from 'fastify'
import { noTokens } from '../../packages/server/src/config/tokens.ts'
import { openDependencies } from '../../packages/server/src/dependencies.ts'
import { OperatorError } from '../../packages/server/src/errors.ts'
import type { NamedToken } from '../../packages/server/src/http/access/callers.ts'
import { buildApp } from '../../packages/server/src/http/server.ts'
import { openLog } from '../../packages/server/src/observability/log.ts'

type Item = Readonly<Record<string, unknown>>
type Body = Record<string, unknown>

const token = 'the-token-of-the-examples-is-not-a-secret'
const leaveToken = 'the-token-of-the-leave-app-is-not-a-secret'
const namedToken: NamedToken = {
  name: 'leave-app',
  sha256: hash('sha256', leaveToken),
  read: ['employees', 'leave'],
  personal: false,
  create: ['leave'],
  expires: '2099-12-31',
}
/** This request id replaces those in recorded responses, so that the examples do not change from run to run. */
const requestId = 'vT9sUu1mXq0c-1'

export const collectExamples = async (databaseUrl: string): Promise<Examples> => {
  const dependencies = openDependencies({
    databaseUrl,
    poolSize: 1,
    cacheBytes: 0,
    reads: 'public',
    tokens: { ...noTokens, write: [token], named: [namedToken] },
    limits: { authFailures: 1 },
    careerSites: true,
  })
  const { database } = dependencies
  const app = buildApp(dependencies, openLog('silent'))
  const send: Send = async (expectedStatus, method, path, options = {}) => {
    const response = await app.inject({
      method,
      url: `${basePath}${path}`,
      ...(method === 'POST'
        ? { headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } }
        : {}),
      ...options,
    })
    const request = `${method} ${path}`
    if (response.statusCode !== expectedStatus)
      throw new Error(`${request}: expected status ${expectedStatus}, got ${response.statusCode}: ${response.body}`)
    return { request, value: JSON.parse(response.body.replaceAll(String(response.headers['x-request-id']), requestId)) }
  }
  try {
    database.setReady(true)
    await dependencies.checkEmailDomains()
    const operations = await operationExamples(send)
    const responses = await sharedExamples(send, {
      setReady: (ready) => database.setReady(ready),
      setTokens: (write) => dependencies.replaceTokens({ ...noTokens, write }),
    })
    return { operations, responses }
  } finally {
    await app.close()
    await database.close()
  }
}

/** Sends a request; throws unless the response has the expected status. */
type Send = (expectedStatus: number, method: 'GET' | 'POST', path: string, options?: InjectOptions) => Promise<Exchange>

const operationExamples = async (send: Send): Promise<Record<string, OperationExamples>> => {
  const examples: Record<string, OperationExamples> = {
    getIndex: { answers: { 200: await send(200, 'GET', '/') } },
    getSession: {
      answers: { 200: await send(200, 'GET', '/v1/session', { headers: { authorization: `Bearer ${leaveToken}` } }) },
    },
    getHealth: { answers: { 200: await send(200, 'GET', '/v1/health') } },
  }
  for (const resource of listedResources) Object.assign(examples, await resourceExamples(resource, send))
  examples.listReports = { answers: { 200: withFewRows(await send(200, 'GET', '/v1/reports')) } }
  for (const report of reports) {
    const exchange = await send(200, 'GET', `/v1/reports/${report.name}?as_of=${demoDay}`)
    examples[reportOperationId(report)] = { answers: { 200: withFewRows(exchange) } }
  }
  examples.listCareerVisibility = {
    answers: { 200: withFewRows(await send(200, 'GET', '/v1/career-visibility?limit=1')) },
  }
  const hiddenPostings = await send(200, 'GET', '/v1/career-visibility/1?limit=2')
  examples.getCareerVisibility = { answers: { 200: hiddenPostings } }
  examples.searchRecords = { answers: { 200: await send(200, 'GET', '/v1/search?q=ana&limit=3') } }
  examples.listChanges = { answers: { 200: changesExample } }
  return examples
}

/** Cursors and times differ from run to run, so this example is written by hand. A test compares it with its schema. */
const changesExample: Exchange = {
  request: 'GET /v1/changes?after=OGYwYzFmNGE3YjI1ZDM5MC4wLzFBMkIzQzQuNzQ1LjEuMQ&resource=leave,candidates',
  value: {
    data: [
      { resource: 'leave', id: 401, kind: 'created', at: '2026-10-30T08:15:30.120409Z' },
      { resource: 'candidates', id: 9, kind: 'erased', at: '2026-10-30T08:15:31.4Z' },
    ],
    meta: { next: 'OGYwYzFmNGE3YjI1ZDM5MC4wLzFBMkI0RDAuNzUyLjMuOQ', more: false, behind_seconds: 0.004 },
  },
}

/** The day that counts as today in the demo data. */
const demoDay = '2026-10-30'
const exampleRows = 2

/** Only the first rows: a whole report would take most of the document. */
const withFewRows = ({ request, value }: Exchange): Exchange => {
  const body = value as { data: unknown[] }
  return { request, value: { ...body, data: body.data.slice(0, exampleRows) } }
}

const resourceExamples = async (resource: Resource, send: Send): Promise<Record<string, OperationExamples>> => {
  const path = `/v1/${resource.path}`
  const names = operationNames(resource)
  const { value } = await send(200, 'GET', path)
  const exampleRecord = mostCompleteRecord(resource, (value as { data: Item[] }).data)
  return {
    [names.list]: { answers: { 200: await send(200, 'GET', `${path}?limit=2`) } },
    ...(isCountable(resource)
      ? {
          [names.count]: {
            answers: { 200: await send(200, 'GET', `/v1/counts/${resource.path}?by=${exampleGrouping(resource)}`) },
          },
        }
      : {}),
    [names.get]: { answers: { 200: await send(200, 'GET', `${path}/${exampleRecord.id}`) } },
    ...(trackedFields(resource).length > 0
      ? { [names.history]: { answers: { 200: await send(200, 'GET', `${path}/${exampleRecord.id}/history`) } } }
      : {}),
    ...(resource.creatable
      ? { [names.create]: await createExamples(resource, await recordInInitialState(resource, send), send) }
      : {}),
  }
}

/**
 * Filters for records that are still as they were created; most records in the demo data have a later status. A sourced
 * candidate's application has an earlier stage, and some pending leave is overdue.
 */
const initialStateFilters: Readonly<Record<string, string>> = {
  leave: 'status=pending&from_date_from=2026-10-31',
  applications: 'stage=applied&status=active&candidate.source=career_site',
  'job-distributions': 'status=published',
}

const recordInInitialState = async (resource: Resource, send: Send): Promise<Item> => {
  const { value } = await send(200, 'GET', `/v1/${resource.path}?${initialStateFilters[resource.path] ?? ''}`)
  // A sourced candidate enters the stage `applied` after the application was created.
  const isInFirstStage = ({ stage_entered_on, applied_on }: Item) =>
    stage_entered_on === undefined || stage_entered_on === applied_on
  return mostCompleteRecord(resource, (value as { data: Item[] }).data.filter(isInFirstStage))
}

/** Returns the record with the fewest null fields. */
const mostCompleteRecord = ({ titles }: Resource, records: readonly Item[]): Item => {
  const valueCount = (record: Item) => Object.values(record).filter((value) => value !== null).length
  const [first, ...others] = records
  if (first === undefined)
    throw new OperatorError(
      `The demo company has no ${titles} that can be an example: create some in packages/demo-data/src/company, then try again.`,
    )
  return others.reduce((best, record) => (valueCount(record) > valueCount(best) ? record : best), first)
}

const createExamples = async (resource: Resource, model: Item, send: Send): Promise<OperationExamples> => {
  const path = `/v1/${resource.path}`
  const body = bodyLike(resource, model)
  const created = await send(201, 'POST', path, { payload: body })
  const rejected = await send(422, 'POST', path, { payload: invalidBody(resource, body) })
  return {
    body,
    answers: {
      201: { ...created, value: withStableTimestamps(resource, created.value as Item, model) },
      422: rejected,
    },
  }
}

/** Returns a body that creates a copy of the record `model`, with other values in unique fields. */
const bodyLike = (resource: Resource, model: Item): Body => {
  const uniqueFields = new Set(resource.unique.map((names) => names.at(-1)))
  const fields = resource.writableFields.filter(({ name }) => model[name] !== null)
  return Object.fromEntries(fields.map(({ name }) => [name, uniqueFields.has(name) ? `${model[name]}-2` : model[name]]))
}

/** Makes a body invalid: omits the first required field, and adds an undeclared one. */
const invalidBody = (resource: Resource, body: Body): Body => {
  const required = resource.writableFields.find(({ create }) => create === 'required')?.name
  return Object.fromEntries(
    [...Object.entries(body), ['nickname', 'Muster']].filter(([name]) => name !== required),
  ) as Body
}

/** Replaces timestamps set by the service by those of `model`, so that the examples do not change from day to day. */
const withStableTimestamps = (resource: Resource, created: Item, model: Item): Item => {
  const timestamps = resource.allFields.filter(({ kind, create }) => kind === 'timestamp' && create === 'never')
  return { ...created, ...Object.fromEntries(timestamps.map(({ name }) => [name, model[name]])) }
}

interface ServiceSwitches {
  readonly setReady: (ready: boolean) => void
  readonly setTokens: (tokens: readonly string[]) => void
}

/** Records the error responses that many operations share, each from the first operation that can produce it. */
const sharedExamples = async (send: Send, { setReady, setTokens }: ServiceSwitches): Promise<Examples['responses']> => {
  const readPath = `/v1/${resources[0]?.path}`
  const writePath = `/v1/${resources.find(({ creatable }) => creatable)?.path}`
  const invalidQuery = await send(422, 'GET', `${readPath}?limit=0&offset=abc`)
  const invalidItemId = await send(422, 'GET', `${readPath}/%FF`)
  const notFound = await send(404, 'GET', `${readPath}/0`)
  const noCareerSite = await send(404, 'GET', '/v1/career-visibility/0')
  const cursorGone = await send(410, 'GET', '/v1/changes?after=OGYwYzFmNGE3YjI1ZDM5MC4wLzFBMkIzQzQuNzQ1LjEuMQ')
  const unauthorized = await send(401, 'POST', writePath, { headers: {}, payload: {} })
  const rateLimited = await send(429, 'POST', writePath, { headers: {}, payload: {} })
  const forbidden = await send(403, 'POST', '/v1/organizations', {
    headers: { authorization: `Bearer ${leaveToken}` },
    payload: {},
  })
  const tooLarge = await send(413, 'POST', writePath, {
    headers: { authorization: `Bearer ${token}`, 'content-length': String(maxBodyBytes + 1) },
  })
  setReady(false)
  const unavailable = await send(503, 'GET', readPath)
  setReady(true)
  setTokens([])
  const writesDisabled = await send(503, 'POST', writePath)
  return {
    InvalidQuery: { invalid: invalidQuery },
    InvalidItemId: { not_unicode: invalidItemId },
    NotFound: { not_found: notFound },
    NoCareerSite: { not_found: noCareerSite },
    CursorGone: { cursor_gone: cursorGone },
    Unauthorized: { unauthorized },
    Forbidden: { forbidden },
    TooManyRequests: { rate_limited: rateLimited },
    PayloadTooLarge: { payload_too_large: tooLarge },
    Unavailable: { database_unavailable: unavailable },
    WritesUnavailable: { writes_disabled: writesDisabled },
  }
}
