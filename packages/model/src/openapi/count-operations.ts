import { pageLimits } from '../api-constants.ts'
import type { Grouping } from '../query/group-by.ts'
import { exampleGrouping, groupingsOf, maxGroupings, maxGroups } from '../query/group-by.ts'
import { jsonType as typeOf } from '../schema/field.ts'
import type { Resource } from '../schema/resource.ts'
import type { Operation, Parameter, PathItem, Schema } from './document.ts'
import { queryParameter, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'
import { readHeaders, sharedResponse } from './shared-responses.ts'

/** The parts that a count operation has in common with the list operation of the same resource. */
export interface CountParts extends Pick<Operation, 'operationId' | 'security' | 'responses'> {
  readonly tag: string
  /** Sentences that say by which fields a client without a token cannot search, filter or group. */
  readonly redactionNotes: readonly string[]
  readonly parameters: readonly Parameter[]
}

export const countsSchemaName = ({ schema }: Resource): string => `${schema}Counts`

export const countPath = (
  resource: Resource,
  examples: Examples,
  { operationId, tag, redactionNotes, security, parameters, responses }: CountParts,
): Record<string, PathItem> => ({
  [`/v1/counts/${resource.path}`]: {
    get: {
      operationId,
      tags: [tag],
      summary: `Count ${resource.titles} by group`,
      description: [
        `Exact counts of the matching ${resource.titles}, grouped by one or two fields, from one snapshot.`,
        `Groups are sorted by value, null last. More than ${maxGroups} groups are rejected, unless the request sends \`limit\` or \`offset\`.`,
        ...redactionNotes,
      ].join(' '),
      security,
      parameters: [byParameter(resource), ...windowParameters, ...parameters],
      responses: {
        ...responses,
        200: {
          description: 'The groups; an empty list if nothing matches.',
          headers: readHeaders(),
          content: jsonContent(schemaRef(countsSchemaName(resource)), {
            counts: examples.operations[operationId]?.answers[200],
          }),
        },
        422: sharedResponse('InvalidQuery'),
      },
    },
  },
})

const byParameterName = 'by'

const windowParameters: readonly Parameter[] = [
  queryParameter(
    'limit',
    `Maximum number of groups in the page; ${maxGroups} if only \`offset\` is sent. With \`limit\` or \`offset\`, \`meta\` has both, and \`total\` and \`groups\` still describe all groups.`,
    { type: 'integer', minimum: pageLimits.minLimit, maximum: maxGroups },
  ),
  queryParameter('offset', 'Number of groups to skip; 0 if only `limit` is sent.', {
    type: 'integer',
    minimum: pageLimits.minOffset,
  }),
]

/** The query parameters of a count besides search and filters. */
export const countParameterNames: readonly string[] = [byParameterName, ...windowParameters.map(({ name }) => name)]

const byParameter = (resource: Resource): Parameter => ({
  ...queryParameter(
    byParameterName,
    `Fields to group by, up to ${maxGroupings}, separated by a comma. Years, months, weeks and days are in UTC; weeks are those of ISO 8601, from Monday to Sunday. Strings are grouped ignoring case and returned in lower case.`,
    {
      type: 'array',
      items: { type: 'string', enum: groupingsOf(resource).map(({ name }) => name) },
      minItems: 1,
      maxItems: maxGroupings,
      examples: [[exampleGrouping(resource)]],
    },
  ),
  required: true,
  style: 'form',
  explode: false,
})

export const countsSchema = (resource: Resource): Schema => ({
  type: 'object',
  description: `Number of ${resource.titles} in each group.`,
  required: ['data', 'meta'],
  properties: {
    data: {
      type: 'array',
      description: 'The groups, sorted by value. Each has `count` and the fields named in `by`.',
      items: {
        type: 'object',
        description: 'One group.',
        required: ['count'],
        properties: {
          ...Object.fromEntries(groupingsOf(resource).map((grouping) => [grouping.name, valueSchema(grouping)])),
          count: { type: 'integer', minimum: 1, description: `Number of ${resource.titles} in the group.` },
        },
      },
    },
    meta: schemaRef('CountMeta'),
  },
})

const valueSchema = ({ field, unit }: Grouping): Schema =>
  unit === undefined
    ? { type: [typeOf(field), 'null'], description: field.about }
    : { type: ['string', 'null'], description: `The ${unit} of \`${field.name}\`, format \`${unitFormats[unit]}\`.` }

const unitFormats = { year: 'YYYY', month: 'YYYY-MM', week: 'YYYY-Www', day: 'YYYY-MM-DD' } as const
