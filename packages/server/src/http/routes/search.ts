import { basePath, redacted, searchedResources, searchParameters } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import { readSearchResults } from '../../queries/ranked-search/ranked-search.ts'
import { searchSource } from '../../queries/ranked-search/result-columns.ts'
import type { Dependencies } from '../dependencies.ts'
import { parseQuery } from '../request/query-string.ts'
import { readSearchQuery } from '../request/search-query.ts'
import { authorizeRead, preferHandling, readAs, sendRead } from './read.ts'
import type { Handler } from './route.ts'
import { addRoute } from './route.ts'

const searchedBy = {
  full: searchedResources,
  redacted: searchedResources.map((resource) => ({ ...redacted(resource), search: resource.search })),
}

export const addSearchRoute = (app: FastifyInstance, dependencies: Dependencies): void =>
  addRoute(app, `${basePath}/v1/search`, { GET: searchHandler(dependencies) })

/** Authorize, parse, execute, render: the path of a ranked search. */
const searchHandler = ({ reader, cache, limits, admission }: Dependencies): Handler => ({
  handle: async (request, reply) => {
    const caller = await authorizeRead(request, reply, limits)
    const parameters = parseQuery(request.query as string)
    const applyHandling = preferHandling(request, reply, parameters, { parameterNames: searchParameters })
    const { query, source, visibility } = readAs(caller, { tables: [] }, (visible) => {
      const query = applyHandling(() => readSearchQuery(searchedBy[visible], parameters))
      return { query, source: searchSource(query.resources) }
    })
    return sendRead(
      request,
      reply,
      { cache, source, visibility },
      {
        execute: () => readSearchResults(reader.forClient(admission.clientOf(request.raw)), query),
        render: ({ version, records, count, hasMore }) => ({
          version,
          rows: count,
          pieces: [`{"data":[${records}],"meta":{"limit":${query.limit},"more":${hasMore}}}`],
        }),
      },
    )
  },
})
