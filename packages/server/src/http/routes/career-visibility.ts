/** Which postings of career sites search engines get, and what keeps the others from them. */
import type { HiddenPostings, Versioned } from '@muster/career-sites'
import {
  careerTables,
  hiddenJson,
  hiddenOnPage,
  overviewTables,
  readHiddenPostings,
  readNames,
  readOverview,
  sitesJson,
} from '@muster/career-sites'
import { basePath, careerVisibilityParameters } from '@muster/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { sourceOf, tableKey } from '../../postgres/sql/statement.ts'
import { needsOf } from '../access/rights.ts'
import type { Dependencies, ServerDependencies } from '../dependencies.ts'
import { readHiddenPostingsQuery, readSitesQuery } from '../request/career-visibility-query.ts'
import { readItemId } from '../request/list-query.ts'
import { parseQuery } from '../request/query-string.ts'
import { careerReader } from './career-sites.ts'
import { authorizeRead, preferHandling, sendRead } from './read.ts'
import type { Handler } from './route.ts'
import { addRoute } from './route.ts'

const overviewSource = sourceOf(overviewTables)
const careerSource = sourceOf(careerTables)

type VisibilityDependencies = Dependencies & Pick<ServerDependencies, 'careerSites'>

export const addCareerVisibilityRoutes = (app: FastifyInstance, dependencies: VisibilityDependencies): void => {
  const path = `${basePath}/v1/career-visibility`
  addRoute(app, path, { GET: sitesHandler(dependencies) })
  addRoute(app, `${path}/:item_id`, { GET: postingsHandler(dependencies) })
}

const sitesHandler = ({ reader, cache, limits, admission, careerSites }: VisibilityDependencies): Handler => ({
  handle: async (request, reply) => {
    const visibility = (await authorizeRead(request, reply, limits)).visibilityOf(needsOf(overviewSource))
    const parameters = parseQuery(request.query as string)
    const applyHandling = preferHandling(request, reply, parameters, {
      parameterNames: careerVisibilityParameters.sites,
    })
    const window = applyHandling(() => readSitesQuery(parameters))
    if (careerSites === undefined) throw new Problem('not_found')
    return sendRead(
      request,
      reply,
      { cache, source: overviewSource, visibility, isExpensive: true },
      {
        execute: () => readOverview(careerReader(reader.forClient(admission.clientOf(request.raw))), window),
        render: ({ version, value }) => ({ version, rows: value.sites.length, pieces: [sitesJson(value, window)] }),
      },
    )
  },
})

const postingsHandler = (dependencies: VisibilityDependencies): Handler => {
  const { reader, cache, limits, admission, careerSites } = dependencies
  const readHidden = openHiddenPostings(dependencies)
  return {
    handle: async (request, reply) => {
      const visibility = (await authorizeRead(request, reply, limits)).visibilityOf(needsOf(careerSource))
      const parameters = parseQuery(request.query as string)
      const applyHandling = preferHandling(request, reply, parameters, {
        parameterNames: careerVisibilityParameters.postings,
      })
      const { id, query } = applyHandling(() => ({
        id: readItemId((request.params as { item_id: string }).item_id),
        query: readHiddenPostingsQuery(parameters),
      }))
      if (careerSites === undefined || id === undefined) throw new Problem('not_found')
      const target = { cache, source: careerSource, visibility, isExpensive: true, canExpire: true }
      return sendRead(request, reply, target, {
        execute: async () => {
          const result = await readHidden(request, id)
          const page = hiddenOnPage(result.value, query)
          const ids = page.shown.map((posting) => posting.id)
          const names = await readNames(careerReader(reader.forClient(admission.clientOf(request.raw))), ids)
          return { ...result, page: { ...page, names } }
        },
        render: ({ version, value, page }) => ({
          version,
          rows: page.names.length,
          pieces: [hiddenJson(value, query, page)],
          expiresAt: value.expiresAt,
        }),
      })
    },
  }
}

/**
 * The hidden postings of the site that was requested last stay in memory, so that filters and further pages need not read
 * all postings again.
 */
const openHiddenPostings = ({ reader, cache, admission }: VisibilityDependencies) => {
  let latest: { readonly id: bigint; readonly result: ReturnType<typeof readHiddenPostings> } | undefined
  const isCurrent = async ({ version, value }: Versioned<HiddenPostings>): Promise<boolean> =>
    version === (await cache.versionOf(tableKey(careerSource))) && Date.now() < (value.expiresAt ?? Infinity)
  return async (request: FastifyRequest, id: bigint): Promise<Versioned<HiddenPostings>> => {
    const stored = latest?.id === id ? await latest.result.catch(() => undefined) : undefined
    if (stored !== undefined && (await isCurrent(stored))) return stored
    const result = readHiddenPostings(careerReader(reader.forClient(admission.clientOf(request.raw))), id)
    latest = { id, result }
    const loaded = await result
    if (loaded === undefined) throw new Problem('not_found')
    return loaded
  }
}
