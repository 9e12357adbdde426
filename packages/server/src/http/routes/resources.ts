import { basePath, isCountable, listedResources, trackedFields } from '@muster/model'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import { countHandler } from './count.ts'
import { createHandler } from './create.ts'
import { getHandler } from './get.ts'
import { historyHandler } from './history.ts'
import { listHandler } from './list.ts'
import { addRoute, pathOf } from './route.ts'

export const addResourceRoutes = (app: FastifyInstance, dependencies: Dependencies): void => {
  for (const resource of listedResources) {
    const path = pathOf(resource)
    const GET = listHandler(resource, dependencies)
    addRoute(app, path, resource.creatable ? { GET, POST: createHandler(resource, dependencies) } : { GET })
    addRoute(app, `${path}/:item_id`, { GET: getHandler(resource, dependencies) })
    if (trackedFields(resource).length > 0)
      addRoute(app, `${path}/:item_id/history`, { GET: historyHandler(resource, dependencies) })
    if (isCountable(resource))
      addRoute(app, `${basePath}/v1/counts/${resource.path}`, { GET: countHandler(resource, dependencies) })
  }
}
