import type { ReadMode } from '../api-constants.ts'
import { maxItemIdLength } from '../api-constants.ts'
import { history } from '../registry.ts'
import type { Resource } from '../schema/resource.ts'
import { trackedFields } from '../schema/resource.ts'
import type { Operation, PathItem, Schema } from './document.ts'
import { schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'
import { recordSchema } from './json-schema.ts'
import {
  ifNoneMatchParameter,
  notModifiedResponse,
  operationNames,
  preferParameter,
  readErrorResponses,
  readRefusedResponses,
  readSecurity,
  tagOf,
} from './resource-operations.ts'
import { readHeaders, sharedResponse } from './shared-responses.ts'

/** The history of one record, for each resource with tracked fields. */
export const historyPaths = (
  resources: readonly Resource[],
  examples: Examples,
  reads: ReadMode,
): Readonly<Record<string, PathItem>> =>
  Object.fromEntries(
    resources
      .filter((resource) => trackedFields(resource).length > 0)
      .map((resource) => [`/v1/${resource.path}/{item_id}/history`, { get: getHistory(resource, examples, reads) }]),
  )

const getHistory = (resource: Resource, { operations }: Examples, reads: ReadMode): Operation => {
  const { title, startDay } = resource
  const operationId = operationNames(resource).history
  const names = trackedFields(resource).map(({ name }) => `\`${name}\``)
  return {
    operationId,
    tags: [tagOf(resource)],
    summary: `Get the history of one ${title}`,
    description: [
      `Returns the recorded values of ${names.join(', ')}: first the first known value of each field, then each change in order.`,
      `\`on\` of a first value is ${startDay === undefined ? 'null' : `\`${startDay}\``}.`,
    ].join(' '),
    security: readSecurity[reads],
    parameters: [
      {
        name: 'item_id',
        in: 'path',
        required: true,
        description: `The \`id\` of the ${title}, in decimal digits.`,
        schema: { type: 'string', minLength: 1, maxLength: maxItemIdLength, examples: ['1'] },
      },
      ifNoneMatchParameter(),
      preferParameter(),
    ],
    responses: {
      200: {
        description: `The first values and the changes of the ${title}.`,
        headers: readHeaders(),
        content: jsonContent(schemaRef('RecordHistory'), { history: operations[operationId]?.answers[200] }),
      },
      304: notModifiedResponse(),
      ...readRefusedResponses(reads),
      404: sharedResponse('NotFound'),
      422: sharedResponse('InvalidItemId'),
      ...readErrorResponses(),
    },
  }
}

const nullable = (schema: Schema | undefined, description: string): Schema => ({
  ...schema,
  type: [schema?.type ?? 'string', 'null'].flat() as Schema['type'] & string[],
  description,
})

const { field, old, new: newValue, on, since, at } = recordSchema(history).properties ?? {}

const recordedValue: Schema = {
  type: 'object',
  description: 'A first value, or a change.',
  required: ['id', 'field', 'old', 'new', 'on', 'since', 'at'],
  properties: {
    id: { type: ['integer', 'null'], description: 'Id of the change in `history`; null for a first value.' },
    field,
    old,
    new: newValue,
    on: nullable(on, 'Day from which on the new value holds; null if the first day is not known. YYYY-MM-DD.'),
    since,
    at: nullable(at, 'When the change was recorded; null for a first value. RFC 3339, in UTC.'),
  } as Record<string, Schema>,
}

const recordHistory: Schema = {
  type: 'object',
  description: 'The recorded values of one record, in order.',
  required: ['data', 'meta'],
  properties: {
    data: { type: 'array', items: schemaRef('RecordedValue') },
    meta: {
      type: 'object',
      description: 'How far back the history goes.',
      required: ['total', 'history_from'],
      properties: {
        total: { type: 'integer', minimum: 0, description: 'Number of entries.' },
        history_from: {
          type: 'string',
          description: 'Day from which on the history of the resource is complete. YYYY-MM-DD.',
        },
      },
    },
  },
}

export const historySchemas: Readonly<Record<string, Schema>> = {
  RecordedValue: recordedValue,
  RecordHistory: recordHistory,
}
