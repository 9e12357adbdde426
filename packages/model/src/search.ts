/** The ranked search over several resources, `GET /v1/search`. */
import { resources } from './registry.ts'
import type { Resource } from './schema/resource.ts'
import type { SearchDeclaration } from './schema/search.ts'

export type SearchedResource = Resource & { readonly search: SearchDeclaration }

const isSearched = (resource: Resource): resource is SearchedResource => resource.search !== undefined

/** In the order of results that match equally well. */
export const searchedResources: readonly SearchedResource[] = resources.filter(isSearched)

export const searchParameters = ['q', 'resource', 'limit'] as const
export const searchLimits = { defaultLimit: 10, minLimit: 1, maxLimit: 50 } as const

/** How well a result matches, from best to worst. */
export const searchMatches = ['exact', 'prefix', 'word', 'substring'] as const
export type SearchMatch = (typeof searchMatches)[number]
