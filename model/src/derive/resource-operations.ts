/** In charge of describing list, get and create of one resource: parameters, bodies and every answer they give. */
import { isCountable } from '../groupings.ts'
import type { ReadMode } from '../interface.ts'
import {
  basePath,
  fileTypes,
  idempotencyKey,
  listFormats,
  maxItemIdLength,
  maxSearchLength,
  page,
  replayedHeader,
  strictHandling,
  totalHeader,
} from '../interface.ts'
import type { NamedField, Resource } from '../resource.ts'
import type { CountParts } from './count-operations.ts'
import { byParameterName, countPath } from './count-operations.ts'
import type { Content, Header, Operation, Parameter, PathItem, Response, Security } from './document.ts'
import { headerRef, queryParameter, schemaRef } from './document.ts'
import type { Examples, Exchange } from './examples.ts'
import { jsonContent } from './examples.ts'
import { filterParameters, sortParameter } from './filter-parameters.ts'
import { collectionName, createName, withArticle } from './json-schema.ts'
import { shapeParameters } from './shape-parameters.ts'
import { answerHeaders, errorHeaders, readHeaders, sharedResponse, unchangedHeaders } from './shared-responses.ts'

export const bearerScheme = 'writeToken'
export const readScheme = 'readToken'

/** What the verbs of a resource are called, here and in every client made from the description. */
export const operationNames = ({ one, many }: Resource) => ({
  list: `list${many}`,
  get: `get${one}`,
  create: `create${one}`,
  count: `count${many}`,
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

/** A count is asked for and refused as a list is, but for its window and its form. */
const countParts = (resource: Resource, reads: ReadMode): CountParts => ({
  operationId: operationNames(resource).count,
  tag: tagOf(resource),
  withheld: withheldSentences(resource, reads).slice(1),
  security: readSecurity[reads],
  parameters: countNarrowing(resource),
  responses: { 304: notModified(), ...readRefusal(reads), ...readFailures() },
})

const listOperation = (resource: Resource, examples: Examples, reads: ReadMode): Operation => {
  const operationId = operationNames(resource).list
  return {
    operationId,
    tags: [tagOf(resource)],
    summary: `List ${resource.titles}`,
    description: [
      resource.about,
      `A page holds up to \`limit\` ${resource.titles} in the order of \`sort\`, of their ids where it is not given; \`meta.total\` counts all that match.`,
      'Conditions given together must all hold. Parameters that are not named here are ignored.',
      ...withheldSentences(resource, reads),
    ].join(' '),
    security: readSecurity[reads],
    parameters: listParameters(resource),
    responses: {
      200: {
        description: `A page of ${resource.titles}; empty past the last one. Or all that match, as a file.`,
        headers: { ...readHeaders(), Link: headerRef('PageLinks'), ...fileHeaders() },
        content: {
          ...jsonContent(schemaRef(collectionName(resource)), { page: answered(examples, operationId, 200) }),
          ...fileContent(resource),
        },
      },
      304: notModified(),
      ...readRefusal(reads),
      422: sharedResponse('InvalidQuery'),
      ...readFailures(),
    },
  }
}

/** Of the answers that are files, and of no others. */
const fileHeaders = (): Record<string, Header> => ({
  [totalHeader]: headerRef('TotalCount'),
  'Content-Disposition': headerRef('ContentDisposition'),
})

const fileContent = ({ schema, titles }: Resource): Content => ({
  [fileTypes.csv]: {
    schema: {
      type: 'string',
      description: `A first line with the names of the fields, then a line for each of the ${titles}. Null is nothing at all, an empty text is \`""\`.`,
    },
  },
  [fileTypes.ndjson]: {
    schema: { type: 'string', description: `A JSON object on each line, as \`${schema}\` describes it.` },
  },
})

const getOperation = (resource: Resource, examples: Examples, reads: ReadMode): Operation => {
  const operationId = operationNames(resource).get
  return {
    operationId,
    tags: [tagOf(resource)],
    summary: `Get one ${resource.title}`,
    description: [
      `Answers one ${resource.title}, in the same shape as in the list. An \`item_id\` that is no id finds nothing.`,
      ...withheldSentences(resource, reads).slice(0, 1),
    ].join(' '),
    security: readSecurity[reads],
    parameters: getParameters(resource),
    responses: {
      200: {
        description: `The ${resource.title}.`,
        headers: readHeaders(),
        content: jsonContent(schemaRef(resource.schema), { record: answered(examples, operationId, 200) }),
      },
      304: notModified(),
      ...readRefusal(reads),
      404: sharedResponse('NotFound'),
      422: sharedResponse('InvalidItemId'),
      ...readFailures(),
    },
  }
}

const readFailures = (): Operation['responses'] => ({
  429: sharedResponse('TooManyRequests'),
  500: sharedResponse('InternalError'),
  503: sharedResponse('Unavailable'),
})

const readSecurity: Readonly<Record<ReadMode, Security>> = {
  public: [],
  redacted: [{}, { [readScheme]: [] }],
  token: [{ [readScheme]: [] }],
}

const readRefusal = (reads: ReadMode): Operation['responses'] =>
  reads === 'token' ? { 401: sharedResponse('ReadUnauthorized') } : {}

/** What a caller without a token is not shown, and then what it cannot do with that. */
const withheldSentences = ({ all }: Resource, reads: ReadMode): string[] => {
  const personal = all.filter((field) => field.personal)
  if (reads !== 'redacted' || personal.length === 0) return []
  return [
    `Without a token ${personal.map(({ name }) => `\`${name}\``).join(', ')} ${personal.length === 1 ? 'is' : 'are'} null.`,
    '`q` then does not look into them, and a filter or an order by one is refused.',
  ]
}

const createOperation = (resource: Resource, examples: Examples): Operation => {
  const operationId = operationNames(resource).create
  const body = examples.operations[operationId]?.body
  const sent = body === undefined ? undefined : { request: `POST /v1/${resource.path}`, value: body }
  return {
    operationId,
    tags: [tagOf(resource)],
    summary: `Create ${withArticle(resource.title)}`,
    description: createDescription(resource),
    security: [{ [bearerScheme]: [] }],
    parameters: [idempotencyKeyParameter()],
    requestBody: {
      required: true,
      description: `The new ${resource.title}: a JSON object in UTF-8.`,
      content: jsonContent(schemaRef(createName(resource)), { record: sent }),
    },
    responses: {
      201: created(resource, answered(examples, operationId, 201)),
      401: sharedResponse('Unauthorized'),
      413: sharedResponse('PayloadTooLarge'),
      422: refused(resource, answered(examples, operationId, 422)),
      429: sharedResponse('TooManyRequests'),
      500: sharedResponse('InternalError'),
      503: sharedResponse('WritesUnavailable'),
    },
  }
}

const createDescription = (resource: Resource): string =>
  [
    `Stores one ${resource.title} and answers it as it was stored.`,
    'An optional field that is left out takes its default, or null where it has none.',
    ...(resource.writable.some(({ references }) => references !== undefined)
      ? ['Every record referred to must exist.']
      : []),
    ...resource.unique.map(uniqueSentence),
    'A body with any fault is refused whole, with all its faults at once.',
  ].join(' ')

const uniqueSentence = (names: readonly string[]): string => {
  const [last, ...others] = names.map((name) => `\`${name}\``).toReversed()
  return others.length === 0
    ? `${last} must not be taken by another record.`
    : `${last} must not be taken by another record with the same ${others.toReversed().join(' and ')}.`
}

const created = (resource: Resource, exchange: Exchange | undefined): Response => ({
  description: `The ${resource.title} as it was stored.`,
  headers: answerHeaders({
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

const refused = (resource: Resource, exchange: Exchange | undefined): Response => ({
  description: `\`validation_error\`: the body is not an acceptable ${resource.title}; \`error.details.errors\` lists every fault. Or \`idempotency_key_reused\`: the key came with another body before.`,
  headers: errorHeaders(),
  content: jsonContent(schemaRef('ErrorEnvelope'), { refused: exchange }),
})

const notModified = (): Response => ({
  description: 'The tag in `If-None-Match` stands for what would be answered: nothing is sent again.',
  headers: unchangedHeaders(),
})

const answered = (examples: Examples, operationId: string, status: number): Exchange | undefined =>
  examples.operations[operationId]?.answers[status]

const itemId = (resource: Resource): Parameter => ({
  name: 'item_id',
  in: 'path',
  required: true,
  description: `The \`id\` of the ${resource.title}, in decimal digits.`,
  schema: { type: 'string', minLength: 1, maxLength: maxItemIdLength, examples: ['1'] },
})

/** The query parameters that each read of a resource knows. */
export const queryNames = (resource: Resource): Readonly<Record<'list' | 'get' | 'count', readonly string[]>> => {
  const named = (parameters: readonly Parameter[]) =>
    parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  return {
    list: named(listParameters(resource)),
    get: named(getParameters(resource)),
    count: [byParameterName, ...named(countNarrowing(resource))],
  }
}

const countNarrowing = (resource: Resource): Parameter[] => [
  searchParameter(resource),
  ...filterParameters(resource),
  ifNoneMatch(),
  prefer(),
]

const getParameters = (resource: Resource): Parameter[] => [
  itemId(resource),
  ...shapeParameters(resource),
  ifNoneMatch(),
  prefer(),
]

const listParameters = (resource: Resource): Parameter[] => [
  queryParameter('limit', `How many ${resource.titles} the page holds at most.`, {
    type: 'integer',
    minimum: page.minLimit,
    maximum: page.maxLimit,
    default: page.defaultLimit,
  }),
  queryParameter('offset', `How many ${resource.titles} to skip.`, {
    type: 'integer',
    minimum: page.minOffset,
    default: page.minOffset,
  }),
  searchParameter(resource),
  sortParameter(resource),
  ...filterParameters(resource),
  ...shapeParameters(resource),
  formatParameter(resource),
  ifNoneMatch(),
  prefer(),
]

const formatParameter = ({ titles }: Resource): Parameter =>
  queryParameter(
    'format',
    `What the answer is: a page of JSON, or a file with all ${titles} that match, of which \`limit\` and \`offset\` take a part only where they are given. Left out, \`Accept\` decides: \`${fileTypes.csv}\` and \`${fileTypes.ndjson}\` ask for a file. Blank asks for nothing.`,
    { type: 'string', enum: listFormats },
  )

const searchParameter = (resource: Resource): Parameter =>
  queryParameter('q', searchDescription(resource), { type: 'string', maxLength: maxSearchLength })

const searchDescription = ({ searchable }: Resource): string =>
  `Words to look for, ignoring case and accents. Each must occur, as a part of a word at least, in ${listed(searchable)}. Blank looks for nothing.`

const listed = (fields: readonly NamedField[]): string => {
  const names = fields.map(({ name }) => `\`${name}\``)
  const last = names.pop()
  return names.length === 0 ? String(last) : `${names.join(', ')} or ${last}`
}

const ifNoneMatch = (): Parameter => ({
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Tags of answers you hold, as given in `ETag`; answers 304 where one is still right.',
  schema: { type: 'string' },
})

const prefer = (): Parameter => ({
  name: strictHandling.header,
  in: 'header',
  required: false,
  description: `\`${strictHandling.value}\` refuses query parameters that are not named here, with a guess at what was meant; otherwise they are ignored.`,
  schema: { type: 'string' },
})

const idempotencyKeyParameter = (): Parameter => ({
  name: idempotencyKey.header,
  in: 'header',
  required: false,
  description:
    'A text of your own that names this create, such as a UUID. Sent again within 24 hours with the same body, it answers the record that was created, and creates no other.',
  schema: { type: 'string', pattern: idempotencyKey.pattern },
})
