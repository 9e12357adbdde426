import type { ReadMode } from '../api-constants.ts'
import { maxSearchLength } from '../api-constants.ts'
import { resourceAt } from '../registry.ts'
import type { Resource } from '../schema/resource.ts'
import type { SearchRelation } from '../schema/search.ts'
import type { SearchedResource } from '../search.ts'
import { searchedResources, searchLimits, searchMatches } from '../search.ts'
import type { Operation, PathItem, Schema } from './document.ts'
import { queryParameter, schemaRef } from './document.ts'
import type { Examples } from './examples.ts'
import { jsonContent } from './examples.ts'
import { recordSchema } from './json-schema.ts'
import {
  ifNoneMatchParameter,
  notModifiedResponse,
  preferParameter,
  readErrorResponses,
  readRefusedResponses,
  readSecurity,
} from './resource-operations.ts'
import { readHeaders, sharedResponse } from './shared-responses.ts'

export const searchTag = {
  name: 'Search',
  description: `The best matches among ${searchedResources.map(({ titles }) => titles).join(', ')}.`,
}

export const searchPaths = (examples: Examples, reads: ReadMode): Readonly<Record<string, PathItem>> => ({
  '/v1/search': { get: searchRecords(examples, reads) },
})

const searchRecords = ({ operations }: Examples, reads: ReadMode): Operation => ({
  operationId: 'searchRecords',
  tags: [searchTag.name],
  summary: 'Find people, candidates and job openings',
  description: [
    'Returns the records that contain every term of `q`, the best matches first, ignoring case and accents.',
    '`exact`: the text is the name, with the first or the last name first, or the title of a job opening, the code or the e-mail address.',
    '`prefix`: one of these begins with the text, or every term begins a word of the name or title.',
    '`word`: every term is a whole word of the record. `substring`: all others.',
    'With the same match, people who left, hired and archived candidates and closed job openings come last.',
    ...(reads === 'redacted' ? ['Without a token, personal fields are null, and only the others are searched.'] : []),
    'If very many records contain the terms, only the newest of them are ranked as `word` and `substring`. For exact totals, use `q` of a list.',
  ].join(' '),
  security: readSecurity[reads],
  parameters: [
    {
      ...queryParameter('q', 'The text to find. It must not be blank.', {
        type: 'string',
        pattern: '\\S',
        maxLength: maxSearchLength,
        examples: ['anna lind'],
      }),
      required: true,
    },
    {
      ...queryParameter('resource', 'Only records of these resources. A blank value is ignored.', {
        type: 'array',
        items: { type: 'string', enum: searchedResources.map(({ path }) => path) },
      }),
      style: 'form',
      explode: false,
    },
    queryParameter('limit', 'Maximum number of results.', {
      type: 'integer',
      minimum: searchLimits.minLimit,
      maximum: searchLimits.maxLimit,
      default: searchLimits.defaultLimit,
    }),
    ifNoneMatchParameter(),
    preferParameter(),
  ],
  responses: {
    200: {
      description: 'The best matches; an empty list if there are none.',
      headers: readHeaders(),
      content: jsonContent(schemaRef('SearchPage'), { search: operations.searchRecords?.answers[200] }),
    },
    304: notModifiedResponse(),
    ...readRefusedResponses(reads),
    422: sharedResponse('InvalidQuery'),
    ...readErrorResponses(),
  },
})

const schemaNameOf = ({ schema }: Resource): string => `${schema}Result`

const propertiesOf = (resource: Resource, names: readonly string[]): Record<string, Schema> => {
  const { properties = {} } = recordSchema(resource)
  return Object.fromEntries(
    resource.allFields.flatMap(({ name }) => {
      const schema = properties[name]
      return names.includes(name) && schema !== undefined ? [[name, schema]] : []
    }),
  )
}

const relationProperty = ({ name, about, resource, fields, related = [] }: SearchRelation): [string, Schema] => {
  const properties = {
    ...propertiesOf(resourceAt(resource), fields),
    ...Object.fromEntries(related.map(relationProperty)),
  }
  return [
    name,
    {
      type: ['object', 'null'],
      description: `${about} Null if there is none.`,
      required: Object.keys(properties),
      properties,
    },
  ]
}

const resultSchema = (resource: SearchedResource): Schema => {
  const properties: Record<string, Schema> = {
    resource: { type: 'string', description: 'The resource, as in its URL.', examples: [resource.path] },
    id: { type: 'integer', format: 'int64', description: 'The id of the record.' },
    match: {
      type: 'string',
      description: 'How well the record matches, from best to worst.',
      examples: searchMatches,
    },
    ...propertiesOf(resource, resource.search.fields),
    ...Object.fromEntries(resource.search.related.map(relationProperty)),
  }
  return {
    type: 'object',
    description: `A result of a search that is ${/^[aeiou]/.test(resource.title) ? 'an' : 'a'} ${resource.title}.`,
    required: Object.keys(properties),
    properties,
  }
}

const searchPage: Schema = {
  type: 'object',
  description: 'The results of a search, the best matches first.',
  required: ['data', 'meta'],
  properties: {
    data: {
      type: 'array',
      description: 'The results.',
      items: { anyOf: searchedResources.map((resource) => schemaRef(schemaNameOf(resource))) },
    },
    meta: {
      type: 'object',
      description: 'Whether these are all.',
      required: ['limit', 'more'],
      properties: {
        limit: { type: 'integer', minimum: 1, description: 'The limit that was applied.' },
        more: { type: 'boolean', description: 'Whether further records match.' },
      },
    },
  },
}

export const searchSchemas: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(searchedResources.map((resource) => [schemaNameOf(resource), resultSchema(resource)])),
  SearchPage: searchPage,
}
