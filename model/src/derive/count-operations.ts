/** In charge of describing the counts of one resource: what it is counted by, and the groups that are answered. */
import { jsonType as typeOf } from '../field.ts'
import type { Grouping } from '../groupings.ts'
import { exampleGrouping, groupingsOf, maxGroupings, maxGroups } from '../groupings.ts'
import type { Resource } from '../resource.ts'
import type { Operation, Parameter, PathItem, Schema } from './document.ts'
import { queryParameter, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'
import { readHeaders, sharedResponse } from './shared-responses.ts'

/** What counts have in common with lists. */
export interface CountParts extends Pick<Operation, 'operationId' | 'security' | 'responses'> {
  readonly tag: string
  /** What a caller without a token cannot do. */
  readonly withheld: readonly string[]
  readonly parameters: readonly Parameter[]
}

export const countsName = ({ schema }: Resource): string => `${schema}Counts`

export const countPath = (
  resource: Resource,
  examples: Examples,
  { operationId, tag, withheld, security, parameters, responses }: CountParts,
): Record<string, PathItem> => ({
  [`/v1/counts/${resource.path}`]: {
    get: {
      operationId,
      tags: [tag],
      summary: `Count ${resource.titles} by group`,
      description: [
        `Exact counts of the ${resource.titles} that match, by one or two of their fields, all of one moment.`,
        `Groups stand in the order of their values, what has none last. More than ${maxGroups} groups are refused.`,
        ...withheld,
      ].join(' '),
      security,
      parameters: [byParameter(resource), ...parameters],
      responses: {
        ...responses,
        200: {
          description: 'The groups; none where nothing matches.',
          headers: readHeaders(),
          content: jsonContent(schemaRef(countsName(resource)), {
            counts: examples.operations[operationId]?.answers[200],
          }),
        },
        422: sharedResponse('InvalidQuery'),
      },
    },
  },
})

export const byParameterName = 'by'

const byParameter = (resource: Resource): Parameter => {
  const names = groupingsOf(resource).map(({ name }) => name)
  const one = `(?:${names.map((name) => name.replaceAll(/[()]/g, '\\$&')).join('|')})`
  return {
    ...queryParameter(
      byParameterName,
      `What to count by, up to ${maxGroupings} of them separated by a comma: ${names.map((name) => `\`${name}\``).join(', ')}. Years, months and days are those of UTC. Texts are put together whatever their case, and told in small letters.`,
      { type: 'string', pattern: `^${one}(?:,${one})?$`, examples: [exampleGrouping(resource)] },
    ),
    required: true,
  }
}

export const countsSchema = (resource: Resource): Schema => ({
  type: 'object',
  description: `How many ${resource.titles} there are of each kind.`,
  required: ['data', 'meta'],
  properties: {
    data: {
      type: 'array',
      description: 'The groups, in the order of their values, with what was asked for and no other of these.',
      items: {
        type: 'object',
        description: 'One group.',
        required: ['count'],
        properties: {
          ...Object.fromEntries(groupingsOf(resource).map((grouping) => [grouping.name, valueSchema(grouping)])),
          count: { type: 'integer', minimum: 1, description: `How many ${resource.titles} are in it.` },
        },
      },
    },
    meta: schemaRef('CountMeta'),
  },
})

const valueSchema = ({ field, span }: Grouping): Schema =>
  span === undefined
    ? { type: [typeOf(field), 'null'], description: field.about }
    : { type: ['string', 'null'], description: `The ${span} of \`${field.name}\`, written \`${writtenSpan[span]}\`.` }

const writtenSpan = { year: 'YYYY', month: 'YYYY-MM', day: 'YYYY-MM-DD' } as const
