import type { ReadMode } from '../api-constants.ts'
import { strictHandling } from '../api-constants.ts'
import { changeKinds, changesLimits, eventStreamType, lastEventIdHeader } from '../changes.ts'
import { listedResources, resources } from '../registry.ts'
import type { Operation, Parameter, PathItem, Schema } from './document.ts'
import { headerRef, queryParameter, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'
import { preferParameter, readErrorResponses, readRefusedResponses, readSecurity } from './resource-operations.ts'
import { responseHeaders, sharedResponse } from './shared-responses.ts'
import { blankOr, dateTimeTextPattern } from './text-patterns.ts'

export const changesTag = {
  name: 'Changes',
  description: 'Which records were created, updated, deleted and erased, to keep a copy up to date.',
}

export const changesPaths = (examples: Examples, reads: ReadMode): Readonly<Record<string, PathItem>> => ({
  '/v1/changes': { get: listChanges(examples, reads) },
})

const listChanges = ({ operations }: Examples, reads: ReadMode): Operation => ({
  operationId: 'listChanges',
  tags: [changesTag.name],
  summary: 'List changes after a cursor or since a date-time',
  description: [
    'Returns which records changed after the cursor `after`, in the order in which you should apply the changes. Without `after` and `since` there are none, and `meta.next` is the current end of the feed. Exports of lists have the cursor of their snapshot in `X-Changes-After`.',
    'Continue with `meta.next`. A change is shown once every transaction that began to write before it has ended.',
    'A change contains no fields: read the record by its id. An update that changes no field of the record is not a change.',
    ...(reads === 'redacted' ? ['Without a token, `erased` is shown as `updated`.'] : []),
    `With \`Accept: ${eventStreamType}\` the response does not end: it sends each change as a server-sent event, whose id is the cursor after it.`,
  ].join(' '),
  security: readSecurity[reads],
  parameters: [
    queryParameter('after', 'The cursor after which to start. Without it, the feed starts at its current end.', {
      type: 'string',
    }),
    queryParameter(
      'since',
      'Start at the first change made at or after this date-time. If it is earlier than the oldest stored change, start at that one. Changes are ordered by transaction, so later pages may contain slightly earlier ones. Cannot be combined with `after`. RFC 3339, or YYYY-MM-DD for midnight UTC. A blank value is ignored.',
      { type: 'string', pattern: blankOr(dateTimeTextPattern) },
    ),
    {
      ...queryParameter(
        'resource',
        'Only changes of these resources; without it of all but `history`. A blank value is ignored.',
        {
          type: 'array',
          items: { type: 'string', enum: listedResources.map(({ path }) => path) },
        },
      ),
      style: 'form',
      explode: false,
    },
    queryParameter('limit', 'Maximum number of changes in the page.', {
      type: 'integer',
      minimum: changesLimits.minLimit,
      maximum: changesLimits.maxLimit,
      default: changesLimits.defaultLimit,
    }),
    lastEventIdParameter,
    preferParameter(),
  ],
  responses: {
    200: {
      description: 'The changes; an empty list if there are none yet.',
      headers: responseHeaders({
        'Cache-Control': headerRef('NoStore'),
        'X-Accel-Buffering': headerRef('NoBuffering'),
        [strictHandling.applied]: headerRef('PreferenceApplied'),
      }),
      content: {
        ...jsonContent(schemaRef('ChangesPage'), { changes: operations.listChanges?.answers[200] }),
        [eventStreamType]: {
          schema: {
            type: 'string',
            description:
              'Server-sent events: `id` is a cursor, `data` is a JSON object with the schema `Change`. A comment is sent every 5 seconds.',
          },
        },
      },
    },
    ...readRefusedResponses(reads),
    410: sharedResponse('CursorGone'),
    422: sharedResponse('InvalidQuery'),
    ...readErrorResponses(),
  },
})

const lastEventIdParameter: Parameter = {
  name: lastEventIdHeader,
  in: 'header',
  required: false,
  description: 'The id of the last event that you received. An event stream continues after it, whatever `after` is.',
  schema: { type: 'string' },
}

const change: Schema = {
  type: 'object',
  description: 'A change of one record.',
  required: ['resource', 'id', 'kind', 'at'],
  properties: {
    resource: {
      type: 'string',
      description: 'The resource, as in its URL.',
      examples: resources.map(({ path }) => path),
    },
    id: { type: 'integer', description: 'The id of the record.' },
    kind: {
      type: 'string',
      description:
        'What happened to the record. `erased`: its personal fields were emptied; erase your copies too. More kinds may be added.',
      examples: changeKinds,
    },
    at: { type: 'string', description: 'When the record was changed. RFC 3339, in UTC.' },
  },
}

const changesPage: Schema = {
  type: 'object',
  description: 'Changes in the order in which to apply them.',
  required: ['data', 'meta'],
  properties: {
    data: { type: 'array', items: schemaRef('Change') },
    meta: {
      type: 'object',
      description: 'Position of the page in the feed.',
      required: ['next', 'more', 'behind_seconds'],
      properties: {
        next: { type: 'string', description: 'The cursor to continue with; the same as `after` if nothing happened.' },
        more: { type: 'boolean', description: 'Whether there may already be changes after `next`.' },
        behind_seconds: {
          type: 'number',
          minimum: 0,
          description: 'Age of the oldest open transaction that writes: changes after its start are not shown yet.',
        },
      },
    },
  },
}

export const changesSchemas: Readonly<Record<string, Schema>> = { Change: change, ChangesPage: changesPage }
