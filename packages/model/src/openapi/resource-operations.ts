import type { ReadMode } from '../api-constants.ts'
import {
  basePath,
  fileTypes,
  idempotencyKey,
  listFormats,
  maxItemIdLength,
  maxSearchLength,
  pageLimits,
  replayedHeader,
  strictHandling,
  totalHeader,
} from '../api-constants.ts'
import { changesAfterHeader } from '../changes.ts'
import { isCountable } from '../query/group-by.ts'
import type { NamedField } from '../schema/field.ts'
import { redactedValue } from '../schema/field.ts'
import type { Resource } from '../schema/resource.ts'
import type { CountParts } from './count-operations.ts'
import { countParameterNames, countPath } from './count-operations.ts'
import type { Content, Header, Operation, Parameter, PathItem, Response, Security } from './document.ts'
import { headerRef, queryParameter, schemaRef } from './document.ts'
import type { Examples, Exchange } from './examples.ts'
import { jsonContent } from './examples.ts'
import { filterParameters, sortParameter } from './filter-parameters.ts'
import { collectionSchemaName, createSchemaName, withArticle } from './json-schema.ts'
import { projectionParameters } from './projection-parameters.ts'
import { errorHeaders, notModifiedHeaders, readHeaders, responseHeaders, sharedResponse } from './shared-responses.ts'

export const writeScheme = 'writeToken'
export const readScheme = 'readToken'

/** Returns the operation ids of a resource. Generated clients name their functions after these ids. */
export const operationNames = ({ operationSingular, operationPlural }: Resource) => ({
  list: `list${operationPlural}`,
  get: `get${operationSingular}`,
  create: `create${operationSingular}`,
  count: `count${operationPlural}`,
  history: `get${operationSingular}History`,
})

export const tagOf = ({ titles }: Resource): string => `${titles.charAt(0).toUpperCase()}${titles.slice(1)}`

export const resourcePaths = (
  resource: Resource,
  examples: Examples,
  reads: ReadMode,
): Readonly<Record<string, PathItem>> => {
  const list = listOperation(resource, examples, reads)
  return {
    [`/v1/${resource.path}`]: resource.creatable
      ? { get: list, post: createOperation(resource, examples) }
      : { get: list },
    [`/v1/${resource.path}/{item_id}`]: { get: getOperation(resource, examples, reads) },
    ...(isCountable(resource) ? countPath(resource, examples, countParts(resource, reads)) : {}),
  }
}

/**
 * Returns what the count and list operations share. A count has the same filters and errors as a list, but no sort
 * order, projection or formats.
 */
const countParts = (resource: Resource, reads: ReadMode): CountParts => ({
  operationId: operationNames(resource).count,
  tag: tagOf(resource),
  redactionNotes: redactionNotes(resource, reads).slice(1),
  security: readSecurity[reads],
  parameters: countParameters(resource),
  responses: { 304: notModifiedResponse(), ...readRefusedResponses(reads), ...readErrorResponses() },
})

const listOperation = (resource: Resource, examples: Examples, reads: ReadMode): Operation => {
  const operationId = operationNames(resource).list
  return {
    operationId,
    tags: [tagOf(resource)],
    summary: `List ${resource.titles}`,
    description: [
      resource.about,
      `Returns a page of up to \`limit\` ${resource.titles}, sorted by \`sort\`, or by \`id\` if \`sort\` is not set. \`meta.total\` is the number of all matching records.`,
      'A record must match all filters of the request. Unknown parameters are ignored.',
      ...redactionNotes(resource, reads),
    ].join(' '),
    security: readSecurity[reads],
    parameters: listParameters(resource),
    responses: {
      200: {
        description: `A page of ${resource.titles}, empty if \`offset\` is past the end; or a file with all matching ${resource.titles}.`,
        headers: { ...readHeaders(), Link: headerRef('PageLinks'), ...fileHeaders() },
        content: {
          ...jsonContent(schemaRef(collectionSchemaName(resource)), { page: exampleOf(examples, operationId, 200) }),
          ...fileContent(resource),
        },
      },
      304: notModifiedResponse(),
      ...readRefusedResponses(reads),
      422: sharedResponse('InvalidQuery'),
      ...readErrorResponses(),
    },
  }
}

/** Response headers that the service sends only with exports (CSV and NDJSON files). */
const fileHeaders = (): Record<string, Header> => ({
  [totalHeader]: headerRef('TotalCount'),
  [changesAfterHeader]: headerRef('ChangesAfter'),
  'Content-Disposition': headerRef('ContentDisposition'),
})

const fileContent = ({ schema, titles }: Resource): Content => ({
  [fileTypes.csv]: {
    schema: {
      type: 'string',
      description: `A header line with the field names, then one line for each of the ${titles}. Null is an empty cell; an empty string is \`""\`.`,
    },
  },
  [fileTypes.ndjson]: {
    schema: { type: 'string', description: `One JSON object per line, with the schema \`${schema}\`.` },
  },
})

const getOperation = (resource: Resource, examples: Examples, reads: ReadMode): Operation => {
  const operationId = operationNames(resource).get
  return {
    operationId,
    tags: [tagOf(resource)],
    summary: `Get one ${resource.title}`,
    description: [
      `Returns one ${resource.title}, with the same fields as in the list. An \`item_id\` that is not a valid id returns 404.`,
      ...redactionNotes(resource, reads).slice(0, 1),
    ].join(' '),
    security: readSecurity[reads],
    parameters: getParameters(resource),
    responses: {
      200: {
        description: `The ${resource.title}.`,
        headers: readHeaders(),
        content: jsonContent(schemaRef(resource.schema), { record: exampleOf(examples, operationId, 200) }),
      },
      304: notModifiedResponse(),
      ...readRefusedResponses(reads),
      404: sharedResponse('NotFound'),
      422: sharedResponse('InvalidItemId'),
      ...readErrorResponses(),
    },
  }
}

export const readErrorResponses = (): Operation['responses'] => ({
  429: sharedResponse('TooManyRequests'),
  500: sharedResponse('InternalError'),
  503: sharedResponse('Unavailable'),
})

export const readSecurity: Readonly<Record<ReadMode, Security>> = {
  public: [],
  redacted: [{}, { [readScheme]: [] }],
  token: [{ [readScheme]: [] }],
}

export const readRefusedResponses = (reads: ReadMode): Operation['responses'] =>
  reads === 'token' ? { 401: sharedResponse('ReadUnauthorized'), 403: sharedResponse('ReadForbidden') } : {}

/**
 * Returns two sentences: the first names the fields whose values are withheld without a token, the second says that such
 * a client cannot search, filter or sort by them.
 */
const redactionNotes = ({ allFields: all }: Resource, reads: ReadMode): string[] => {
  const personal = all.filter((field) => field.personal)
  if (reads !== 'redacted' || personal.length === 0) return []
  const replacements = [...Map.groupBy(personal, redactedValue)].map(
    ([value, fields]) =>
      `${fields.map(({ name }) => `\`${name}\``).join(', ')} ${fields.length === 1 ? 'is' : 'are'} ${value === null ? 'null' : `\`${value}\``}`,
  )
  return [
    `Without a token ${replacements.join(', and ')}.`,
    '`q` then does not search these fields, and filtering or sorting by them is rejected.',
  ]
}

const createOperation = (resource: Resource, examples: Examples): Operation => {
  const operationId = operationNames(resource).create
  const body = examples.operations[operationId]?.body
  const bodyExample = body === undefined ? undefined : { request: `POST /v1/${resource.path}`, value: body }
  return {
    operationId,
    tags: [tagOf(resource)],
    summary: `Create ${withArticle(resource.title)}`,
    description: createDescription(resource),
    security: [{ [writeScheme]: [] }],
    parameters: [idempotencyKeyParameter()],
    requestBody: {
      required: true,
      description: `The new ${resource.title}: a JSON object in UTF-8.`,
      content: jsonContent(schemaRef(createSchemaName(resource)), { record: bodyExample }),
    },
    responses: {
      201: createdResponse(resource, exampleOf(examples, operationId, 201)),
      401: sharedResponse('Unauthorized'),
      403: sharedResponse('Forbidden'),
      413: sharedResponse('PayloadTooLarge'),
      422: invalidBodyResponse(resource, exampleOf(examples, operationId, 422)),
      429: sharedResponse('TooManyRequests'),
      500: sharedResponse('InternalError'),
      503: sharedResponse('WritesUnavailable'),
    },
  }
}

const createDescription = (resource: Resource): string =>
  [
    `Creates one ${resource.title} and returns the stored record.`,
    'An omitted optional field gets its default value, or null if it has none.',
    ...(resource.writableFields.some(({ references }) => references !== undefined)
      ? ['Every referenced record must exist.']
      : []),
    ...resource.unique.map(uniqueSentence),
    'An invalid body is rejected as a whole; the response lists every error in it.',
  ].join(' ')

const uniqueSentence = (names: readonly string[]): string => {
  const [last, ...others] = names.map((name) => `\`${name}\``).toReversed()
  return others.length === 0
    ? `${last} must be unique.`
    : `${last} must be unique among records with the same ${others.toReversed().join(' and ')}.`
}

const createdResponse = (resource: Resource, exchange: Exchange | undefined): Response => ({
  description: `The stored ${resource.title}.`,
  headers: responseHeaders({
    Location: {
      description: 'Path of the new record.',
      required: true,
      schema: { type: 'string', examples: [`${basePath}/v1/${resource.path}/1`] },
    },
    [replayedHeader]: headerRef('IdempotentReplayed'),
  }),
  content: jsonContent(schemaRef(resource.schema), { record: exchange }),
  links: {
    [operationNames(resource).get]: {
      operationId: operationNames(resource).get,
      parameters: { item_id: '$response.body#/id' },
      description: 'Reads the new record.',
    },
  },
})

const invalidBodyResponse = (resource: Resource, exchange: Exchange | undefined): Response => ({
  description: `\`validation_error\`: the body is not a valid ${resource.title}; \`error.details.errors\` lists every error. Or \`idempotency_key_reused\`: the key was already used with a different body.`,
  headers: errorHeaders(),
  content: jsonContent(schemaRef('ErrorEnvelope'), { refused: exchange }),
})

export const notModifiedResponse = (): Response => ({
  description: 'Not modified: the ETag in `If-None-Match` is current, so no body is sent.',
  headers: notModifiedHeaders(),
})

const exampleOf = (examples: Examples, operationId: string, status: number): Exchange | undefined =>
  examples.operations[operationId]?.answers[status]

const itemIdParameter = (resource: Resource): Parameter => ({
  name: 'item_id',
  in: 'path',
  required: true,
  description: `The \`id\` of the ${resource.title}, in decimal digits.`,
  schema: { type: 'string', minLength: 1, maxLength: maxItemIdLength, examples: ['1'] },
})

/** Returns the names of the query parameters of each read operation. */
export const queryNames = (resource: Resource): Readonly<Record<'list' | 'get' | 'count', readonly string[]>> => {
  const namesOf = (parameters: readonly Parameter[]) =>
    parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  return {
    list: namesOf(listParameters(resource)),
    get: namesOf(getParameters(resource)),
    count: [...countParameterNames, ...namesOf(countParameters(resource))],
  }
}

const countParameters = (resource: Resource): Parameter[] => [
  searchParameter(resource),
  ...filterParameters(resource),
  ifNoneMatchParameter(),
  preferParameter(),
]

const getParameters = (resource: Resource): Parameter[] => [
  itemIdParameter(resource),
  ...projectionParameters(resource),
  ifNoneMatchParameter(),
  preferParameter(),
]

const listParameters = (resource: Resource): Parameter[] => [
  queryParameter('limit', `Maximum number of ${resource.titles} in the page.`, {
    type: 'integer',
    minimum: pageLimits.minLimit,
    maximum: pageLimits.maxLimit,
    default: pageLimits.defaultLimit,
  }),
  queryParameter('offset', `Number of ${resource.titles} to skip.`, {
    type: 'integer',
    minimum: pageLimits.minOffset,
    default: pageLimits.minOffset,
  }),
  searchParameter(resource),
  sortParameter(resource),
  ...filterParameters(resource),
  ...projectionParameters(resource),
  formatParameter(resource),
  ifNoneMatchParameter(),
  preferParameter(),
]

const formatParameter = ({ titles }: Resource): Parameter =>
  queryParameter(
    'format',
    `Format of the response: a page of JSON, or a file with all matching ${titles}. \`limit\` and \`offset\` restrict a file only if you send them. Without this parameter \`Accept\` decides: \`${fileTypes.csv}\` and \`${fileTypes.ndjson}\` request a file. A blank value is ignored.`,
    { type: 'string', enum: listFormats },
  )

const searchParameter = (resource: Resource): Parameter =>
  queryParameter('q', searchDescription(resource), { type: 'string', maxLength: maxSearchLength })

const searchDescription = ({ searchableFields: searchable }: Resource): string =>
  `Words to search for, ignoring case and accents. Each must occur, alone or as part of a longer word, in ${joinWithOr(searchable)}. A blank value is ignored.`

const joinWithOr = (fields: readonly NamedField[]): string => {
  const names = fields.map(({ name }) => `\`${name}\``)
  const last = names.pop()
  return names.length === 0 ? String(last) : `${names.join(', ')} or ${last}`
}

export const ifNoneMatchParameter = (): Parameter => ({
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags of responses you have cached; if one is still current, the response is 304.',
  schema: { type: 'string' },
})

export const preferParameter = (): Parameter => ({
  name: strictHandling.header,
  in: 'header',
  required: false,
  description: `With \`${strictHandling.value}\`, unknown query parameters are rejected, and the error suggests a similar name if there is one. Names of fields without a filter are rejected too. Without it all of them are ignored.`,
  schema: { type: 'string' },
})

const idempotencyKeyParameter = (): Parameter => ({
  name: idempotencyKey.header,
  in: 'header',
  required: false,
  description:
    'A unique key that you choose for this create, such as a UUID. If you repeat the request with the same key and body within 24 hours, the response is the record that was created, and no second record is created.',
  schema: { type: 'string', pattern: idempotencyKey.pattern },
})
